// Caches on disk what becomes of the texts that vats evaluate (../evaluation/guard-source.js). The files are bounded in
// number and in size, since vats make the texts.

import { createHash } from 'node:crypto';
import { readCompilerVersions } from '#vendored/compiler.js';
import { makeCacheFiles } from './cache-files.js';

/** @import { TextCache } from '../evaluation/guard-source.js' */

/** Part of each key: increase it with any change of ../evaluation/ that changes what becomes of a text, or whether it is refused. */
const textVersion = 4;

/** Files in the folder. When there are so many, no more are written. */
const maxFiles = 5000;

/** Bytes of all files in the folder. A text for which there is no room is not written. */
const maxBytes = 256 * 1024 * 1024;

/** @type {string | undefined} */
let parserId;
const provideParserId = () => {
  parserId ??= `${textVersion} ${readCompilerVersions().parser}`;
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
  /** Room that is left. @type {{ files: number, bytes: number } | undefined} */
  let left;
  const cache = files && {
    find: (/** @type {string} */ text) => {
      const found = files.find(keyOf(text));
      return typeof found === 'string' ? found : undefined;
    },
    keep: (/** @type {string} */ text, /** @type {string} */ made) => {
      if (left === undefined) {
        const used = files.measure();
        left = { files: maxFiles - used.files, bytes: maxBytes - used.bytes };
      }
      if (left.files <= 0 || made.length > left.bytes) return;
      const bytes = files.keep(keyOf(text), made, left.bytes);
      if (bytes === 0) return;
      left.files -= 1;
      left.bytes -= bytes;
    },
  };
  caches.set(cacheDir, cache);
  return cache;
};
