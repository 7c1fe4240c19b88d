// Makes the first arguments of tags, for modules whose tagged templates were rewritten to calls (rewrite-templates.js).

const { defineProperty, freeze } = Object;

/** The global that rewritten modules call. */
export const templateName = '__template__';

/**
 * The object that the language makes for a tagged template.
 *
 * @param {(string | undefined)[]} cooked
 * @param {string[]} raw
 */
export const makeTemplateObject = (cooked, raw) =>
  freeze(defineProperty(cooked, 'raw', { value: freeze(raw) }));
