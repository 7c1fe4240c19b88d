// The libraries that draw, as files of this package: a user installs their built scripts (4 MB) instead of their
// packages (65 MB, 91 packages). Nothing is loaded before a picture is drawn.

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CompiledLibraries } from './compiled.js';

/** @import { LibraryName } from './libraries.js' */

/** Code that is compiled anew in each process, unless a process chooses a folder for it. */
let compiled = new CompiledLibraries(undefined);

/**
 * Keep compiled code of libraries in a folder, for later processes. To be called before the first is loaded.
 *
 * @param {string} folder  that exists, or nothing is kept
 * @returns {() => void} writes the code of the libraries that were not there, with the functions that have run
 */
export const keepCompiledLibraries = folder => {
  compiled = new CompiledLibraries(folder);
  return () => compiled.save();
};

/**
 * The file of a library. A checkout makes it when the first picture is drawn.
 *
 * @param {LibraryName} name
 */
const provideFile = async name => {
  const file = fileURLToPath(new URL(`./files/${name}.cjs`, import.meta.url));
  if (!fs.existsSync(file)) {
    const { collectLibraries } = await import('./collect.js');
    collectLibraries();
  }
  return file;
};

/**
 * The exports of a library.
 *
 * @param {LibraryName} name
 * @returns {Promise<any>}
 */
export const loadLibrary = async name => compiled.load(await provideFile(name));

/**
 * The text of a library's script, for a page.
 *
 * @param {LibraryName} name
 */
export const readLibrary = async name => fs.readFileSync(await provideFile(name), 'utf8');
