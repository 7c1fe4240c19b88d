// Names of exports that are written as strings (`export { x as "module.exports" }`), which @endo/module-source does not
// know: a module is compiled with plain names in their place, and what was compiled gets the strings back.

import { makeEdits } from '../evaluation/edits.js';

/** @import { Node } from '../evaluation/syntax-tree.js' */
/** @import { CompiledModule } from './compile-module.js' */

/** @param {string} text  a name that the text does not have, without its number */
const freeName = text => {
  let longest = -1;
  for (const [, { length }] of text.matchAll(/string(_*)/g)) longest = Math.max(longest, length);
  return `string${'_'.repeat(longest + 1)}`;
};

/**
 * Put plain names in the place of strings.
 *
 * @param {string} text  a module
 * @param {Node} program  its syntax tree
 * @returns {{ text: string, strings: Map<string, string> }}  `strings`: by the names in their place
 */
export const withoutStringNames = (text, program) => {
  /** @type {Map<string, string>} */
  const strings = new Map();
  const edits = makeEdits(text);
  const free = freeName(text);
  /** `export { "a" } from` has one name, twice. */
  let done = 0;
  for (const { specifiers = [] } of program.body)
    for (const { imported, local, exported } of specifiers)
      for (const name of [imported, local, exported])
        if (name?.type === 'StringLiteral' && name.start >= done) {
          const plain = `${free}${strings.size}`;
          strings.set(plain, name.value);
          edits.replace(name.start, name.end, `${plain} `);
          done = name.end;
        }
  return strings.size === 0 ? { text, strings } : { text: edits.apply(), strings };
};

/** A literal in which SES sees neither a comment nor a call. @param {string} string */
export const quoteString = string =>
  `"${string.replace(/\W/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

/**
 * Give what was compiled the strings back.
 *
 * @param {CompiledModule} compiled
 * @param {Map<string, string>} strings
 * @returns {CompiledModule}
 */
export const withStringNames = (compiled, strings) => {
  if (strings.size === 0) return compiled;
  const back = (/** @type {string} */ name) => strings.get(name) ?? name;
  /** @template T @param {Record<string, T>} record @returns {Record<string, T>} */
  const backKeys = record =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [back(name), value]));
  const { early } = compiled;
  const [first] = strings.keys();
  const plain = new RegExp(`"(${first.replace(/\d+$/, '')}\\d+)"`, 'g');
  const program = compiled.program.replace(plain, (written, name) => {
    const string = strings.get(name);
    return string === undefined ? written : quoteString(string);
  });
  return {
    ...compiled,
    program,
    imports: compiled.imports.map(one => ({ ...one, names: one.names.map(back) })),
    exports: compiled.exports.map(back),
    liveExportMap: backKeys(compiled.liveExportMap),
    fixedExportMap: backKeys(compiled.fixedExportMap),
    reexportMap: Object.fromEntries(
      Object.entries(compiled.reexportMap).map(([specifier, pairs]) => [
        specifier,
        pairs.map(([from, to]) => [back(from), back(to)]),
      ]),
    ),
    early: {
      uses: early.uses.map(use => ({ ...use, imported: back(use.imported) })),
      passedOn: Object.fromEntries(
        Object.entries(early.passedOn).map(([name, { specifier, imported }]) => [
          back(name),
          { specifier, imported: back(imported) },
        ]),
      ),
    },
  };
};
