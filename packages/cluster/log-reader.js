// Reads a run's log without trust: each record must be intact, in its place, chained to the one before, and of the
// epoch in force. An error names the first wrong record and its block, and no later record counts.

import { UserError } from '#model';
import { hashOf, noHash, readRecord, sha256Hex } from './record.js';

/** @import { Cluster, LogRecord, RunLog } from './interface.js' */
/** @import { LogEntry } from './record.js' */

const remedy =
  'bring back the stream from a server or a backup that has it whole, or begin the run anew under another --run';

/** A log that is not as it was written. */
export class DamagedRun extends UserError {
  /**
   * @param {string} run
   * @param {string} what
   */
  constructor(run, what) {
    super(`the log of run ${run} is damaged: ${what}; ${remedy}`, { exitCode: 1 });
  }
}

/**
 * The last record of a log.
 *
 * @typedef {object} Head
 * @property {number} seq  of its last record, 0 for none
 * @property {string} hash  of this record
 * @property {number} epoch
 * @property {number} block
 * @property {number} checkpoint  the number of the last checkpoint, 0 for none
 * @property {string} activity
 */

/** @type {Readonly<Head>} */
export const emptyHead = Object.freeze({
  ...{ seq: 0, hash: noHash, epoch: 0, block: 0, checkpoint: 0, activity: noHash },
});

/** @param {LogEntry} entry @param {string} hash @returns {Head} */
const headBehind = ({ seq, epoch, block, checkpoint, activity }, hash) => ({
  ...{ seq, hash, epoch, block, checkpoint, activity },
});

class ChainReader {
  #run;

  /** @type {Head} */
  head;

  /**
   * @param {string} run
   * @param {Head} [head]  the record after which reading begins
   */
  constructor(run, head = emptyHead) {
    this.#run = run;
    this.head = head;
  }

  /** @param {string} what */
  #refuse(what) {
    return new DamagedRun(this.#run, what);
  }

  /**
   * @param {LogRecord} record
   * @param {string} where
   * @returns {LogEntry}
   */
  #open({ bytes }, where) {
    try {
      return readRecord(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw this.#refuse(`${where}: ${error.message}`);
    }
  }

  /**
   * Begin at a checkpoint within the log.
   *
   * @param {LogRecord} record
   * @returns {LogEntry}
   * @throws {DamagedRun}
   */
  beginAt(record) {
    const where = `record ${record.seq}, which should be a checkpoint`;
    const entry = this.#open(record, where);
    if (entry.seq !== record.seq) throw this.#refuse(`${where}, was written as ${entry.seq}`);
    if (entry.kind !== 'checkpoint') throw this.#refuse(`${where}, is a ${entry.kind}`);
    this.head = headBehind(entry, hashOf(record.bytes));
    return entry;
  }

  /**
   * The next record.
   *
   * @param {LogRecord} record
   * @returns {LogEntry}
   * @throws {DamagedRun}
   */
  next(record) {
    const { head } = this;
    const seq = head.seq + 1;
    const where = `block ${head.block + 1}, record ${seq}`;
    if (record.seq > seq)
      throw this.#refuse(`${where} is lost: the next that is there is record ${record.seq}`);
    if (record.seq < seq) throw this.#refuse(`${where} comes as record ${record.seq} once more`);
    const entry = this.#open(record, where);
    if (entry.seq !== seq)
      throw this.#refuse(`${where} is not in its place: it was written as record ${entry.seq}`);
    if (entry.before !== head.hash)
      throw this.#refuse(
        `${where} does not follow record ${head.seq}: one of the two was replaced, or two leaders wrote at once`,
      );
    this.#insistOrder(entry, where);
    this.head = headBehind(entry, hashOf(record.bytes));
    return entry;
  }

  /** @param {LogEntry} entry @param {string} where */
  #insistOrder({ kind, epoch, block, checkpoint, seq }, where) {
    const { head } = this;
    const isFirst = head.seq === 0;
    if (isFirst !== (kind === 'begin'))
      throw this.#refuse(`${where} is a ${kind} in the wrong place`);
    const newEpoch = kind === 'lease' ? head.epoch + 1 : head.epoch;
    if (epoch !== newEpoch)
      throw this.#refuse(`${where} is of epoch ${epoch}, while ${newEpoch} is in force`);
    if (block !== head.block + (kind === 'block' ? 1 : 0))
      throw this.#refuse(`${where} says that it is block ${block}, behind block ${head.block}`);
    if (checkpoint !== (kind === 'checkpoint' ? seq : head.checkpoint))
      throw this.#refuse(`${where} names record ${checkpoint} as the last checkpoint`);
  }
}

/**
 * Load the payload of an entry.
 *
 * @param {Pick<Cluster, 'getBlob'>} cluster
 * @param {string} run
 * @param {LogEntry} entry
 * @returns {Promise<Uint8Array>}
 * @throws {DamagedRun} if its blob is missing or wrong
 */
const loadPayload = async (cluster, run, { payload, kind, block, seq }) => {
  if ('bytes' in payload) return payload.bytes;
  const { blob, length } = payload;
  const what = `blob ${blob} of ${kind} record ${seq}, block ${block},`;
  const bytes = await cluster.getBlob(blob, length);
  if (bytes === undefined) throw new DamagedRun(run, `${what} is missing`);
  if (bytes.length !== length || sha256Hex(bytes) !== blob)
    throw new DamagedRun(run, `${what} is not the ${length} bytes of its name`);
  return bytes;
};

/**
 * Read a log from its last checkpoint, or from a record that was read before.
 *
 * @param {Cluster} cluster
 * @param {string} run
 * @param {RunLog} log
 * @param {object} [options]
 * @param {Head} [options.from]  begin after this record, which the log must have
 * @param {boolean} [options.isWhole]  begin at the first record, despite checkpoints
 * @returns {AsyncGenerator<{ entry: LogEntry, head: Head, load: () => Promise<Uint8Array> }>}
 * @throws {DamagedRun}
 */
export async function* readLog(cluster, run, log, { from, isWhole = false } = {}) {
  const reader = new ChainReader(run, from);
  const last = await log.last();
  if (from === undefined && !isWhole && last > 0) {
    const checkpoint = await findCheckpoint(run, log, last);
    if (checkpoint !== undefined) {
      const entry = reader.beginAt(checkpoint);
      yield { entry, head: reader.head, load: () => loadPayload(cluster, run, entry) };
    }
  }
  if (last < reader.head.seq)
    throw new DamagedRun(
      run,
      `records ${last + 1} to ${reader.head.seq}, up to block ${reader.head.block}, were acknowledged and are lost`,
    );
  for await (const record of log.read(reader.head.seq + 1)) {
    const entry = reader.next(record);
    yield { entry, head: reader.head, load: () => loadPayload(cluster, run, entry) };
    if (reader.head.seq >= last) return;
  }
  if (reader.head.seq < last)
    throw new DamagedRun(
      run,
      `block ${reader.head.block + 1}, record ${reader.head.seq + 1} is lost: the log says that it has ${last}`,
    );
}

/**
 * @param {string} run
 * @param {RunLog} log
 * @param {number} last
 * @returns {Promise<LogRecord | undefined>}
 */
const findCheckpoint = async (run, log, last) => {
  const bytes = await log.get(last);
  if (bytes === undefined) throw new DamagedRun(run, `its last record, ${last}, is lost`);
  /** @type {LogEntry} */
  let entry;
  try {
    entry = readRecord(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DamagedRun(run, `its last record, ${last}: ${error.message}`);
  }
  const { checkpoint } = entry;
  if (checkpoint === 0) return undefined;
  const found = await log.get(checkpoint);
  if (found === undefined) throw new DamagedRun(run, `checkpoint record ${checkpoint} is lost`);
  return { seq: checkpoint, bytes: found };
};

/**
 * Insist that a log has a record that a witness saw in it.
 *
 * @param {string} run
 * @param {RunLog} log
 * @param {{ seq: number, hash: string }} seen
 * @param {string} witness  for the error
 * @throws {DamagedRun} if it does not
 */
export const insistSeen = async (run, log, { seq, hash }, witness) => {
  if (seq === 0) return;
  const bytes = await log.get(seq);
  if (bytes === undefined)
    throw new DamagedRun(run, `record ${seq}, which ${witness} has seen acknowledged, is lost`);
  if (hashOf(bytes) !== hash)
    throw new DamagedRun(run, `record ${seq} is another than ${witness} has seen acknowledged`);
};
