// Puts the modules of the compiler of vats' modules together in packages/vendored/files/compiler (packages/vendored/compiler.js).

import { createRequire } from 'node:module';
import { bundleModules } from '../packages/vendored/bundle-modules.js';
import { readManifest, writeFile, writeLicences } from '../packages/vendored/collect.js';
import { wrapModule } from './pack/wrap-module.js';

const compiler = '@endo/module-source';

const parser = '@babel/parser';

/** Its modules are ES modules, and all others CommonJS. */
const isModule = (/** @type {string} */ file) => file.includes(`/node_modules/${compiler}/`);

/**
 * Makes CommonJS of an ES module.
 *
 * @param {string} file  absolute
 * @param {string} source
 */
const convert = (file, source) => {
  if (!isModule(file.replaceAll('\\', '/'))) return undefined;
  const { text, imports } = wrapModule(source, specifier => specifier);
  // A CommonJS module has itself as its default export.
  const given = imports.map(({ specifier }) => {
    const found = `require(${JSON.stringify(specifier)})`;
    return specifier.startsWith('.') ? `{ exports: ${found} }` : `view(${found})`;
  });
  return {
    names: imports.map(({ specifier }) => specifier),
    text: `const view = found =>
  ({ exports: Object.create(found, { default: { value: found } }), namespace: found });
const given = [${given.join(', ')}].map(each => ({ namespace: each.exports, ...each }));
const declare = (own, whole) => {
  for (const at of whole) {
    for (const name of Object.keys(given[at].exports))
      Object.defineProperty(own, name, { value: given[at].exports[name], enumerable: true });
  }
  module.exports = own;
};
${text}({ declare }, given);`,
  };
};

export const collectCompiler = () => {
  const { resolve } = createRequire(import.meta.url);
  writeFile('compiler/parser.cjs', bundleModules(resolve(parser), { absent: [] }));
  const text = bundleModules(resolve(compiler), {
    // A module that prints in colours, if it is there.
    absent: ['supports-color'],
    beside: { [parser]: './parser.cjs' },
    convert,
  });
  writeFile('compiler/compiler.cjs', text);
  writeLicences('compiler/LICENSES.txt', [{ package: compiler, source: '' }]);
  const versions = {
    moduleSource: readManifest(compiler).version,
    parser: readManifest(parser).version,
  };
  writeFile('compiler/package.json', `${JSON.stringify({ name: 'compiler', versions })}\n`);
};
