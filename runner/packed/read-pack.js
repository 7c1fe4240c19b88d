// Reads the pack: the texts of all modules in one file, and an index. The pack is used only if no
// source has changed since.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} PackedFile
 * @property {string} file  from the root of the package, with `/`
 * @property {number} size  bytes of the source
 * @property {string} digest  SHA-256 of the source, in hexadecimal digits
 */

/**
 * @typedef {object} PackedText
 * @property {number} start  of the module's text in the pack, in bytes
 * @property {number} length  in bytes
 * @property {boolean} isAscii
 * @property {(number | string)[]} imports  indices of packed modules, or names of Node's modules
 *   and of packages
 */

/** @typedef {PackedFile & PackedText} PackedModule */

/**
 * @typedef {object} PackIndex
 * @property {number} packedMs  the start of packing, in ms since 1970
 * @property {string} digest  SHA-256 of the texts
 * @property {PackedFile} manifest  package.json, which resolves `#names`
 * @property {PackedModule[]} modules  dependencies come before the modules that import them
 */

/** @param {string} path @param {PackedFile} packed @param {number} packedMs */
const isAsPacked = (path, { size, digest }, packedMs) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size !== size) return false;
  // A file that was unpacked or checked out later may still have the same content.
  if (found.mtimeMs < packedMs) return true;
  return createHash('sha256').update(readFileSync(path)).digest('hex') === digest;
};

/**
 * @param {string} root  folder of the package
 * @param {string} folder  of the pack
 * @returns {{ index: PackIndex, texts: Buffer } | undefined} undefined if there is no pack, or a
 *   source was changed
 */
export const readPack = (root, folder) => {
  try {
    /** @type {PackIndex} */
    const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    const { packedMs, digest, manifest, modules } = index;
    for (const each of [manifest, ...modules])
      if (!isAsPacked(join(root, each.file), each, packedMs)) return undefined;
    return { index, texts: readFileSync(join(folder, `${digest.slice(0, 16)}.txt`)) };
  } catch {
    return undefined;
  }
};
