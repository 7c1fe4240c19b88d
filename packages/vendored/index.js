// The libraries that draw, as files of this package: a user installs their built scripts (4 MB) instead of their
// packages (65 MB, 91 packages). Nothing is loaded before a picture is drawn.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** @import { LibraryName } from './libraries.js' */

const require = createRequire(import.meta.url);

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
export const loadLibrary = async name => require(await provideFile(name));

/**
 * The text of a library's script, for a page.
 *
 * @param {LibraryName} name
 */
export const readLibrary = async name => fs.readFileSync(await provideFile(name), 'utf8');
