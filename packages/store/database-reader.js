// The interface by which overlay and queries read a database. There are two implementations: with LMDB (database.js),
// and without it (page-database.js).

/**
 * A reader of a database. The overlay adds the changes of the block log (overlay.js).
 *
 * @typedef {object} DatabaseReader
 * @property {ReadonlyMap<string, number>} lengths  of streams, in bytes
 * @property {(key: string) => Buffer | undefined} get
 * @property {(start: string, limit: number) => string[]} keysFrom  up to `limit` keys, from the first one not before
 *   `start`
 * @property {(name: string, start: number) => Buffer} readStreamFrom  some 64 KiB, and never beyond the stream's end
 */

export {};
