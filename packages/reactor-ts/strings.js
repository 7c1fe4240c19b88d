/**
 * A template without the indentation of its lines.
 *
 * @param {TemplateStringsArray} template
 */
export const dontIndent = template => String(template).replace(/(\n)\s+/g, '$1');
