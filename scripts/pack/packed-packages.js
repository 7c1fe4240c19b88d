// Packages whose modules are packed too: which file a specifier leads to, and where the runner finds
// the same package on the user's machine (packages/packed/find-packages.js).

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** @import { PackedPackage } from '../../packages/packed/read-pack.js' */

/** Such conditions would lead `import` and `require` to different files. */
const splitting = /"(?:import|require|module-sync)"/;

/** @param {string} specifier  `@scope/name/file.js` or `name` */
const packageNameOf = specifier =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

export class PackedPackages {
  #root;

  #isWanted;

  /** @type {PackedPackage[]} */
  table = [];

  /** @param {string} root @param {(name: string) => boolean} isWanted  by a package's name */
  constructor(root, isWanted) {
    this.#root = root;
    this.#isWanted = isWanted;
  }

  /** @param {string} file  from the root @returns {number | undefined} index of its package; undefined: ours */
  indexOf(file) {
    // A package can be inside another one's folder.
    const at = file.lastIndexOf('node_modules/');
    const found = this.table.findIndex(
      ({ folder }) => folder.lastIndexOf('node_modules/') === at && file.startsWith(`${folder}/`),
    );
    return found < 0 ? undefined : found;
  }

  /**
   * @param {string} specifier  of a package
   * @param {string} importer  a file, from the root
   * @returns {string | undefined} the file from the root; undefined: it is not packed
   * @throws {Error} the package has different files for `import` and `require`, or is no module;
   *   a packed package imports one that is not packed
   */
  resolve(specifier, importer) {
    const name = packageNameOf(specifier);
    if (specifier.startsWith('node:')) return undefined;
    if (!this.#isWanted(name)) {
      if (this.indexOf(importer) === undefined) return undefined;
      throw Error(`a packed package imports ${name}, which is not packed`);
    }
    const require = createRequire(path.join(this.#root, importer));
    const found = path.relative(this.#root, require.resolve(specifier)).replaceAll(path.sep, '/');
    const folder = found.slice(
      0,
      found.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}`.length,
    );
    const manifest = JSON.parse(
      fs.readFileSync(path.join(this.#root, folder, 'package.json'), 'utf8'),
    );
    if (manifest.type !== 'module' || splitting.test(JSON.stringify(manifest.exports ?? '')))
      throw Error(`${name} cannot be packed: import may lead elsewhere than require`);
    if (!this.table.some(each => each.folder === folder)) {
      const from = this.indexOf(importer);
      this.table.push({
        name,
        version: manifest.version,
        folder,
        ...(from !== undefined && { from }),
      });
    }
    return found;
  }
}
