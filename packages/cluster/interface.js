// The interface of a cluster. Two implement it: JetStream (nats-cluster.js) and this process (memory-cluster.js, which
// injects faults). Everything above rests on these few promises alone:
//
// - A log is a sequence of records with the numbers 1, 2, …. `append` adds one behind a given number or not at all.
//   That is what fences a leader that has been replaced. An acknowledged record may still be lost, altered or doubled
//   by a broken server: the chain of hashes in the records finds that (log-reader.js), and nothing here promises it.
// - A blob is bytes under their SHA-256.
// - A channel may lose, double, delay and reorder what is published; link.js makes a reliable one of it.
// - `nowMs` never goes back, and has nothing to do with the clock on the wall.

/** Another record has the place. `append` has changed nothing. */
export class LogConflict extends Error {}

/** No acknowledgement came, so the record may have been added or not. */
export class Unacknowledged extends Error {}

/**
 * @typedef {object} RunLog
 * @property {(bytes: Uint8Array, last: number) => Promise<number>} append  behind record `last`, 0 for an empty log; resolves to the
 *   number of the new one once it is acknowledged. Rejects with `LogConflict`, `Unacknowledged`, or a UserError that says what
 *   has to be done
 * @property {() => Promise<number>} last  the number of the last record; 0 if there is none
 * @property {(seq: number) => Promise<Uint8Array | undefined>} get  undefined if the log has none of this number
 * @property {(from: number) => AsyncIterable<LogRecord>} read  those from this number to the present end, in the order of the log
 * @property {(onHint: () => void) => () => void} watch  calls `onHint` when there may be more, sometimes without reason, and perhaps
 *   not each time; returns what ends it
 */

/** A record as the log has it. @typedef {{ seq: number, bytes: Uint8Array }} LogRecord */

/**
 * @typedef {object} Cluster
 * @property {string} name  for messages
 * @property {number} maxBytes  longer records, and longer messages, are refused
 * @property {() => Promise<RunLog | undefined>} findLog  of the run; undefined if there is none
 * @property {() => Promise<RunLog>} provideLog  makes an empty one where there is none
 * @property {(bytes: Uint8Array) => Promise<string>} putBlob  resolves to its name once it is acknowledged
 * @property {(name: string) => Promise<Uint8Array | undefined>} getBlob  undefined if there is none; whether it is what it is called,
 *   the caller looks
 * @property {(subject: string, bytes: Uint8Array) => void} publish  may be lost
 * @property {(subject: string, onMessage: (bytes: Uint8Array, subject: string, reply: ((bytes: Uint8Array) => void) | undefined) => void)
 *   => () => void} subscribe  `*` stands for one part of a subject; returns what ends it
 * @property {(subject: string, bytes: Uint8Array, timeoutMs: number) => Promise<Uint8Array | undefined>} request  undefined if
 *   nobody answers in time
 * @property {() => number} nowMs  monotonic
 * @property {() => Promise<void>} ready  all subscriptions are in force
 * @property {() => Promise<void>} close
 */
