// The interface by which overlay and queries read a database. LMDB implements it (database.js), and so do we
// (page-database.js).

/**
 * Reads a database. A block log may change what is read (overlay.js).
 *
 * @typedef {object} DatabaseReader
 * @property {ReadonlyMap<string, number>} lengths  of streams, in bytes
 * @property {(key: string) => Buffer | undefined} get
 * @property {(start: string, limit: number) => string[]} keysFrom  up to so many keys, from the first one not before `start`
 * @property {(name: string, start: number) => Buffer} readStreamFrom  some 64 KiB, and never beyond the stream's end
 */

export {};
