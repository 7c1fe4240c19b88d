// Reads the pack: the texts of all modules in one file, and an index. The pack is used only if no
// source has changed since.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findPackages } from './find-packages.js';

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

/**
 * @typedef {object} PackedOrigin
 * @property {number} [package]  index of the package that the module belongs to; none: ours
 * @property {string} [specifier]  the name by which our modules import this one of a package
 */

/** @typedef {PackedFile & PackedText & PackedOrigin} PackedModule */

/**
 * @typedef {object} PackedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} folder  where it was when it was packed, from the root of our package
 * @property {number} [from]  index of the package that imports it; none: ours
 */

/**
 * @typedef {object} PackIndex
 * @property {number} packedMs  the start of packing, in ms since 1970
 * @property {string} digest  SHA-256 of the texts
 * @property {PackedFile} manifest  package.json, which resolves `#names`
 * @property {PackedPackage[]} packages
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
 * @typedef {object} Pack
 * @property {PackIndex} index
 * @property {Buffer} texts
 * @property {string[] | undefined} packageFolders  by index; undefined if a package is not the one
 *   that was packed, so that Node must load all of them
 */

/** @param {string} root @param {PackIndex} index @returns {string[] | undefined} */
const findPackageFolders = (root, { packedMs, packages, modules }) => {
  const folders = findPackages(root, packages);
  if (folders === undefined) return undefined;
  for (const each of modules) {
    if (each.package === undefined) continue;
    const inside = each.file.slice(packages[each.package].folder.length);
    if (!isAsPacked(join(folders[each.package], inside), each, packedMs)) return undefined;
  }
  return folders;
};

/**
 * @param {string} root  folder of the package
 * @param {string} folder  of the pack
 * @returns {Pack | undefined} undefined if there is no pack, or a source of ours was changed
 */
export const readPack = (root, folder) => {
  try {
    /** @type {PackIndex} */
    const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    const { packedMs, digest, manifest, modules } = index;
    const ours = modules.filter(each => each.package === undefined);
    for (const each of [manifest, ...ours])
      if (!isAsPacked(join(root, each.file), each, packedMs)) return undefined;
    const texts = readFileSync(join(folder, `${digest.slice(0, 16)}.txt`));
    return { index, texts, packageFolders: findPackageFolders(root, index) };
  } catch {
    return undefined;
  }
};
