// The interface of a cluster, implemented by JetStream (nats-cluster.js) and within this process (test/memory-cluster.js,
// which injects faults). The other files rely only on these guarantees:
//
// - A log is a sequence of records with the numbers 1, 2, …. `append` adds one after a given number or not at all.
//   This fences a leader that has been replaced. An acknowledged record may still be lost, altered or doubled
//   by a broken server: the chain of hashes in the records detects that (log-reader.js).
// - A blob is bytes under their SHA-256.
// - A channel may lose, duplicate, delay and reorder messages; link.js makes a reliable one of it.
// - `nowMs` is monotonic and independent of the wall clock.

/** Another record has this number. `append` has changed nothing. */
export class LogConflict extends Error {}

/** No acknowledgement came, so the record may have been added or not. */
export class Unacknowledged extends Error {}

/**
 * @typedef {object} RunLog
 * @property {(bytes: Uint8Array, last: number) => Promise<number>} append  behind record `last`, 0 for an empty log;
 *   resolves to the number of the new one once it is acknowledged. Rejects with `LogConflict`, `Unacknowledged`, or a
 *   UserError with a remedy
 * @property {() => Promise<number>} last  the number of the last record; 0 if there is none
 * @property {(seq: number) => Promise<Uint8Array | undefined>} get  undefined if the log has none of this number
 * @property {(from: number) => AsyncIterable<LogRecord>} read  records from this number to the present end, in order
 * @property {(onHint: () => void) => () => void} watch  calls `onHint` when there may be new records; it may be called
 *   without any, and not for each; returns a function that ends the watch
 */

/** A record as the log has it. @typedef {{ seq: number, bytes: Uint8Array }} LogRecord */

/**
 * @typedef {object} Cluster
 * @property {string} name  for messages
 * @property {number} maxBytes  bound on the bytes of a record and of a message
 * @property {() => Promise<RunLog | undefined>} findLog  of the run; undefined if there is none
 * @property {() => Promise<RunLog>} provideLog  makes an empty one if there is none
 * @property {(bytes: Uint8Array) => Promise<string>} putBlob  resolves to its name once it is acknowledged
 * @property {(name: string, length: number) => Promise<Uint8Array | undefined>} getBlob  undefined if there is none; one
 *   of another length is not read and counts as empty; the caller must check the hash
 * @property {(subject: string, bytes: Uint8Array) => void} publish  at most `maxBytes`; may be lost. So may a reply
 * @property {(subject: string, onMessage: (bytes: Uint8Array, subject: string, reply: ((bytes: Uint8Array) => void) |
 *   undefined) => void) => () => void} subscribe  `*` matches one part of a subject; returns a function that ends the
 *   subscription
 * @property {(subject: string, bytes: Uint8Array, timeoutMs: number) => Promise<Uint8Array | undefined>}
 *   request  undefined if no answer comes in time
 * @property {() => number} nowMs  monotonic
 * @property {() => Promise<void>} ready  settles when all subscriptions are in force
 * @property {() => Promise<void>} close
 */
