// What overlay and queries ask of a database, whoever reads it: LMDB (database.js) or we (page-database.js).

/**
 * What a database answers; a log may add to it (overlay.js).
 *
 * @typedef {object} DatabaseReader
 * @property {ReadonlyMap<string, number>} lengths  of streams, in bytes
 * @property {(key: string) => Buffer | undefined} get
 * @property {(start: string, limit: number) => string[]} keysFrom  up to so many keys, from the first one not before `start`
 * @property {(name: string, start: number) => Buffer} readStreamFrom  some 64 KiB, and never beyond the stream's end
 */

export {};
