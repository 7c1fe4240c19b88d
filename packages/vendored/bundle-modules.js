// CommonJS modules of several packages as the text of one file, which needs none of them: for a library whose packages are not
// to be installed.

import fs from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';

/** Calls of `require` that name a module. What is put together when it runs is left to Node. */
const requirePattern = /\brequire\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/**
 * @param {string} entry  the absolute path of the first module
 * @param {readonly string[]} absent  packages that are to be missing: whoever asks for one can do without
 * @returns {string}
 */
export const bundleModules = (entry, absent) => {
  const files = [entry];
  /** @type {string[]} */
  const made = [];
  for (const file of files) {
    const text = fs.readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    const { resolve } = createRequire(file);
    /** @type {Record<string, number>} */
    const places = {};
    for (const [, , name] of text.matchAll(requirePattern)) {
      // (A module of another engine's.)
      if (isBuiltin(name) || name.startsWith('bun:') || absent.includes(name)) continue;
      const found = resolve(name);
      if (!files.includes(found)) files.push(found);
      places[name] = files.indexOf(found);
    }
    made.push(`[${JSON.stringify(places)}, function (exports, require, module) {\n${text}\n}]`);
  }
  return `const absent = ${JSON.stringify(absent)};
const loaded = [];
const load = at => {
  if (loaded[at] === undefined) {
    const module = (loaded[at] = { exports: {} });
    const [places, run] = modules[at];
    const find = name => {
      if (Object.hasOwn(places, name)) return load(places[name]);
      if (absent.includes(name)) throw Error('no package ' + name);
      return require(name);
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
