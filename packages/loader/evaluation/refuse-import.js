// No source of a vat may ask the engine's module loader for anything: that is the host's, with the host's files. SES refuses
// `import(`, and knows no later spelling; this refuses those, `import.source(…)`, `import.defer(…)` and whatever else is
// called behind `import.`. It looks at the text and parses nothing, so there is no parser to disagree with. So it also
// refuses a comment or a string with such a text in it, as SES does.

/** The characters of a name, escapes included. */
const name = String.raw`(?:[\w$\u0080-\uffff]|\\u[\da-fA-F{}]*)+`;

/**
 * `import`, a dot, and then a comment, or a name that is not `meta` before a call, a template or a comment. `\s` is exactly
 * what JavaScript takes for white space. A name is read to its end: `(?![\w…])` keeps the pattern from giving parts of it
 * back. `import.meta` stands in modules only, where it reaches nothing.
 */
const phasedImport = new RegExp(
  String.raw`\bimport\s*\.\s*(?:/[/*]|(?!meta(?![\w$\\\u0080-\uffff]))${name}\s*(?:\?\.|[(${'`'}/]))`,
);

/** @param {string} text  a source @returns {boolean} */
export const mayImport = text => phasedImport.test(text);

/**
 * @param {string} text  a source
 * @returns {string}  the same
 * @throws {SyntaxError}
 */
export const refuseImport = text => {
  if (mayImport(text)) {
    throw SyntaxError('a vat has no import(): possible import expression refused');
  }
  return text;
};
