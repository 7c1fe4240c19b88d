// Runs a library's script by code that the engine has compiled before, kept in the user's cache: to compile Vega takes longer
// than to draw a chart. A file that is missing, damaged, or of another engine or script is written again.
//
// A file has 32 bytes of SHA-256 of the rest, then the code.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';

const prefix = 'library-';

const digestBytes = 32;

/** @param {string | Uint8Array} content */
const digestOf = content => createHash('sha256').update(content).digest();

/** @param {string} file @returns {Buffer | undefined} */
const readCode = file => {
  try {
    const bytes = fs.readFileSync(file);
    // V8 copies code that does not begin at a multiple of eight bytes.
    const code = bytes.subarray(digestBytes);
    return digestOf(code).equals(bytes.subarray(0, digestBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
};

/** @param {string} file @param {Uint8Array} code */
const writeCode = (file, code) => {
  const draft = `${file}.${process.pid}.draft`;
  try {
    fs.writeFileSync(draft, Buffer.concat([digestOf(code), code]));
    fs.renameSync(draft, file);
  } catch {
    // Without a folder that can be written, the next start compiles again.
    try {
      // A full disk leaves an empty draft.
      fs.rmSync(draft, { force: true });
    } catch {
      // There is no folder.
    }
  }
};

/** Folders are made by others, which clean them up too: files of other engines and versions go by their age. */
export class CompiledLibraries {
  #folder;

  /** Scripts that were compiled without the cache, by their files in it. @type {Map<string, vm.Script>} */
  #made = new Map();

  /** Exports by file. @type {Map<string, unknown>} */
  #loaded = new Map();

  /** @param {string | undefined} folder  for compiled code; undefined: none is kept */
  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * The exports of a script for CommonJS.
   *
   * @param {string} file  absolute
   * @returns {any}
   */
  load(file) {
    if (this.#loaded.has(file)) return this.#loaded.get(file);
    const module = { exports: {} };
    this.#loaded.set(file, module.exports);
    const run = this.#compile(file).runInThisContext();
    const require = createRequire(file);
    const find = (/** @type {string} */ name) =>
      name.startsWith('./') ? this.load(path.resolve(path.dirname(file), name)) : require(name);
    run.call(module.exports, module.exports, find, module, file, path.dirname(file));
    this.#loaded.set(file, module.exports);
    return module.exports;
  }

  /** @param {string} file @returns {vm.Script} */
  #compile(file) {
    const text = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`;
    const kept = this.#folder && path.join(this.#folder, this.#nameCode(file, text));
    const cachedData = kept === undefined ? undefined : readCode(kept);
    const script = new vm.Script(text, { filename: file, ...(cachedData && { cachedData }) });
    if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected))
      this.#made.set(kept, script);
    return script;
  }

  /** @param {string} file @param {string} text */
  #nameCode(file, text) {
    const digest = digestOf(text).toString('hex').slice(0, 16);
    const engine = `${process.version}-${process.arch}-${cachedDataVersionTag()}`;
    return `${prefix}${path.basename(file, '.cjs')}-${engine}-${digest}`;
  }

  /** Keep the code of what was compiled, with the functions that have run. */
  save() {
    for (const [file, script] of this.#made) writeCode(file, script.createCachedData());
    this.#made.clear();
  }
}
