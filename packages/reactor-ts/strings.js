/**
 * A template without the indentation of its lines.
 *
 * @param {TemplateStringsArray} template
 * @returns {string}
 */
export const dontIndent = template => String(template).replace(/(\n)\s+/g, '$1');
