// A store that is opened with its first block. Until then it is empty, and the present files on disk stay: a run that
// fails before its first commit (by a mistake in a vat's source, say) discards nothing.

import { makeMemoryStore } from '#store/memory-store.js';

/** @import { Store } from '#store' */

/**
 * @param {() => Store} openStore  called once
 * @returns {{ store: Store, open: () => void }}  `open` opens it before the first block, so that measurements exclude it
 */
export const makeDeferredStore = openStore => {
  let inner = makeMemoryStore();
  let isOpen = false;
  /** @type {((durableBlocks: number) => void) | undefined} */
  let listener;
  const open = () => {
    if (isOpen) return;
    inner = openStore();
    isOpen = true;
    if (listener) inner.onDurable(listener);
  };

  /** @type {Store} */
  const store = Object.freeze({
    get: key => inner.get(key),
    getBytes: key => inner.getBytes(key),
    entries: prefix => inner.entries(prefix),
    nextKey: (prior, prefix) => inner.nextKey(prior, prefix),
    commit(batch) {
      open();
      inner.commit(batch);
    },
    readStream: name => inner.readStream(name),
    streamChunks: name => inner.streamChunks(name),
    streamLength: name => inner.streamLength(name),
    streamNames: () => inner.streamNames(),
    diskBytes: () => inner.diskBytes(),
    tableBytes: () => inner.tableBytes(),
    streamBytes: () => inner.streamBytes(),
    logBytes: () => inner.logBytes(),
    durableBlocks: () => inner.durableBlocks(),
    onDurable(told) {
      listener = told;
      if (isOpen) inner.onDurable(told);
    },
    isDurable: () => inner.isDurable(),
    flushed: () => inner.flushed(),
    close: () => inner.close(),
  });
  return { store, open };
};
