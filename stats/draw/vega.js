// Vega and Vega-Lite from the single files that their packages ship for browsers. Their modules for Node are 280 files,
// which take four times as long to load; the code is the same.

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';

/** The script that Vega's package ships for browsers, beside its module. */
export const vegaScript = fileURLToPath(new URL('./vega.min.js', import.meta.resolve('vega')));

const vegaLiteScript = fileURLToPath(
  new URL('./vega-lite.min.js', import.meta.resolve('vega-lite')),
);

/**
 * Evaluate a script as the CommonJS module that it is, too.
 *
 * @param {string} file
 * @param {(name: string) => unknown} require  of what it needs
 * @returns {unknown} its exports
 */
const load = (file, require) => {
  const module = { exports: {} };
  const run = compileFunction(fs.readFileSync(file, 'utf8'), ['exports', 'module', 'require'], {
    filename: file,
  });
  run(module.exports, module, require);
  return module.exports;
};

/** @type {typeof import('vega')} */
export const vega = /** @type {any} */ (
  load(vegaScript, name => {
    throw Error(`vega.min.js asks for ${name}`);
  })
);

const vegaLite = /** @type {typeof import('vega-lite')} */ (load(vegaLiteScript, () => vega));

export const { compile } = vegaLite;
