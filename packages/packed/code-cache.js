// Caches V8's compiled code of packed modules for the next process, including the functions that a
// run has called. Node 20 has no such cache for modules, and the cache of later versions lacks
// functions that were compiled during the run.
//
// A file has 32 bytes of SHA-256 of the rest, the length of a table in four bytes, the table as
// JSON, and the code. A file that is unreadable or damaged is ignored silently.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';
import { threadId } from 'node:worker_threads';
import { makeFolder } from '#native/cache-dir.js';

/** The prefix of the cache's file names. */
const prefix = 'packed-';

/** Older files mostly belong to versions that are no longer used; a file that is deleted too early is written again. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1_000;

/** Files of packs: a process with another memory limit for its vat has flags of its own, and so a file of some megabytes. */
const mostFiles = 24;

const digestBytes = 32;
const lengthBytes = 4;
const headBytes = digestBytes + lengthBytes;

/** V8 copies code whose offset is not a multiple of this. */
const alignment = 8;

/** @param {number} size */
const padding = size => (alignment - (size % alignment)) % alignment;

/** @param {Buffer} bytes */
const digestOf = bytes => createHash('sha256').update(bytes).digest();

/** @param {string} path @returns {Map<string, Buffer>} code, by the module's file */
const readCode = path => {
  try {
    // Reading a pipe would never end.
    if (!statSync(path).isFile()) return new Map();
    const bytes = readFileSync(path);
    if (!digestOf(bytes.subarray(digestBytes)).equals(bytes.subarray(0, digestBytes)))
      return new Map();
    const tableEnd = headBytes + bytes.readUInt32LE(digestBytes);
    /** @type {[file: string, length: number][]} */
    const table = JSON.parse(bytes.toString('utf8', headBytes, tableEnd));
    let at = tableEnd;
    return new Map(
      table.map(([file, length]) => {
        const code = bytes.subarray(at, at + length);
        at += length + padding(length);
        return [file, code];
      }),
    );
  } catch {
    return new Map();
  }
};

/** @param {string} folder */
const deleteOldFiles = folder => {
  const oldest = Date.now() - maxAgeMs;
  const files = readdirSync(folder)
    .filter(each => /^(packed|library)-/.test(each))
    .map(name => {
      const path = join(folder, name);
      return { path, isPack: name.startsWith(prefix), ms: statSync(path).mtimeMs };
    });
  const surplus = files.filter(({ isPack }) => isPack).sort((a, b) => b.ms - a.ms);
  for (const { path } of [...files.filter(({ ms }) => ms < oldest), ...surplus.slice(mostFiles)])
    rmSync(path, { force: true });
};

/** @param {string} path @param {Map<string, Buffer>} code */
const writeCode = (path, code) => {
  const lengths = JSON.stringify([...code].map(([file, { length }]) => [file, length]));
  const table = Buffer.from(lengths + ' '.repeat(padding(headBytes + Buffer.byteLength(lengths))));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(table.length);
  const parts = [...code.values()].flatMap(each => [each, Buffer.alloc(padding(each.length))]);
  const content = Buffer.concat([length, table, ...parts]);
  const draft = `${path}.${process.pid}-${threadId}.draft`;
  try {
    makeFolder(dirname(path));
    writeFileSync(draft, Buffer.concat([digestOf(content), content]));
    renameSync(draft, path);
    deleteOldFiles(dirname(path));
  } catch {
    // If the folder cannot be written, later starts are slower; nothing else changes.
    try {
      // A full disk leaves an empty draft.
      rmSync(draft, { force: true });
    } catch {
      // There is no folder.
    }
  }
};

/** The code that was compiled, or is to be compiled, under the same flags of the engine. */
class CodeFile {
  #path;

  /** @type {Map<string, Buffer>} */
  #known;

  /** Modules that this process compiled without the cache. @type {Map<string, vm.Script>} */
  #compiled = new Map();

  /** @param {string} path */
  constructor(path) {
    this.#path = path;
    this.#known = readCode(path);
  }

  /** @type {CodeCache['compile']} */
  compile(file, text, filename) {
    const cachedData = this.#known.get(file);
    const script = new vm.Script(text, { filename, ...(cachedData && { cachedData }) });
    // Code that the engine rejects now would also be rejected the next time.
    if (cachedData === undefined) this.#compiled.set(file, script);
    return script;
  }

  save() {
    if (this.#compiled.size === 0) return;
    const made = [...this.#compiled].map(
      ([file, script]) => /** @type {const} */ ([file, script.createCachedData()]),
    );
    this.#known = new Map([...this.#known, ...made]);
    this.#compiled.clear();
    writeCode(this.#path, this.#known);
  }
}

export class CodeCache {
  #folder;

  #key;

  /** By the engine's number for its version and flags: with others it rejects the code. @type {Map<number, CodeFile>} */
  #files = new Map();

  /**
   * @param {string | undefined} folder  private, since its code is run; undefined: no cache
   * @param {string} root  of the modules: compiled code names their files in stacks
   * @param {string} digest  of the texts of all modules; V8 itself compares only their lengths
   */
  constructor(folder, root, digest) {
    this.#folder = folder;
    this.#key = createHash('sha256').update(`${root} ${digest}`).digest('hex').slice(0, 16);
  }

  /**
   * @param {string} file
   * @param {string} text
   * @param {string} filename  shown in stacks
   * @returns {vm.Script}
   */
  compile(file, text, filename) {
    if (this.#folder === undefined) return new vm.Script(text, { filename });
    const tag = cachedDataVersionTag();
    let kept = this.#files.get(tag);
    if (kept === undefined) {
      const name = `${prefix}${process.version}-${process.arch}-${tag}-${this.#key}`;
      kept = new CodeFile(join(this.#folder, name));
      this.#files.set(tag, kept);
    }
    return kept.compile(file, text, filename);
  }

  /**
   * Write the code of the modules that are not in the cache, with the functions that have run
   * (`npm run bench -- startup` has the time): of those that were compiled under the engine's present flags, since it
   * writes these into the code.
   */
  save() {
    this.#files.get(cachedDataVersionTag())?.save();
  }
}
