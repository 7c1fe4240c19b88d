// A new store on disk whose first blocks stay in memory until the host program commits. So a program that ends between
// `initializeSwingset` and its first commit begins anew, as with SwingSet.

import { makeMemoryStore } from '#store';

/** @import { Store } from '#store' */

/** @param {Store} store @returns {import('#store').Batch} all that it has, as one block */
const asBlock = store => ({
  puts: new Map(
    [...store.entries('')].map(([key]) => [key, /** @type {Uint8Array} */ (store.getBytes(key))]),
  ),
  appends: new Map(store.streamNames().map(name => [name, store.readStream(name)])),
});

/**
 * @param {Store} disk  without a block
 * @returns {{ store: Store, settle: () => void }}  `settle` writes the blocks so far to disk, as one; all later ones go there
 */
export const makeFirstCommitStore = disk => {
  const memory = makeMemoryStore();
  let inner = memory;
  /** @type {((durableBlocks: number) => void) | undefined} */
  let listener;
  const isSettled = () => inner === disk;

  /** Blocks that became the first one on disk, but for one. */
  let merged = 0;
  const durableBlocks = () => (isSettled() ? merged + disk.durableBlocks() : 0);

  const settle = () => {
    if (isSettled() || memory.durableBlocks() === 0) return;
    disk.commit(asBlock(memory));
    merged = memory.durableBlocks() - 1;
    inner = disk;
    disk.onDurable(() => listener?.(durableBlocks()));
  };

  /** @type {Store} */
  const store = Object.freeze({
    get: key => inner.get(key),
    getBytes: key => inner.getBytes(key),
    entries: prefix => inner.entries(prefix),
    nextKey: (prior, prefix) => inner.nextKey(prior, prefix),
    commit: batch => inner.commit(batch),
    readStream: name => inner.readStream(name),
    streamChunks: name => inner.streamChunks(name),
    streamLength: name => inner.streamLength(name),
    streamNames: () => inner.streamNames(),
    diskBytes: disk.diskBytes,
    tableBytes: disk.tableBytes,
    streamBytes: disk.streamBytes,
    logBytes: disk.logBytes,
    durableBlocks,
    onDurable(told) {
      listener = told;
    },
    isDurable: () => isSettled() && disk.isDurable(),
    flushed: disk.flushed,
    isClosed: () => disk.isClosed?.() === true,
    close: disk.close,
  });
  return { store, settle };
};
