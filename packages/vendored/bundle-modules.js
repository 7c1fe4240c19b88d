// Modules of several packages as the text of one file, which needs none of them: for a library whose packages are not to be
// installed, or which Node would load slowly one by one.

import fs from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';

/** Calls of `require` that name a module. What is put together when it runs is left to Node. */
const requirePattern = /\brequire\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/**
 * A module for CommonJS, and the names that it requires.
 *
 * @typedef {{ text: string, names: readonly string[] }} Converted
 */

/** @param {string} file @param {string} source @returns {Converted} */
const readCommonJs = (file, source) => {
  if (file.endsWith('.json')) return { text: `module.exports = ${source.trim()};`, names: [] };
  const text = source.replace(/^\/\/# sourceMappingURL=.*$/m, '');
  return { text, names: [...text.matchAll(requirePattern)].map(([, , name]) => name) };
};

/**
 * @param {string} entry  the absolute path of the first module
 * @param {object} options
 * @param {readonly string[]} options.absent  packages that are to be missing: whoever asks for one can do without
 * @param {Readonly<Record<string, string>>} [options.beside]  names of packages, and the files beside this one that stand for
 *   them
 * @param {(file: string, source: string) => Converted | undefined} [options.convert]  makes CommonJS of another module
 * @returns {string}
 */
export const bundleModules = (entry, { absent, beside = {}, convert = () => undefined }) => {
  const files = [entry];
  /** @type {string[]} */
  const made = [];
  for (const file of files) {
    const source = fs.readFileSync(file, 'utf8');
    const { text, names } = convert(file, source) ?? readCommonJs(file, source);
    const { resolve } = createRequire(file);
    /** @type {Record<string, number>} */
    const places = {};
    for (const name of names) {
      // (A module of another engine's.)
      if (isBuiltin(name) || name.startsWith('bun:') || absent.includes(name)) continue;
      if (Object.hasOwn(beside, name)) continue;
      const found = resolve(name);
      if (!files.includes(found)) files.push(found);
      places[name] = files.indexOf(found);
    }
    made.push(`[${JSON.stringify(places)}, function (exports, require, module) {\n${text}\n}]`);
  }
  return `const absent = ${JSON.stringify(absent)};
const beside = ${JSON.stringify(beside)};
const loaded = [];
const load = at => {
  if (loaded[at] === undefined) {
    const module = (loaded[at] = { exports: {} });
    const [places, run] = modules[at];
    const find = name => {
      if (Object.hasOwn(places, name)) return load(places[name]);
      if (absent.includes(name)) throw Error('no package ' + name);
      return require(Object.hasOwn(beside, name) ? beside[name] : name);
    };
    run.call(module.exports, module.exports, find, module);
  }
  return loaded[at].exports;
};
const modules = [
${made.join(',\n')},
];
module.exports = load(0);
`;
};
