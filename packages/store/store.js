// The interface of every store: a table of keys in byte order and append-only streams, changed by one atomic batch a
// block. Readers see committed blocks only. Both kinds of store give equal answers, byte for byte.

/**
 * One block. Streams are deleted first, then keys are written, then bytes are appended; so a stream that is deleted and
 * appended to starts empty.
 *
 * @typedef {object} Batch
 * @property {{ forEach: (visit: (value: string | Uint8Array | undefined, key: string) => void) => void }} puts  a Map
 *   or a list with its `forEach`; `undefined` deletes the key; if a key occurs twice, the later value counts; strings
 *   are stored as UTF-8, so a lone surrogate comes back as U+FFFD
 * @property {{ forEach: (visit: (bytes: Uint8Array, name: string) => void) => void }} [appends]  likewise, the bytes
 *   that this block adds to each stream; copied before `commit` returns
 * @property {Iterable<string>} [deleteStreams]  streams that are deleted
 */

/**
 * @typedef {object} Store
 * @property {(key: string) => string | undefined} get
 * @property {(key: string) => Uint8Array | undefined} getBytes  the same value as bytes; not to be written to
 * @property {(prefix: string) => IterableIterator<[string, string]>} entries  in key order; commits during the
 *   iteration are allowed, and it sees their changes to later keys
 * @property {(prior: string, prefix: string) => string | undefined} nextKey  the smallest key after `prior`
 *   that starts with `prefix`
 * @property {(batch: Batch) => void} commit  returns when the block is committed, or throws and has changed nothing
 * @property {(name: string) => Uint8Array} readStream  all its bytes; none for an unknown stream
 * @property {(name: string) => Iterable<Uint8Array>} streamChunks  all its bytes, some 64 KiB at a time and cut
 *   anywhere
 * @property {(name: string) => number} streamLength  bytes
 * @property {() => string[]} streamNames  of streams with at least one byte, in key order
 * @property {() => number} diskBytes  bytes of the database's files; cheap enough to ask at every block
 * @property {() => number} tableBytes  the part of `diskBytes` in pages of the table of keys; as cheap
 * @property {() => number} streamBytes  the part of `diskBytes` in pages of streams; as cheap
 * @property {() => number} logBytes  the part of `diskBytes` in records of the log that the database does not have yet;
 *   as cheap
 * @property {() => number} durableBlocks  the number of blocks committed since the store was opened that would survive
 *   a power failure now
 * @property {(listener: (durableBlocks: number) => void) => void} onDurable  called when that number grows; there is
 *   one listener, the last one given
 * @property {() => boolean} isDurable  whether every block committed so far is as durable as the store makes it without
 *   a wait: with `none`, always
 * @property {() => Promise<void>} flushed  resolves when every block committed so far is durable
 * @property {() => boolean} [isClosed]
 * @property {() => Promise<void>} close  makes everything durable, closes the files and releases the directory; a second
 *   call waits for the first
 */

export {};
