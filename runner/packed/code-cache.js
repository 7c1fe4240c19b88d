// V8's compiled code of packed modules, with the functions that a run has called: kept for the next process. Node 20 has no
// such cache for modules, and that of later ones has no functions that were compiled while they ran.
//
// A file is 32 bytes of SHA-256 of what follows, the length of a table in four bytes, the table as JSON, and the code. A file
// that cannot be read, or is not what was written, is done without, in silence.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';

/** Files of the cache begin with it. */
const prefix = 'packed-';

/** Older files are of versions that are gone, mostly; one that is not is written again. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1_000;

const digestBytes = 32;
const lengthBytes = 4;
const headBytes = digestBytes + lengthBytes;

/** V8 copies code that does not begin at a multiple of it. */
const alignment = 8;

/** @param {number} size */
const padding = size => (alignment - (size % alignment)) % alignment;

/** @param {Buffer} bytes */
const digestOf = bytes => createHash('sha256').update(bytes).digest();

/** @param {string} path @returns {Map<string, Buffer>} code by file of the module */
const readCode = path => {
  try {
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
const dropOldFiles = folder => {
  const oldest = Date.now() - maxAgeMs;
  for (const name of readdirSync(folder).filter(each => each.startsWith(prefix))) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true });
  }
};

/** @param {string} path @param {Map<string, Buffer>} code */
const writeCode = (path, code) => {
  const lengths = JSON.stringify([...code].map(([file, { length }]) => [file, length]));
  const table = Buffer.from(lengths + ' '.repeat(padding(headBytes + Buffer.byteLength(lengths))));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(table.length);
  const parts = [...code.values()].flatMap(each => [each, Buffer.alloc(padding(each.length))]);
  const content = Buffer.concat([length, table, ...parts]);
  const draft = `${path}.${process.pid}.draft`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, Buffer.concat([digestOf(content), content]));
    renameSync(draft, path);
    dropOldFiles(dirname(path));
  } catch {
    // A folder that cannot be written to costs time, nothing else.
  }
};

export class CodeCache {
  #path;

  /** The engine's own mark for its version and flags. */
  #tag = cachedDataVersionTag();

  /** @type {Map<string, Buffer>} */
  #known;

  /** Compiled here, without code from the cache. @type {Map<string, vm.Script>} */
  #compiled = new Map();

  /**
   * @param {string | undefined} folder  undefined: nothing is read or kept
   * @param {string} digest  of the texts of all modules: V8 itself compares no more than their lengths
   */
  constructor(folder, digest) {
    // Another engine, or the same with other flags, would not take the code.
    const name = `${prefix}${process.version}-${process.arch}-${this.#tag}-${digest.slice(0, 16)}`;
    this.#path = folder === undefined ? undefined : join(folder, name);
    this.#known = this.#path === undefined ? new Map() : readCode(this.#path);
  }

  /** @param {string} file @param {string} text @param {string} filename  shown in stacks */
  compile(file, text, filename) {
    const cachedData = this.#known.get(file);
    const script = new vm.Script(text, { filename, ...(cachedData && { cachedData }) });
    // The engine would not take the next time either what it does not take now.
    if (cachedData === undefined && this.#path !== undefined) this.#compiled.set(file, script);
    return script;
  }

  /**
   * Keep the code of the modules that were not in the cache, and of the functions that they have run. It takes some 50 ms,
   * once. Nothing is kept if flags were changed for good: the next process would not take it.
   */
  save() {
    if (this.#path === undefined || this.#compiled.size === 0) return;
    if (cachedDataVersionTag() !== this.#tag) return;
    const made = [...this.#compiled].map(
      ([file, script]) => /** @type {const} */ ([file, script.createCachedData()]),
    );
    writeCode(this.#path, new Map([...this.#known, ...made]));
  }
}
