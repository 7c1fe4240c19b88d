// A store that is opened with its first block. Until then it is empty, and whatever is in its place on disk stays
// there: a run that does not come as far as its first commit (a mistake in a vat's source, say) discards nothing.

import { makeMemoryStore } from '#store';

/** @import { Store } from '#store' */

/**
 * @param {() => Store} open  called once
 * @returns {Store}
 */
export const makeDeferredStore = open => {
  let inner = makeMemoryStore();
  let isOpen = false;
  /** @type {((durableBlocks: number) => void) | undefined} */
  let listener;
  return Object.freeze({
    get: key => inner.get(key),
    getBytes: key => inner.getBytes(key),
    entries: prefix => inner.entries(prefix),
    nextKey: (prior, prefix) => inner.nextKey(prior, prefix),
    commit(batch) {
      if (!isOpen) {
        inner = open();
        isOpen = true;
        if (listener) inner.onDurable(listener);
      }
      inner.commit(batch);
    },
    readStream: name => inner.readStream(name),
    streamChunks: name => inner.streamChunks(name),
    streamLength: name => inner.streamLength(name),
    streamNames: () => inner.streamNames(),
    diskBytes: () => inner.diskBytes(),
    durableBlocks: () => inner.durableBlocks(),
    onDurable(told) {
      listener = told;
      if (isOpen) inner.onDurable(told);
    },
    flushed: () => inner.flushed(),
    close: () => inner.close(),
  });
};
