// Makes the pack: modules of a package as functions, in one file, with an index.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PackedPackages } from './packed-packages.js';
import { wrapModule } from './wrap-module.js';

/** @import { PackedFile, PackedModule, PackIndex } from '../../packages/packed/read-pack.js' */
/** @import { WrappedModule } from './wrap-module.js' */

const manifestName = 'package.json';

/** The times of files may lag some milliseconds behind the clock. */
const lagMs = 50;

/** @param {Record<string, string | { default: string }>} imports  of package.json */
const makeNameResolver = imports => (/** @type {string} */ specifier) => {
  for (const [pattern, to] of Object.entries(imports)) {
    const place = typeof to === 'string' ? to : to.default;
    const [start, end] = pattern.split('*');
    if (pattern === specifier) return path.posix.normalize(place);
    if (end !== undefined && specifier.startsWith(start) && specifier.endsWith(end)) {
      const middle = specifier.slice(start.length, specifier.length - end.length);
      return path.posix.normalize(place.replace('*', middle));
    }
  }
  throw Error(`${specifier} is not among the imports of ${manifestName}`);
};

/**
 * @typedef {object} PackOptions
 * @property {string} root  folder of the package
 * @property {string} target  folder of the pack
 * @property {string[]} entries  files from the root
 * @property {(file: string) => boolean} [isLeft]  whether what a file imports later is left out of the pack
 * @property {(name: string) => boolean} [isPackedPackage]  whether the modules of a package are packed; none by default
 */

/**
 * @typedef {object} Wrapped
 * @property {Map<string, WrappedModule>} modules  by file, dependencies first
 * @property {Map<string, string>} specifiers  by file of a package: the name by which a module of ours imports it
 */

/** @param {PackOptions} options @param {PackedPackages} packages  it fills the table @returns {Wrapped} */
const wrapAll = ({ root, entries, isLeft = () => false }, packages) => {
  const read = (/** @type {string} */ file) => fs.readFileSync(path.join(root, file), 'utf8');
  const resolveName = makeNameResolver(JSON.parse(read(manifestName)).imports ?? {});
  /** @type {Map<string, WrappedModule>} */
  const modules = new Map();
  /** @type {Map<string, string>} */
  const specifiers = new Map();
  /** Files whose dependencies are being wrapped. @type {Set<string>} */
  const open = new Set();
  const later = [...entries];

  /** @param {string} file */
  const wrap = file => {
    try {
      return wrapModule(read(file), specifier => {
        if (specifier.startsWith('#')) return resolveName(specifier);
        if (!specifier.startsWith('.')) return packages.resolve(specifier, file);
        return path.posix.join(path.posix.dirname(file), specifier);
      });
    } catch (error) {
      throw Error(`${file}: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
  };
  /** @param {string} file */
  const visit = file => {
    if (modules.has(file)) return;
    if (open.has(file)) throw Error(`${file} imports itself by way of ${[...open].join(', ')}`);
    open.add(file);
    const module = wrap(file);
    const dependencies = module.imports.filter(({ isPacked }) => isPacked);
    const followed = isLeft(file) ? [] : module.later;
    for (const { name } of dependencies) visit(name);
    later.push(...followed.map(({ name }) => name));
    for (const { name, specifier } of [...dependencies, ...followed]) {
      const isEntry = packages.indexOf(file) === undefined && packages.indexOf(name) !== undefined;
      if (isEntry) specifiers.set(name, specifier);
    }
    open.delete(file);
    modules.set(file, module);
  };
  // The list grows while it is read.
  for (const file of later) visit(file);
  return { modules, specifiers };
};

/** Several processes may do so at the same time. @param {string} file @param {Buffer | string} content */
const writeFile = (file, content) => {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, content);
  fs.renameSync(draft, file);
};

/**
 * Make the pack.
 *
 * @param {PackOptions} options
 * @throws {Error} a module cannot be packed (wrap-module.js), modules import each other in a ring, or an import leads nowhere
 */
export const packModules = options => {
  const { root, target } = options;
  // Changes from now on may be missing from the pack.
  const packedMs = Date.now() - lagMs;
  /** @param {string} file @returns {PackedFile} */
  const describeFile = file => {
    const bytes = fs.readFileSync(path.join(root, file));
    return { file, size: bytes.length, digest: createHash('sha256').update(bytes).digest('hex') };
  };
  const packages = new PackedPackages(root, options.isPackedPackage ?? (() => false));
  const wrapped = wrapAll(options, packages);
  const places = new Map([...wrapped.modules.keys()].map((file, place) => [file, place]));
  const texts = [...wrapped.modules.values()].map(({ text }) => Buffer.from(text, 'utf8'));
  let start = 0;
  const modules = [...wrapped.modules].map(([file, { text, imports }], place) => {
    const { length } = texts[place];
    /** @type {PackedModule} */
    const packed = {
      ...describeFile(file),
      ...{ start, length, isAscii: length === text.length },
      imports: imports.map(({ name, isPacked }) =>
        isPacked ? /** @type {number} */ (places.get(name)) : name,
      ),
      package: packages.indexOf(file),
      specifier: wrapped.specifiers.get(file),
    };
    start += length;
    return packed;
  });
  const content = Buffer.concat(texts);
  const digest = createHash('sha256').update(content).digest('hex');
  /** @type {PackIndex} */
  const index = {
    ...{ packedMs, digest, manifest: describeFile(manifestName) },
    ...{ packages: packages.table, modules },
  };
  const textsName = `${digest.slice(0, 16)}.txt`;
  fs.mkdirSync(target, { recursive: true });
  // The index is written last, because it names the other files.
  writeFile(path.join(target, textsName), content);
  writeFile(path.join(target, 'index.json'), `${JSON.stringify(index)}\n`);
  for (const name of fs.readdirSync(target).filter(each => each.endsWith('.txt'))) {
    if (name !== textsName) fs.rmSync(path.join(target, name), { force: true });
  }
};
