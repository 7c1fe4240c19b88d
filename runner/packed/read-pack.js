// The pack on disk: the texts of all modules in one file, and an index of them. It is used only if each source is what it was
// when it was packed.

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
 * @property {(number | string)[]} imports  places of modules in the index; names of Node's modules and of packages
 */

/** @typedef {PackedFile & PackedText} PackedModule */

/**
 * @typedef {object} PackIndex
 * @property {number} packedMs  since 1970: when packing began
 * @property {string} digest  SHA-256 of the texts
 * @property {PackedFile} manifest  package.json, which says where `#names` lead
 * @property {PackedModule[]} modules  a module's dependencies stand before it
 */

/** @param {string} path @param {PackedFile} packed @param {number} packedMs */
const isAsPacked = (path, { size, digest }, packedMs) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size !== size) return false;
  // A file that was unpacked or checked out later may still be the same.
  if (found.mtimeMs < packedMs) return true;
  return createHash('sha256').update(readFileSync(path)).digest('hex') === digest;
};

/**
 * @param {string} root  folder of the package
 * @param {string} folder  of the pack
 * @returns {{ index: PackIndex, texts: Buffer } | undefined} undefined: there is none, or a source was changed
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
