// The compiler of vats' modules, @endo/module-source with Babel. Its 350 modules come as two files, since Node takes three
// times as long to load them one by one.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

const placeOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Load one of the files. A checkout makes them when the first is loaded.
 *
 * @param {string} name
 */
const load = name => {
  const file = placeOf(`./files/compiler/${name}`);
  if (!fs.existsSync(file)) execFileSync(process.execPath, [placeOf('../../scripts/vendor.js')]);
  return require(file);
};

/** @typedef {(text: string, options: object) => any} Parse */

/** The parser of the compiler, without the rest of it. @returns {Parse} Babel's `parse` */
export const loadParser = () => load('parser.cjs').parse;

/** @returns {new (text: string) => any} the class `ModuleSource` */
export const loadModuleSource = () => load('compiler.cjs').ModuleSource;

/**
 * The versions of what `loadModuleSource` and `loadParser` load. They load neither.
 *
 * @returns {{ moduleSource: string, parser: string }}
 */
export const readCompilerVersions = () => load('package.json').versions;
