// The leader's writer of the log: it appends one record after the other under the leader's epoch. An append that is not
// acknowledged is retried with the same bytes and number, so it is in the log once or not at all. If another record has
// the number, this leader was replaced, or the log is damaged; the error says which, and nothing more is written.

import { UserError } from '#model';
import { LogConflict, Unacknowledged } from './interface.js';
import { DamagedRun, insistSeen } from './log-reader.js';
import { LogWatch } from './log-watch.js';
import { hashOf, readRecord, writeRecord } from './record.js';

/** @import { Cluster, RunLog } from './interface.js' */
/** @import { Head } from './log-reader.js' */
/** @import { LogEntry, RecordKind } from './record.js' */

/** Another leader has taken over. */
export class LeadershipLost extends UserError {
  /** @param {string} message */
  constructor(message) {
    super(message, { exitCode: 1 });
  }
}

/** Bound on the bytes of a record beside its payload. */
const recordRoom = 1024;

/** Pause before a retry. */
const pauseMs = 100;

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/** @param {Uint8Array} left @param {Uint8Array} right */
const isSame = (left, right) => Buffer.compare(left, right) === 0;

/** @param {unknown} value */
const toJsonBytes = value => new Uint8Array(Buffer.from(JSON.stringify(value)));

/**
 * @typedef {object} LeaderLogOptions
 * @property {Cluster} cluster
 * @property {string} run
 * @property {RunLog} log
 * @property {Head} head  the last record that the leader has read
 * @property {string} leader  its name
 * @property {number} leaseMs
 * @property {number} patienceMs  how long it waits for the server to answer
 * @property {(line: string) => void} tell
 * @property {(error: Error) => void} onLost  called when it cannot write any more
 */

// eslint-disable-next-line house/max-class-lines -- one writer: its queue, its lease and its failure are one state
export class LeaderLog {
  #options;

  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();

  /** @type {Error | undefined} the reason why it stopped writing */
  #failure;

  #wroteMs = 0;

  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  #watch;

  /** @type {Head} */
  head;

  /** @param {LeaderLogOptions} options */
  constructor(options) {
    this.#options = options;
    this.head = options.head;
    this.#watch = new LogWatch(options);
  }

  /**
   * Begin a run in an empty log.
   *
   * @param {object} facts
   */
  begin(facts) {
    return this.#write('begin', toJsonBytes(facts), {});
  }

  /** Take the lease with a new epoch, and renew it from then on. */
  async takeOver() {
    const { leader, leaseMs } = this.#options;
    await this.#write('lease', toJsonBytes({ leader }), {});
    this.#timer = setInterval(() => this.#renew(), leaseMs / 6);
    this.#timer.unref();
  }

  /**
   * Append a block. Calls need not wait for the acknowledgement of earlier blocks; blocks are written in the order of
   * the calls.
   *
   * @param {Uint8Array} bytes
   * @param {string} activity
   */
  appendBlock(bytes, activity) {
    return this.#write('block', bytes, { activity });
  }

  /** @param {Uint8Array} bytes  of the whole state at the last block */
  checkpoint(bytes) {
    return this.#write('checkpoint', bytes, { checkpoint: -1 });
  }

  /**
   * Insist that the log has a record that a witness saw in it. Nothing more is written before that is known; if it is
   * not so, or the log does not answer, this leader stops.
   *
   * @param {{ seq: number, hash: string }} seen
   * @param {string} witness  for the error
   */
  insistSeen(seen, witness) {
    const { run, log } = this.#options;
    const check = async () => {
      if (this.#failure === undefined) await insistSeen(run, log, seen, witness);
    };
    this.#queue = this.#queue.then(() => this.#patiently(check)).catch(error => this.#fail(error));
  }

  /** Write the end of the run. @param {object} facts */
  async end(facts) {
    await this.#write('end', toJsonBytes(facts), {});
    this.stop();
    this.#failure ??= Error('the run has ended');
  }

  /** Release the lease, so that another leader may take over at once. */
  async release() {
    this.stop();
    if (this.#failure === undefined) await this.#write('release', new Uint8Array(), {});
    this.#failure ??= Error('the leader has stopped');
  }

  /** Stop renewing the lease. */
  stop() {
    clearInterval(this.#timer);
  }

  /** Stop writing. @param {Error} error */
  #fail(error) {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.stop();
    this.#options.onLost(error);
  }

  #renew() {
    const { cluster, leaseMs } = this.#options;
    if (this.#failure === undefined)
      this.#watch.look(this.head.seq).catch(error => this.#fail(error));
    if (this.#failure !== undefined || cluster.nowMs() - this.#wroteMs < leaseMs / 3) return;
    this.#wroteMs = cluster.nowMs();
    // The next write throws the error of a renewal that failed.
    this.#write('renewal', new Uint8Array(), {}).catch(() => {});
  }

  /**
   * @param {RecordKind} kind
   * @param {Uint8Array} payload
   * @param {Partial<Pick<LogEntry, 'activity' | 'checkpoint'>>} changes  to the last record's values; `checkpoint: -1`
   *   means this record
   * @returns {Promise<void>}
   */
  #write(kind, payload, changes) {
    const writing = this.#queue.then(() => this.#writeNow(kind, payload, changes));
    this.#queue = writing.catch(() => {});
    return writing;
  }

  /** @param {RecordKind} kind @param {Uint8Array} payload @param {Partial<LogEntry>} changes */
  async #writeNow(kind, payload, changes) {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      const { cluster } = this.#options;
      const isLarge = payload.length > cluster.maxBytes - recordRoom || kind === 'checkpoint';
      const placed = isLarge
        ? { blob: await this.#patiently(() => cluster.putBlob(payload)), length: payload.length }
        : { bytes: payload };
      const { head } = this;
      const { checkpoint = head.checkpoint, ...others } = changes;
      const seq = head.seq + 1;
      /** @type {LogEntry} */
      const entry = {
        ...{ kind, seq, before: head.hash },
        epoch: head.epoch + (kind === 'lease' ? 1 : 0),
        block: head.block + (kind === 'block' ? 1 : 0),
        ...{ activity: head.activity, payload: placed },
        ...others,
        checkpoint: checkpoint === -1 ? seq : checkpoint,
      };
      const bytes = writeRecord(entry);
      this.#wroteMs = cluster.nowMs();
      await this.#patiently(() => this.#append(bytes, head.seq));
      const { epoch, block, activity } = entry;
      this.head = {
        seq,
        hash: hashOf(bytes),
        epoch,
        block,
        activity,
        checkpoint: entry.checkpoint,
      };
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      throw error;
    }
  }

  /**
   * Retry until the server acknowledges.
   *
   * @template T
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  async #patiently(act) {
    const { cluster, patienceMs, tell } = this.#options;
    const begunMs = cluster.nowMs();
    let isTold = false;
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof Unacknowledged)) throw error;
        const waitedMs = cluster.nowMs() - begunMs;
        if (waitedMs > patienceMs)
          throw new UserError(
            `${cluster.name} has acknowledged nothing for ${Math.round(waitedMs / 1000)} s (${error.message}): see its log; one whose disk was full stores nothing until it is started again. When it acknowledges again, the same command goes on with the run`,
            { exitCode: 1, cause: error },
          );
        if (waitedMs > 1000 && !isTold) {
          isTold = true;
          tell(`${cluster.name} does not acknowledge (${error.message}); waiting for it`);
        }
        await pause(pauseMs);
      }
    }
  }

  /** @param {Uint8Array} bytes @param {number} last */
  async #append(bytes, last) {
    const { log, run } = this.#options;
    try {
      const seq = await log.append(bytes, last);
      if (seq === last + 1) return;
      throw new DamagedRun(
        run,
        `record ${last + 1} was acknowledged as record ${seq}: the server has another log than the one that was written`,
      );
    } catch (error) {
      if (!(error instanceof LogConflict) && !(error instanceof Unacknowledged)) throw error;
      // The acknowledgement of an earlier try may have been lost.
      const there = await log.get(last + 1);
      if (there !== undefined && isSame(there, bytes)) return;
      const isOpen = there === undefined && error instanceof Unacknowledged;
      // A stream that was removed acknowledges nothing any more.
      if (isOpen && (last === 0 || (await log.last()) > 0)) throw error;
      throw await this.#explainConflict();
    }
  }

  /** Explain why another record has our number. @returns {Promise<Error>} */
  async #explainConflict() {
    const { run, log } = this.#options;
    const { head } = this;
    try {
      const last = await log.last();
      if (last < head.seq)
        return new DamagedRun(
          run,
          `records ${last + 1} to ${head.seq}, up to block ${head.block}, were acknowledged and are lost`,
        );
      await insistSeen(run, log, head, 'this leader');
      const next = await log.get(head.seq + 1);
      if (next === undefined)
        return new DamagedRun(run, `block ${head.block + 1}, record ${head.seq + 1}, is missing`);
      return new LeadershipLost(describeWinner(run, next));
    } catch (error) {
      if (error instanceof DamagedRun || error instanceof Unacknowledged) return error;
      throw error;
    }
  }
}

/** @param {string} run @param {Uint8Array} bytes */
const describeWinner = (run, bytes) => {
  try {
    const { epoch, payload, kind } = readRecord(bytes);
    const { leader } =
      kind === 'lease' && 'bytes' in payload
        ? JSON.parse(Buffer.from(payload.bytes).toString())
        : { leader: 'another leader' };
    return `run ${run} is led by ${leader} now, with epoch ${epoch}; this leader was taken for dead, and has stopped`;
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof SyntaxError)) throw error;
    return `the log of run ${run} has a record that is none in the place of this leader's next one; it has stopped`;
  }
};
