// Caches on disk what becomes of the texts that vats evaluate (../evaluation/guard-source.js). The number of files is
// bounded, since vats make the texts.

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

import { makeCacheFiles } from './cache-files.js';

/** @import { TextCache } from '../evaluation/guard-source.js' */

/** Part of each key: increase it with any change of ../evaluation/ that changes what becomes of a text, or whether it is refused. */
const textVersion = 4;

/** Files in the folder. When there are so many, no more are written. */
const maxFiles = 5000;

/** @type {string | undefined} */
let parserId;
const provideParserId = () => {
  // Read package.json only: importing the package loads the parser.
  parserId ??= `${textVersion} ${createRequire(import.meta.url)('@babel/parser/package.json').version}`;
  return parserId;
};

/** As UTF-16, which has a code for half a surrogate pair, too. @param {string} text */
const keyOf = text =>
  createHash('sha256').update(`${provideParserId()}\n`).update(text, 'utf16le').digest('hex');

/** @type {Map<string | undefined, TextCache | undefined>} */
const caches = new Map();

/**
 * @param {string | undefined} cacheDir
 * @returns {TextCache | undefined}
 */
export const provideTextCache = cacheDir => {
  if (caches.has(cacheDir)) return caches.get(cacheDir);
  const files = makeCacheFiles(cacheDir, 'texts');
  /** Files that may still be written. @type {number | undefined} */
  let left;
  const cache = files && {
    find: (/** @type {string} */ text) => {
      const found = files.find(keyOf(text));
      return typeof found === 'string' ? found : undefined;
    },
    keep: (/** @type {string} */ text, /** @type {string} */ made) => {
      left ??= maxFiles - files.count();
      if (left <= 0) return;
      left -= 1;
      files.keep(keyOf(text), made);
    },
  };
  caches.set(cacheDir, cache);
  return cache;
};
