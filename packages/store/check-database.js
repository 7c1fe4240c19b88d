// Checks that a database is as it was written, before LMDB opens it: LMDB trusts every page, and crashes on damaged
// ones. The check walks all trees: each page is of the kind that its place demands and belongs to one tree or to the
// list of free pages, keys are in order, and the digests of all entries add up (digest.js). Large values are not read
// whole, only their tags; each read of a value checks it against its tag. So a check takes some tenths of a second for
// a gigabyte.

import { addDigest, entryDigest, keyDigestAt, tableSeed, tagBytes } from './digest.js';
import { schemaKey } from './values.js';
import {
  branchNode,
  compareKeys,
  countNodes,
  damaged,
  foreign,
  DamagedPage,
  findMeta,
  kindOf,
  largeValue,
  makeNode,
  nodeBytes,
  pageBytes,
  pageHeaderBytes,
  pageKinds,
  readAnyLong,
  readLeafNode,
  readLong,
  readTree,
} from './pages.js';

/** @import { Meta, Node, Page, PageFile, Run, Tree } from './pages.js' */

/** The entry of `meta` with the number of all other entries and the sum of their digests. */
export const sumKey = 'sum';

/** The database was written by a program of an earlier schema, without digests. */
export class EarlierSchema extends Error {}

/** @typedef {(page: Page, node: Node) => void} Visit */

/**
 * The three tables, by their names in the main tree.
 *
 * @typedef {{ state: Tree, pieces: Tree, meta: Tree }} Tables
 */

/** @type {Run} */
const noRun = {
  bytes: Buffer.alloc(0),
  words: new Uint16Array(),
  longs: new Uint32Array(),
  view: new DataView(new ArrayBuffer(0)),
};

class Walk {
  #file;

  #meta;

  /** By page: whether it is in use. */
  #taken;

  /** The number of pages in use. */
  count = 0;

  /** @param {PageFile} file @param {Meta} meta */
  constructor(file, meta) {
    this.#file = file;
    this.#meta = meta;
    this.#taken = new Uint8Array(meta.lastPage + 1);
    this.take(0);
    this.take(1);
  }

  /** @param {number} number */
  take(number) {
    if (!(number <= this.#meta.lastPage))
      damaged(number, `the last page is ${this.#meta.lastPage}`);
    if (this.#taken[number] !== 0) damaged(number, 'it is used twice');
    this.#taken[number] = 1;
    this.count += 1;
  }

  /**
   * @param {number} number
   * @param {number} kind
   */
  #takePage(number, kind) {
    this.take(number);
    const page = this.#file.page(number);
    const { run, at } = page;
    if (readLong(run, at) !== number)
      damaged(number, `it says that it is page ${readLong(run, at)}`);
    if (readLong(run, at + 8) > this.#meta.transaction)
      damaged(number, `it is of transaction ${readLong(run, at + 8)}, which was never`);
    if (kindOf(page) !== kind) damaged(number, `it is of kind ${kindOf(page)}, not ${kind}`);
    return page;
  }

  /**
   * @param {Page} page
   * @param {Node} node  the node of a large value
   * @returns {Page} the first page of the value
   */
  takeLarge(page, node) {
    const { first, pages } = largeValue(page, node);
    const found = this.#takePage(first, pageKinds.overflow);
    if (found.run.longs[(found.at + 20) >>> 2] !== pages)
      damaged(first, `a value of ${pages} pages says that it has others`);
    for (let i = 1; i < pages; i += 1) this.take(first + i);
    return found;
  }

  /**
   * Visits every entry of a tree, in the order of keys.
   *
   * @param {string} name
   * @param {Tree} tree
   * @param {Visit} visit
   * @param {boolean} [hasNumbers]  keys are numbers
   */
  tree(name, tree, visit, hasNumbers = false) {
    const counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    const { root, depth } = tree;
    const node = makeNode();
    /** The last key of a leaf, and its position. */
    let last = noRun;
    let lastStart = 0;
    let lastEnd = -1;
    /** @type {(number: number, run: Run, start: number, end: number, least: number) => void} */
    const follow = (number, run, start, end, least) => {
      if (end - start < 1 || (hasNumbers && end - start !== 8)) damaged(number, 'a key of no size');
      if (lastEnd >= 0) {
        const order = hasNumbers
          ? readAnyLong(run, start) - readAnyLong(last, lastStart)
          : compareKeys(run.bytes, start, end, last.bytes, lastStart, lastEnd);
        if (order < least) damaged(number, 'its keys are out of order');
      }
    };
    /** @type {(number: number, level: number) => void} */
    const walk = (number, level) => {
      const isLeaf = level === depth;
      const found = this.#takePage(number, isLeaf ? pageKinds.leaf : pageKinds.branch);
      const page = isLeaf ? found : this.#file.keepPage(number);
      const { run } = page;
      const nodes = countNodes(page);
      if (!isLeaf) {
        counts.branchPages += 1;
        if (nodes < 2) damaged(number, `a branch of ${nodes} nodes`);
        for (let i = 0; i < nodes; i += 1) {
          const { child, keyStart, keyEnd } = branchNode(page, i);
          if (i > 0) {
            follow(number, run, keyStart, keyEnd, 1);
            // The next key must not be less.
            last = run;
            lastStart = keyStart;
            lastEnd = keyEnd;
            isFloor = true;
          }
          walk(child, level + 1);
        }
        return;
      }
      counts.leafPages += 1;
      let used = 0;
      for (let i = 0; i < nodes; i += 1) {
        readLeafNode(page, i, node);
        follow(number, run, node.keyStart, node.keyEnd, isFloor ? 0 : 1);
        isFloor = false;
        last = run;
        lastStart = node.keyStart;
        lastEnd = node.keyEnd;
        used += nodeBytes(node);
        if (node.isLarge) counts.overflowPages += largeValue(page, node).pages;
        counts.entries += 1;
        visit(page, node);
      }
      const upper = page.run.words[(page.at + 22) >>> 1];
      if (used !== pageBytes - pageHeaderBytes - upper)
        damaged(number, `its nodes take ${used} bytes`);
    };
    let isFloor = false;
    if (root !== undefined) walk(root, 1);
    for (const [what, count] of Object.entries(counts)) {
      const told = tree[/** @type {keyof typeof counts} */ (what)];
      if (told !== count)
        throw new DamagedPage(`table ${name}: ${count} ${what}, and it says ${told}`);
    }
  }

  /** @param {Tree} tree */
  freePages(tree) {
    this.tree('of free pages', tree, (page, node) => this.#takeFree(page, node), true);
  }

  /**
   * Takes the pages of an entry: a count of words, then each word is a page, 0, or the negative length of a run before
   * its first page.
   *
   * @param {Page} page
   * @param {Node} node
   */
  #takeFree(page, node) {
    const { size } = node;
    if (node.isTree || size < 8 || size % 8 !== 0)
      damaged(page.number, `a list of free pages of ${size} bytes`);
    const bytes = node.isLarge
      ? this.#file.bytesFrom(this.takeLarge(page, node).number, pageHeaderBytes, size)
      : page.run.bytes.subarray(node.start, node.start + size);
    const words = new BigInt64Array(Uint8Array.from(bytes).buffer);
    const count = Number(words[0]);
    if (!(count >= 0 && count < words.length))
      damaged(page.number, `a list of ${count} words of free pages`);
    for (let i = 1; i <= count; i += 1) {
      const word = Number(words[i]);
      if (word > 0) {
        this.take(word);
      } else if (word < 0) {
        i += 1;
        if (i > count) damaged(page.number, 'a run of free pages without a number');
        const first = Number(words[i]);
        if (!(first > 1 && first - word <= this.#meta.lastPage + 1))
          damaged(page.number, `free pages from ${first}`);
        for (let each = 0; each < -word; each += 1) this.take(first + each);
      }
    }
  }
}

/**
 * Reads the three tables and their roots.
 *
 * @param {PageFile} file
 * @param {Tree} main
 * @param {(visit: Visit) => void} walkMain
 * @returns {Partial<Tables>}
 */
const readTables = (file, main, walkMain) => {
  /** @type {Record<string, Tree>} */
  const tables = {};
  walkMain((page, node) => {
    if (!node.isTree || node.size !== 48) foreign(page.number, 'an entry that is no table');
    const name = page.run.bytes.toString('latin1', node.keyStart, node.keyEnd);
    if (!['state', 'pieces', 'meta'].includes(name.replace(/\0$/, '')))
      foreign(page.number, 'a table of another name');
    tables[name.replace(/\0$/, '')] = readTree(page.run.bytes, node.start);
  });
  return tables;
};

/**
 * @param {PageFile} file
 * @returns {{ tables: Partial<Tables>, meta: Meta }}  a missing table was not made yet
 * @throws {DamagedPage}
 */
export const checkDatabase = file => {
  const meta = findMeta(file);
  const walk = new Walk(file, meta);
  const { main } = meta;
  if (main.flags !== 0) foreign(0, `its main table has flags ${main.flags}`);
  const tables = readTables(file, main, visit => walk.tree('of tables', main, visit));
  let sum = 0;
  let entries = 0;
  /** @type {string | undefined} */
  let told;
  /** Values of an earlier schema: text without a tag. @type {Record<string, string>} */
  const plain = {};
  for (const [name, tree] of Object.entries(tables)) {
    if (tree.flags !== 0 || tree.pad !== 0)
      throw new DamagedPage(`table ${name} has flags ${tree.flags}`);
    const seed = tableSeed(name);
    walk.tree(name, tree, (page, node) => {
      const { bytes } = page.run;
      if (node.isTree) damaged(page.number, 'a table in a table');
      let tag = 0;
      if (node.isLarge) {
        const first = walk.takeLarge(page, node);
        tag = first.run.bytes.readUInt32LE(first.at + pageHeaderBytes);
      } else if (node.size >= tagBytes) {
        tag = bytes.readUInt32LE(node.start);
      }
      if (
        name === 'meta' ||
        (name === 'state' && node.keyEnd - node.keyStart === schemaKey.length)
      ) {
        const key = bytes.toString('latin1', node.keyStart, node.keyEnd);
        const value = bytes.toString('latin1', node.start, node.start + node.size);
        if (name === 'meta' && key === sumKey) {
          told = value.slice(tagBytes);
          return;
        }
        if (key === schemaKey || key === 'generation') plain[key] = value;
      }
      const key = keyDigestAt(seed, bytes, node.keyStart, node.keyEnd);
      sum = addDigest(sum, entryDigest(key, tag));
      entries += 1;
    });
  }
  walk.freePages(meta.free);
  if (told === undefined && /^\d+$/.test(plain[schemaKey] ?? plain.generation ?? ''))
    throw new EarlierSchema(plain[schemaKey] ?? '1');
  if (walk.count !== meta.lastPage + 1)
    throw new DamagedPage(
      `${meta.lastPage + 1 - walk.count} of ${meta.lastPage + 1} pages are neither used nor free`,
    );
  if (entries > 0 && told !== `${entries} ${sum}`)
    throw new DamagedPage(
      'its entries are not those that were written last: one is missing, changed, or of an earlier time',
    );
  return { tables, meta };
};
