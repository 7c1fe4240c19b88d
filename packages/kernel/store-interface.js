// The interface of a store, as the kernel needs it. The stores themselves are in packages/store; the kernel is given one.

/**
 * Keys and their values, as a Map or a list (put-list.js): if a key occurs twice, the later value counts.
 *
 * @typedef {object} Puts
 * @property {(key: string, value: string | Uint8Array | undefined) => unknown} set  `undefined` deletes the key
 * @property {(visit: (value: string | Uint8Array | undefined, key: string) => void) => void} forEach
 */

/**
 * One block's changes, written whole or not at all.
 *
 * @typedef {object} Batch
 * @property {Puts} puts
 * @property {{ forEach: (visit: (bytes: Uint8Array, name: string) => void) => void }} appends  bytes for the end of a stream,
 *   by the stream's name; a store may go through them more than once
 * @property {string[]} deleteStreams  streams to delete, before the appends
 */

/**
 * @typedef {object} StoreReader
 * @property {(key: string) => string | undefined} get
 * @property {(key: string) => Uint8Array | undefined} getBytes
 * @property {(prefix: string) => Iterable<[key: string, value: string]>} entries  in the order of keys
 * @property {(prior: string, prefix: string) => string | undefined} nextKey  the smallest key after `prior` that has the prefix
 * @property {(name: string) => Uint8Array} readStream
 * @property {() => string[]} streamNames  of streams with at least one byte
 */

/**
 * @typedef {StoreReader & { commit: (batch: Batch) => void | Promise<void> }} KernelStore
 */

export {};
