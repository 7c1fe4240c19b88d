// Keeps vats' sources from the engine's module loader, which has access to the host's files. SES refuses `import(`
// only; this refuses the later spellings `import.source(…)`, `import.defer(…)` and any other call behind `import.`. It
// does not parse, so it cannot disagree with the engine's parser; like SES, it also refuses comments and strings with
// such a text.

// The groups in `(?=…)` are matched to their ends: the engine would try shorter ones too, which takes it up to
// exponentially long.

const space = String.raw`(?=(\s*))\1`;

/** The characters of a name, escapes included. */
const name = String.raw`(?=((?:[\w$\u0080-\uffff]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]*\}))+))\2`;

/**
 * `import`, a dot, and then a comment, or a name that is not `meta` before a call, a template or a comment. `\s` is
 * exactly what JavaScript takes for white space. `import.meta` is allowed: it occurs in modules only and gives no access.
 */
const phasedImport = new RegExp(
  String.raw`\bimport\s*\.${space}(?:/[/*]|(?!meta(?![\w$\\\u0080-\uffff]))${name}\s*(?:\?\.|[(${'`'}/]))`,
);

/** @param {string} text  a source @returns {boolean} */
export const mayImport = text => phasedImport.test(text);

/**
 * @param {string} text  a source
 * @returns {string}  the same text
 * @throws {SyntaxError} if it may import
 */
export const refuseImport = text => {
  if (mayImport(text)) {
    throw SyntaxError('a vat has no import(): possible import expression refused');
  }
  return text;
};
