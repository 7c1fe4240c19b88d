// A read-only database without LMDB, which would write a table of readers beside it. It gives the same answers as
// database.js.

import fs from 'node:fs';
import { checkDatabase } from './check-database.js';
import { damagedStore } from './damage.js';
import { pieceReader, readMarks, readPieces, showKey, streamPrefix } from './database.js';
import { keyDigest, openValue, tableSeed } from './digest.js';
import {
  branchNode,
  compareKeys,
  countNodes,
  kindOf,
  largeValue,
  makeNode,
  pageBytes,
  pageHeaderBytes,
  PageFile,
  pageKinds,
  readLeafNode,
} from './pages.js';

/** @import { Page, Tree } from './pages.js' */

/**
 * @param {PageFile} file  checked
 * @param {string} name
 * @param {Tree | undefined} tree
 */
const makeTable = (file, name, tree) => {
  const seed = tableSeed(name);
  const node = makeNode();

  /**
   * The nodes from the smallest key that is not before `key`.
   *
   * @param {number} number
   * @param {Buffer | undefined} key  undefined: from the first key
   * @returns {Generator<Page & { i: number }>}  with the node already read
   */
  function* nodesFrom(number, key) {
    const page = file.keepPage(number);
    const { bytes } = page.run;
    const nodes = countNodes(page);
    /** @type {(i: number) => boolean} */
    const isBefore = i => {
      if (key === undefined) return false;
      if (kindOf(page) === pageKinds.leaf) {
        readLeafNode(page, i, node);
        return compareKeys(bytes, node.keyStart, node.keyEnd, key, 0, key.length) < 0;
      }
      const { keyStart, keyEnd } = branchNode(page, i);
      return compareKeys(bytes, keyStart, keyEnd, key, 0, key.length) <= 0;
    };
    const isLeaf = kindOf(page) === pageKinds.leaf;
    // The first node of a branch has all keys before the second.
    let low = isLeaf ? 0 : 1;
    let high = nodes;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    if (isLeaf) {
      for (let i = low; i < nodes; i += 1) {
        readLeafNode(page, i, node);
        yield { ...page, i };
      }
    } else {
      yield* nodesFrom(branchNode(page, low - 1).child, key);
      for (let i = low; i < nodes; i += 1) yield* nodesFrom(branchNode(page, i).child, undefined);
    }
  }

  /** @param {Buffer | undefined} key */
  const from = key => (tree?.root === undefined ? [] : nodesFrom(tree.root, key));

  return Object.freeze({
    tree,
    /** @param {string} text @returns {Buffer | undefined} */
    get(text) {
      const key = Buffer.from(text);
      for (const page of from(key)) {
        const { bytes } = page.run;
        const { keyStart, keyEnd, start, size, isLarge } = node;
        if (compareKeys(bytes, keyStart, keyEnd, key, 0, key.length) !== 0) return undefined;
        const sealed = isLarge
          ? file.bytesFrom(largeValue(page, node).first, pageHeaderBytes, size)
          : bytes.subarray(start, start + size);
        return (
          openValue(keyDigest(seed, key), sealed) ??
          damagedStore(
            file.file,
            `table ${name}: what is under key ${showKey(text)} was not written there`,
          )
        );
      }
      return undefined;
    },
    /**
     * @param {string} start
     * @param {number} limit
     */
    keysFrom(start, limit) {
      /** @type {string[]} */
      const keys = [];
      if (limit === 0) return keys;
      for (const { run } of from(start === '' ? undefined : Buffer.from(start))) {
        keys.push(run.bytes.toString('utf8', node.keyStart, node.keyEnd));
        if (keys.length === limit) break;
      }
      return keys;
    },
  });
};

/**
 * @param {string} path  of a database
 * @throws {DamagedPage}
 */
export const openPageDatabase = path => {
  const file = new PageFile(path);
  try {
    return readPageDatabase(file);
  } catch (error) {
    file.close();
    throw error;
  }
};

/** @param {Partial<Record<'branchPages' | 'leafPages' | 'overflowPages', number>>} [tree] */
const pagesOf = ({ branchPages = 0, leafPages = 0, overflowPages = 0 } = {}) =>
  branchPages + leafPages + overflowPages;

/** @param {PageFile} file */
const readPageDatabase = file => {
  const path = file.file;
  const { tables } = checkDatabase(file);
  const state = makeTable(file, 'state', tables.state);
  const pieces = makeTable(file, 'pieces', tables.pieces);
  const meta = makeTable(file, 'meta', tables.meta);
  /** @param {string} key */
  const textOf = key => meta.get(key)?.toString('latin1');
  /** @type {Map<string, number>} */
  const lengths = new Map();
  for (const key of meta.keysFrom(streamPrefix, Infinity)) {
    if (!key.startsWith(streamPrefix)) break;
    lengths.set(key.slice(streamPrefix.length), Number(textOf(key)));
  }
  const getPiece = pieceReader(path, lengths, pieces.get);
  const lockBytes = fs.statSync(`${path}-lock`, { throwIfNoEntry: false })?.size ?? 0;
  return Object.freeze({
    file: path,
    ...readMarks(textOf),
    lengths: /** @type {ReadonlyMap<string, number>} */ (lengths),
    get: state.get,
    keysFrom: state.keysFrom,
    readStreamFrom: (/** @type {string} */ name, /** @type {number} */ start) =>
      readPieces(getPiece, lengths.get(name) ?? 0, name, start),
    tableBytes: () => pagesOf(tables.state) * pageBytes,
    streamBytes: () => pagesOf(tables.pieces) * pageBytes,
    sizeBytes: () => file.sizeBytes + lockBytes,
    close: async () => file.close(),
  });
};
