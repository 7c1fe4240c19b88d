// Reads the pages of an LMDB file, as far as checking and reading one requires. Nothing here trusts the file, unlike
// LMDB, which crashes on a damaged one. Layout: LMDB's mdb.c, data version 2.
//
//   page     number u64 | transaction u64 | 0 u16 | flags u16 | lower u16, upper u16, or number of pages u32 | content
//   meta     magic, version u32 | 0 u64 | map size u64 | free tree, main tree | last page u64 | transaction u64 | boot
//   tree     pad u32 | flags, depth u16 | branch, leaf, overflow pages u64 | entries u64 | root u64
//   node     size or page, low and high u16 | flags u16 | size of the key u16 | key | data, or where it lies
//
// Numbers are in the machine's byte order, as in typed arrays.

import fs from 'node:fs';

export const pageBytes = 4096;
export const pageHeaderBytes = 24;
const nodeHeaderBytes = 8;

export const pageKinds = /** @type {const} */ ({ branch: 1, leaf: 2, overflow: 4, meta: 8 });
const nodeFlags = /** @type {const} */ ({ large: 1, tree: 2 });

const magic = 0xbeefc0de;
const formatVersion = 2;

/** The root of a tree without entries. */
const noPage = 2 ** 64;

/** Free pages at the end that LMDB has not written, at most. */
const mostMissing = 65_536;

/** Pages that are read in order are read in runs of this many. */
const runPages = 16;

/** Distance of two pages that count as read in order, at most. */
const nearPages = 4;

/** Runs, and single pages, that are kept: 34 MiB. A walk uses fewer pages at once. */
const mostRuns = 512;

/** Whether the machine is little-endian. */
const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A page is not as LMDB writes it. */
export class DamagedPage extends Error {}

/** The file does not begin like an LMDB file, as after a crash while it was made. */
export class NoDatabase extends Error {}

/** @param {number} page @param {string} what @returns {never} */
export const damaged = (page, what) => {
  throw new DamagedPage(`page ${page}: ${what}`);
};

/** A sound page that no database of this package has. @param {number} page @param {string} what @returns {never} */
export const foreign = (page, what) =>
  damaged(page, `${what}; it may be another program's database`);

/**
 * A run of pages in memory, with three more views of the same bytes.
 *
 * @typedef {{ bytes: Buffer, words: Uint16Array, longs: Uint32Array, view: DataView }} Run
 */

/** @param {Buffer} bytes @returns {Run} */
const makeRun = bytes => {
  const { buffer, byteOffset, length } = bytes;
  return {
    bytes,
    words: new Uint16Array(buffer, byteOffset, length / 2),
    longs: new Uint32Array(buffer, byteOffset, length / 4),
    view: new DataView(buffer, byteOffset, length),
  };
};

/** @typedef {{ run: Run, at: number, number: number }} Page  `at`: its position in the run */

/**
 * @typedef {object} Tree
 * @property {number} pad
 * @property {number} flags
 * @property {number} depth
 * @property {number} branchPages
 * @property {number} leafPages
 * @property {number} overflowPages
 * @property {number} entries
 * @property {number | undefined} root
 */

/** @typedef {{ free: Tree, main: Tree, lastPage: number, transaction: number }} Meta */

/**
 * @typedef {object} Node
 * @property {number} keyStart  in the run's bytes
 * @property {number} keyEnd
 * @property {number} start  of the data, or of the number of its page
 * @property {number} size  of the data
 * @property {boolean} isLarge  whether the data has pages of its own
 * @property {boolean} isTree  whether the data describes a tree
 */

export class PageFile {
  #fd;

  /** By the number of the first page, a multiple of `runPages`; in the order of reading. @type {Map<number, Run>} */
  #runs = new Map();

  /** Pages read alone. @type {Map<number, Run>} */
  #singles = new Map();

  /** The last page that was read. */
  #last = 0;

  /** @param {string} file */
  constructor(file) {
    this.file = file;
    this.#fd = fs.openSync(file, 'r');
    this.sizeBytes = fs.fstatSync(this.#fd).size;
    this.pages = Math.floor(this.sizeBytes / pageBytes);
  }

  close() {
    fs.closeSync(this.#fd);
  }

  /**
   * @param {number} position
   * @param {Uint8Array} target  to be filled
   */
  #read(position, target) {
    let done = 0;
    while (done < target.length) {
      const count = fs.readSync(this.#fd, target, done, target.length - done, position + done);
      // Bytes after the end of the file belong to no page.
      if (count === 0) return;
      done += count;
    }
  }

  /**
   * @param {Map<number, Run>} kept
   * @param {number} first
   * @param {number} pages
   */
  #readRun(kept, first, pages) {
    /** @type {Run} */
    let run;
    if (kept.size < mostRuns) {
      run = makeRun(Buffer.allocUnsafeSlow(pages * pageBytes));
    } else {
      const [[oldest, old]] = kept;
      kept.delete(oldest);
      run = old;
    }
    this.#read(first * pageBytes, run.bytes);
    kept.set(first, run);
    return run;
  }

  /**
   * A page; valid until some hundreds of other pages have been read.
   *
   * @param {number} number
   * @returns {Page}
   */
  page(number) {
    if (!(number < this.pages)) damaged(number, `the file ends with page ${this.pages - 1}`);
    const inRun = number % runPages;
    const isNear = number > this.#last && number <= this.#last + nearPages;
    this.#last = number;
    const known = this.#runs.get(number - inRun);
    if (known !== undefined) return { run: known, at: inRun * pageBytes, number };
    if (isNear) {
      const run = this.#readRun(this.#runs, number - inRun, runPages);
      return { run, at: inRun * pageBytes, number };
    }
    const run = this.#singles.get(number) ?? this.#readRun(this.#singles, number, 1);
    return { run, at: 0, number };
  }

  /**
   * Copies a page, for callers that keep it: later reads do not change the copy.
   *
   * @param {number} number
   * @returns {Page}
   */
  keepPage(number) {
    const { run, at } = this.page(number);
    const bytes = Buffer.allocUnsafeSlow(pageBytes);
    bytes.set(run.bytes.subarray(at, at + pageBytes));
    return { run: makeRun(bytes), at: 0, number };
  }

  /**
   * Bytes of consecutive pages.
   *
   * @param {number} first
   * @param {number} start  in the first page
   * @param {number} size
   */
  bytesFrom(first, start, size) {
    const last = first + Math.floor((start + size - 1) / pageBytes);
    if (!(last < this.pages)) damaged(last, `the file ends with page ${this.pages - 1}`);
    const bytes = Buffer.allocUnsafe(size);
    this.#read(first * pageBytes + start, bytes);
    return bytes;
  }
}

/** @param {Run} run @param {number} at  a multiple of 4 */
export const readLong = ({ longs }, at) =>
  isLittle
    ? longs[at >>> 2] + longs[(at >>> 2) + 1] * 2 ** 32
    : longs[(at >>> 2) + 1] + longs[at >>> 2] * 2 ** 32;

/** Reads a long that is not aligned. @param {Run} run @param {number} at */
export const readAnyLong = ({ view }, at) =>
  view.getUint32(at + (isLittle ? 0 : 4), isLittle) +
  view.getUint32(at + (isLittle ? 4 : 0), isLittle) * 2 ** 32;

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @returns {Tree}
 */
export const readTree = (bytes, at) => {
  const copy = Uint8Array.from(bytes.subarray(at, at + 48));
  const [flags, depth] = new Uint16Array(copy.buffer, 4, 2);
  const [branchPages, leafPages, overflowPages, entries, root] = Array.from(
    new BigUint64Array(copy.buffer, 8, 5),
    Number,
  );
  const [pad] = new Uint32Array(copy.buffer, 0, 1);
  return {
    ...{ pad, flags, depth, branchPages, leafPages, overflowPages, entries },
    root: root === noPage ? undefined : root,
  };
};

/** @param {Page} page */
export const kindOf = ({ run, at }) => run.words[(at + 18) >>> 1];

/** @param {PageFile} file @param {0 | 1} number */
const readMeta = (file, number) => {
  if (file.pages < 2) throw new NoDatabase();
  const page = file.page(number);
  const { run, at } = page;
  const content = at + pageHeaderBytes;
  const [foundMagic, version] = run.longs.subarray(content >>> 2);
  const free = readTree(run.bytes, content + 24);
  const main = readTree(run.bytes, content + 72);
  const isMeta =
    kindOf(page) === pageKinds.meta &&
    readLong(run, at) === number &&
    foundMagic === magic &&
    version === formatVersion &&
    readLong(run, content + 8) === 0 &&
    free.pad === pageBytes &&
    readLong(run, content + 120) >= 1;
  if (!isMeta) throw new NoDatabase();
  return {
    ...{ free, main },
    lastPage: readLong(run, content + 120),
    transaction: readLong(run, content + 128),
  };
};

/**
 * The newer of the two pages that describe the database, chosen as LMDB does. Transactions write them in turn, so they
 * belong to consecutive transactions.
 *
 * @param {PageFile} file
 * @returns {Meta}
 */
export const findMeta = file => {
  const metas = [readMeta(file, 0), readMeta(file, 1)];
  const [first, second] = metas;
  const distance = Math.abs(first.transaction - second.transaction);
  const isNew = first.transaction + second.transaction <= 1;
  for (const [number, { transaction }] of metas.entries()) {
    if (!isNew && (distance !== 1 || transaction % 2 !== number))
      damaged(number, `it is of transaction ${transaction}, which does not fit the other's`);
  }
  if (first.free.flags !== second.free.flags || first.main.flags !== second.main.flags)
    foreign(1, 'it describes another kind of database than page 0');
  const meta = first.transaction >= second.transaction ? first : second;
  // The last pages may be free, and may then be missing.
  if (!(meta.lastPage < file.pages + mostMissing))
    damaged(Number(meta === second), `the last page is ${meta.lastPage}, of ${file.pages}`);
  return meta;
};

/**
 * The number of nodes in a page of a tree. Their offsets come first, and the nodes fill the page from its end.
 *
 * @param {Page} page
 */
export const countNodes = page => {
  const { run, at, number } = page;
  const lower = run.words[(at + 20) >>> 1];
  const upper = run.words[(at + 22) >>> 1];
  const isSound =
    lower % 2 === 0 && lower > 0 && lower <= upper && upper <= pageBytes - pageHeaderBytes;
  if (!isSound) damaged(number, `its free space is from ${lower} to ${upper}`);
  return lower / 2;
};

/** @param {Page} page @param {number} i */
const nodeStart = ({ run, at, number }, i) => {
  const offset = run.words[(at + pageHeaderBytes + 2 * i) >>> 1];
  const upper = run.words[(at + 22) >>> 1];
  if (offset % 2 !== 0 || offset < upper || offset > pageBytes - pageHeaderBytes - nodeHeaderBytes)
    damaged(number, `node ${i} is at ${offset}`);
  return at + pageHeaderBytes + offset;
};

/**
 * A node of a branch: the page with the keys from its own key on. LMDB ignores the first node's key.
 *
 * @param {Page} page
 * @param {number} i
 */
export const branchNode = (page, i) => {
  const start = nodeStart(page, i);
  const { words } = page.run;
  const w = start >>> 1;
  // The lower half comes first, as in LMDB's node.
  const [low, high] = isLittle ? [words[w], words[w + 1]] : [words[w + 1], words[w]];
  const [top, keySize] = [words[w + 2], words[w + 3]];
  const keyStart = start + nodeHeaderBytes;
  const keyEnd = keyStart + keySize;
  if (keyEnd > page.at + pageBytes) damaged(page.number, `node ${i} goes beyond the page`);
  return { child: low + high * 2 ** 16 + top * 2 ** 32, keyStart, keyEnd };
};

/**
 * @param {Page} page
 * @param {number} i
 * @param {Node} node  to be filled
 */
export const readLeafNode = (page, i, node) => {
  const start = nodeStart(page, i);
  const { words } = page.run;
  const w = start >>> 1;
  const flags = words[w + 2];
  node.keyStart = start + nodeHeaderBytes;
  node.keyEnd = node.keyStart + words[w + 3];
  node.size = isLittle ? words[w] + words[w + 1] * 2 ** 16 : words[w + 1] + words[w] * 2 ** 16;
  node.start = node.keyEnd;
  node.isLarge = flags === nodeFlags.large;
  node.isTree = flags === nodeFlags.tree;
  if (flags > nodeFlags.tree) damaged(page.number, `node ${i} has flags ${flags}`);
  if (node.start + (node.isLarge ? 24 : node.size) > page.at + pageBytes)
    damaged(page.number, `node ${i} goes beyond the page`);
};

/** @returns {Node} */
export const makeNode = () => ({
  ...{ keyStart: 0, keyEnd: 0, start: 0, size: 0, isLarge: false, isTree: false },
});

/** Bytes of a leaf's node in its page. @param {Node} node */
export const nodeBytes = ({ keyStart, keyEnd, size, isLarge }) =>
  (nodeHeaderBytes + keyEnd - keyStart + (isLarge ? 24 : size) + 1) & ~1;

/**
 * The position of a large value.
 *
 * @param {Page} page  the page of its node
 * @param {Node} node
 */
export const largeValue = ({ run, number }, { start, size }) => {
  const first = readAnyLong(run, start);
  const pages = readAnyLong(run, start + 16);
  if (pages !== Math.floor((pageHeaderBytes - 1 + size) / pageBytes) + 1)
    damaged(number, `a value of ${size} bytes in ${pages} pages`);
  return { first, pages };
};

/**
 * Order of keys: by their bytes.
 *
 * @param {Uint8Array} left
 * @param {number} leftStart
 * @param {number} leftEnd
 * @param {Uint8Array} right
 * @param {number} rightStart
 * @param {number} rightEnd
 */
export const compareKeys = (left, leftStart, leftEnd, right, rightStart, rightEnd) => {
  const leftSize = leftEnd - leftStart;
  const rightSize = rightEnd - rightStart;
  const shared = Math.min(leftSize, rightSize);
  for (let i = 0; i < shared; i += 1) {
    const difference = left[leftStart + i] - right[rightStart + i];
    if (difference !== 0) return difference;
  }
  return leftSize - rightSize;
};
