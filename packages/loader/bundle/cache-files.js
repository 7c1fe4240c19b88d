// Files of a cache: values in JSON, each in a file of its own. The folder may be deleted at any time; a file that is
// unreadable or damaged counts as missing. A folder to which another user could write is not used (native/cache-dir.js). A file
// holds the SHA-256 of key and content in hexadecimal digits, a line break, and the content.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findCacheDir, makePrivateFolder } from '#native/cache-dir.js';

const digestCharacters = 64;

/** Whether a folder can be used as a cache, by its path. @type {Map<string, boolean>} */
const usable = new Map();

/** @param {string} folder */
const isUsable = folder => {
  let found = usable.get(folder);
  if (found === undefined) {
    try {
      makePrivateFolder(folder);
      found = true;
    } catch {
      found = false;
    }
    usable.set(folder, found);
  }
  return found;
};

/** @param {string} key @param {string} content */
const digestOf = (key, content) =>
  createHash('sha256').update(`${key}\n`).update(content).digest('hex');

/**
 * @param {string | undefined} cacheDir  default: the folder that the user has chosen, or none
 * @param {string} kind  name of the folder in it
 */
export const makeCacheFiles = (cacheDir, kind) => {
  const outer = cacheDir ?? findCacheDir();
  if (outer === undefined) return undefined;
  const folder = join(outer, kind);
  if (!isUsable(folder)) return undefined;
  /** @param {string} key */
  const pathOf = key => join(folder, `${key}.json`);
  return {
    /** @param {string} key  letters and digits @returns {any} undefined if there is none */
    find(key) {
      try {
        const path = pathOf(key);
        // Reading a pipe would never end.
        if (!statSync(path).isFile()) return undefined;
        const text = readFileSync(path, 'utf8');
        const content = text.slice(digestCharacters + 1);
        if (text.slice(0, digestCharacters) !== digestOf(key, content)) return undefined;
        return JSON.parse(content);
      } catch {
        return undefined;
      }
    },
    /**
     * Write a draft and rename it, so that no other process reads a partial file.
     *
     * @param {string} key
     * @param {unknown} value
     * @param {number} [mostBytes]  a larger file is not written
     * @returns {number} bytes of the file; 0 if it was not written
     */
    keep(key, value, mostBytes = Infinity) {
      const path = pathOf(key);
      const draft = `${path}.${process.pid}.draft`;
      try {
        const content = JSON.stringify(value);
        const bytes = digestCharacters + 1 + Buffer.byteLength(content);
        if (bytes > mostBytes) return 0;
        writeFileSync(draft, `${digestOf(key, content)}\n${content}`);
        renameSync(draft, path);
        return bytes;
      } catch {
        // Without a writable folder, values are made again in each process.
        try {
          // A full disk leaves an empty draft.
          rmSync(draft, { force: true });
        } catch {
          // There is no folder.
        }
        return 0;
      }
    },
    /** The number of files, and their bytes. */
    measure() {
      try {
        const names = readdirSync(folder);
        const sizes = names.map(
          name => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
        );
        return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
      } catch {
        return { files: 0, bytes: 0 };
      }
    },
  };
};
