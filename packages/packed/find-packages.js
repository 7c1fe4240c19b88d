// Finds the packages whose modules are in the pack, as Node finds them, and checks their versions.

import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** @import { PackedPackage } from './read-pack.js' */

/** @param {string} name @param {string} from  a folder @returns {string | undefined} the package's folder */
const findPackage = (name, from) => {
  for (let at = from; ; at = dirname(at)) {
    if (basename(at) !== 'node_modules') {
      const folder = join(at, 'node_modules', name);
      try {
        return realpathSync(folder);
      } catch {
        // It may be further up.
      }
    }
    if (dirname(at) === at) return undefined;
  }
};

/**
 * @param {string} root  folder of this package
 * @param {PackedPackage[]} packages  those that import come before those that they import
 * @returns {string[] | undefined} their folders; undefined if one is missing or has another version
 */
export const findPackages = (root, packages) => {
  /** @type {string[]} */
  const folders = [];
  for (const { name, version, from } of packages) {
    const folder = findPackage(name, from === undefined ? root : folders[from]);
    if (folder === undefined) return undefined;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (manifest.version !== version) return undefined;
    folders.push(folder);
  }
  return folders;
};
