// Stores of blocks: in memory, or on disk in LMDB with a log of the latest blocks beside it.

export { readAll, storeContents, storeDigest } from './contents.js';
export { insistUnused } from './directory-lock.js';
export { maxKeyBytes } from './keys.js';
export { readLmdbStore } from './lmdb-reader.js';
export { openLmdbStore, provideLmdbStore } from './lmdb-store.js';
export { makeMemoryStore } from './memory-store.js';
export { readStateFile, stateFileChunks } from './state-file.js';

/** @typedef {import('./store.js').Batch} Batch */
/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./contents.js').StoreContents} StoreContents */
/** @typedef {import('./lmdb-store.js').Durability} Durability */
