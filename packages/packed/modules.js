// Loads packed modules in Node's order: dependencies first, each module once, dynamic imports when
// they are reached. Each module is a script of its own with its source's name and lines, so stacks
// are the same as without the pack. Node loads the modules of packages that are not packed, or are
// installed in another version.

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @import { Pack, PackedModule } from './read-pack.js' */
/** @import { CodeCache } from './code-cache.js' */

/** @typedef {Record<string, unknown>} Exports */

/**
 * @typedef {object} Loaded
 * @property {Exports} exports
 * @property {Exports} namespace  the value of `import * as`
 */

/** Compiles a script that is not in the pack. @typedef {(filename: string, text: string) => import('node:vm').Script} Compile */

/**
 * The values that a packed module gets from the loader.
 *
 * @typedef {object} Own
 * @property {{ url: string, dirname: string, filename: string, compile: Compile }} meta  the `import.meta` of its
 *   source, and what compiles other scripts with the cache of compiled code
 * @property {(file: string) => Promise<Exports>} load
 * @property {(name: string) => Promise<Exports>} import  imports a package, or a module by its URL
 * @property {(exports: Exports, whole: number[]) => void} declare  `whole`: indices of imports that
 *   `export *` forwards
 */

/** @param {Exports} exports @returns {Exports} like a module's namespace: sorted and frozen */
const makeNamespace = exports => {
  /** @type {Exports} */
  const namespace = Object.create(null, { [Symbol.toStringTag]: { value: 'Module' } });
  for (const name of Object.keys(exports).sort())
    Object.defineProperty(namespace, name, { value: exports[name], enumerable: true });
  return Object.freeze(namespace);
};

/** @param {string} name  `node:fs` @returns {Loaded} */
const takeBuiltin = name => {
  const found = /** @type {any} */ (process).getBuiltinModule(name);
  return {
    exports: Object.create(found, { default: { value: found } }),
    namespace: found,
  };
};

/** @implements {Loaded} */
class PackedRecord {
  /** @type {Exports} */
  exports = Object.create(null);

  hasRun = false;

  /** @type {Exports | undefined} */
  #namespace;

  get namespace() {
    return (this.#namespace ??= makeNamespace(this.exports));
  }
}

export class PackedModules {
  #root;

  #index;

  #packageFolders;

  /** The imports of each module: indices of packed ones, and names of those that Node loads. @type {(number | string)[][]} */
  #imports;

  #texts;

  #code;

  /** @type {Map<string, number>} */
  #places;

  /** @type {PackedRecord[]} */
  #records;

  /** Modules of Node and of packages, by name. @type {Map<string, Loaded>} */
  #foreign = new Map();

  /** One import at a time: while one waits for Node, another must not run the modules after it. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @param {string} root  folder of the package
   * @param {Pack} pack
   * @param {CodeCache} code
   */
  constructor(root, { index, texts, packageFolders }, code) {
    this.#root = root;
    this.#index = index;
    this.#packageFolders = packageFolders;
    this.#imports = index.modules.map(({ imports }) =>
      imports.map(each => (typeof each === 'number' ? (this.#nameForNode(each) ?? each) : each)),
    );
    this.#texts = texts;
    this.#code = code;
    this.#places = new Map(index.modules.map(({ file }, place) => [file, place]));
    this.#records = index.modules.map(() => new PackedRecord());
  }

  /**
   * @param {string} file  from the root of the package
   * @returns {Promise<Exports>} its namespace
   */
  load = file => {
    const place = this.#requirePlace(file);
    const record = this.#records[place];
    if (record.hasRun) return Promise.resolve(record.namespace);
    const name = this.#nameForNode(place);
    if (name !== undefined) return import(name);
    const loaded = this.#last.then(() => this.#load(place));
    this.#last = loaded.catch(() => {});
    return loaded;
  };

  /** @param {number} place @returns {string | undefined} the name by which Node loads the module; undefined: it is run here */
  #nameForNode(place) {
    return this.#packageFolders === undefined ? this.#index.modules[place].specifier : undefined;
  }

  /** @param {PackedModule} module @returns {string} */
  #pathOf(module) {
    if (module.package === undefined) return join(this.#root, module.file);
    const { folder } = this.#index.packages[module.package];
    const found = /** @type {string[]} */ (this.#packageFolders)[module.package];
    return join(found, module.file.slice(folder.length));
  }

  /** Find the namespace of a module that has run. @param {string} file @returns {Exports | undefined} */
  find(file) {
    const record = this.#records[this.#requirePlace(file)];
    return record.hasRun ? record.namespace : undefined;
  }

  /** @param {string} file */
  #requirePlace(file) {
    const place = this.#places.get(file);
    if (place === undefined) throw Error(`${file} is not packed`);
    return place;
  }

  /** @param {number} place */
  async #load(place) {
    /** @type {(number | string)[]} */
    const order = [];
    this.#arrange(place, order, new Set());
    for (const each of order) {
      if (typeof each === 'number') this.#run(each);
      else {
        const namespace = await import(each);
        this.#foreign.set(each, { exports: namespace, namespace });
      }
    }
    return this.#records[place].namespace;
  }

  /**
   * List the modules to run or import, dependencies first.
   *
   * @param {number} place
   * @param {(number | string)[]} order
   * @param {Set<number | string>} seen
   */
  #arrange(place, order, seen) {
    if (seen.has(place) || this.#records[place].hasRun) return;
    seen.add(place);
    for (const each of this.#imports[place]) {
      if (typeof each === 'number') this.#arrange(each, order, seen);
      else if (!this.#foreign.has(each) && !seen.has(each)) {
        if (each.startsWith('node:')) this.#foreign.set(each, takeBuiltin(each));
        else {
          seen.add(each);
          order.push(each);
        }
      }
    }
    order.push(place);
  }

  /** @param {number | string} each @returns {Loaded} */
  #find(each) {
    if (typeof each === 'number') return this.#records[each];
    return /** @type {Loaded} */ (this.#foreign.get(each));
  }

  /** @type {Compile} */
  #compile = (filename, text) => {
    // The engine compares only the lengths of texts, and the digest of the pack is of its own.
    const digest = createHash('sha256').update(text).digest('hex');
    return this.#code.compile(`${filename} ${digest}`, text, filename);
  };

  /** @param {number} place */
  #run(place) {
    const module = this.#index.modules[place];
    const { file, start, length, isAscii } = module;
    const path = this.#pathOf(module);
    const url = pathToFileURL(path).href;
    const text = this.#texts.toString(isAscii ? 'latin1' : 'utf8', start, start + length);
    const script = this.#code.compile(file, text, url);
    const record = this.#records[place];
    const imported = this.#imports[place].map(each => this.#find(each));
    /** @type {Own} */
    const own = {
      meta: { url, dirname: dirname(path), filename: path, compile: this.#compile },
      load: this.load,
      import: name => import(name),
      declare: (exports, whole) => {
        for (const { exports: inner } of whole.map(each => imported[each])) {
          for (const name of Object.keys(inner)) {
            if (name !== 'default' && !Object.hasOwn(exports, name))
              Object.defineProperty(exports, name, { value: inner[name], enumerable: true });
          }
        }
        record.exports = exports;
      },
    };
    script.runInThisContext()(own, imported);
    record.hasRun = true;
  }
}
