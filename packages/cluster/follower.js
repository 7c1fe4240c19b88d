// The state of a run as its log has it: from the last checkpoint, or from a copy that this machine has kept, every block is
// applied to a local store. A standby does this all the time, a leader before it begins. The copy is a cache: what the log
// does not bear out is refused, and a copy that is only half there is made again.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '#model';
import { readStateFile } from '#store';
import { readBatch } from './batch-bytes.js';
import { DamagedRun, emptyHead, insistSeen, readLog } from './log-reader.js';
import { readRecord } from './record.js';

/** @import { Store } from '#store' */
/** @import { Cluster, RunLog } from './interface.js' */
/** @import { Head } from './log-reader.js' */

/** Which block of the log the local store has: a `Head`, JSON. */
const copyKey = 'local.cluster';

/** There while a checkpoint is loaded. */
const loadingKey = 'local.clusterLoading';

/**
 * What the first record says of a run.
 *
 * @typedef {object} RunFacts
 * @property {string} run
 * @property {string} id  made at random
 * @property {string} program  what is run, for people
 * @property {string} version  of the package
 * @property {{ v8: string, icu: string, arch: string }} engine
 * @property {number} leaseMs
 * @property {number} rounds  wanted on the command line, -1 for none
 */

/**
 * @param {string} run
 * @param {RunLog} log
 * @returns {Promise<RunFacts>}
 */
export const readFacts = async (run, log) => {
  const bytes = await log.get(1);
  if (bytes === undefined) throw new DamagedRun(run, 'its first record is lost');
  try {
    const { kind, payload } = readRecord(bytes);
    if (kind !== 'begin' || !('bytes' in payload)) throw RangeError(`it is a ${kind}`);
    return JSON.parse(Buffer.from(payload.bytes).toString());
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof SyntaxError)) throw error;
    throw new DamagedRun(run, `its first record: ${error.message}`);
  }
};

/** @param {Store} store @returns {Head | undefined} */
const readCopy = store => {
  const text = store.get(copyKey);
  return text === undefined || store.get(loadingKey) !== undefined ? undefined : JSON.parse(text);
};

/** Whether a store has something that is no whole copy of a run. @param {Store} store */
export const isBrokenCopy = store => {
  const [first] = store.entries('');
  return first !== undefined && readCopy(store) === undefined;
};

/**
 * A block, into the local store.
 *
 * @param {Store} store
 * @param {Uint8Array} bytes
 * @param {Head} head  behind it
 */
export const applyBlock = (store, bytes, head) => {
  const batch = readBatch(bytes);
  batch.puts.set(copyKey, Buffer.from(JSON.stringify(head)));
  store.commit(batch);
};

/** @param {Store} store  empty @param {Uint8Array} bytes  of a checkpoint */
const loadCheckpoint = (store, bytes) => {
  const dir = mkdtempSync(join(tmpdir(), 'swingset-checkpoint-'));
  try {
    const file = join(dir, 'state');
    writeFileSync(file, bytes);
    store.commit({ puts: new Map([[loadingKey, '1']]) });
    readStateFile(file, store);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

export class Follower {
  #cluster;

  #run;

  #log;

  #store;

  /** @type {Head} */
  head = emptyHead;

  /** Whether the last record lets another leader take over at once. */
  isFree = true;

  /** What the run came to, if it has ended. @type {{ activity: string, cranks: number } | undefined} */
  ended;

  /** When a new record was seen last, by the cluster's clock. */
  seenMs;

  #isFresh = true;

  /**
   * @param {Cluster} cluster
   * @param {string} run
   * @param {RunLog} log
   * @param {Store} store  empty, or a copy of the run
   */
  constructor(cluster, run, log, store) {
    this.#cluster = cluster;
    this.#run = run;
    this.#log = log;
    this.#store = store;
    this.seenMs = cluster.nowMs();
  }

  /** What was kept here counts if the log has it. */
  async #begin() {
    const copy = readCopy(this.#store);
    if (copy === undefined) return;
    await insistSeen(this.#run, this.#log, copy, 'the copy of this machine');
    this.head = copy;
  }

  /**
   * Apply what is new.
   *
   * @returns {Promise<boolean>} whether anything was
   * @throws {DamagedRun}
   */
  async catchUp() {
    const isFirst = this.#isFresh;
    if (isFirst) await this.#begin();
    this.#isFresh = false;
    const before = this.head.seq;
    const from = this.head.seq > 0 ? { from: this.head } : {};
    for await (const { entry, head, load } of readLog(this.#cluster, this.#run, this.#log, from)) {
      this.isFree = entry.kind === 'release' || entry.kind === 'begin';
      if (entry.kind === 'block') await this.#applyBlock(await load(), head);
      else if (entry.kind === 'checkpoint' && this.head.seq === 0) {
        loadCheckpoint(this.#store, await load());
        const puts = new Map([[copyKey, JSON.stringify(head)]]);
        this.#store.commit({ puts: puts.set(loadingKey, /** @type {any} */ (undefined)) });
      } else if (entry.kind === 'end')
        this.ended = JSON.parse(Buffer.from(await load()).toString());
      this.head = head;
    }
    const isNew = this.head.seq !== before;
    if (isNew) this.seenMs = this.#cluster.nowMs();
    return isNew;
  }

  /** @param {Uint8Array} bytes @param {Head} head */
  async #applyBlock(bytes, head) {
    try {
      applyBlock(this.#store, bytes, head);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new DamagedRun(this.#run, `block ${head.block}, record ${head.seq}: ${error.message}`);
    }
  }
}

/**
 * Whether a run may be led, or hosted, by this program.
 *
 * @param {RunFacts} facts
 * @param {{ version: string, engine: RunFacts['engine'] }} own
 * @param {string} who
 * @throws {UserError}
 */
export const insistSameEngine = (facts, own, who) => {
  if (facts.version !== own.version)
    throw new UserError(
      `${who} has version ${own.version} of the package, run ${facts.run} was begun with ${facts.version}; install that one`,
    );
  const { v8, icu, arch } = facts.engine;
  const tell = (/** @type {RunFacts['engine']} */ engine) =>
    `V8 ${engine.v8}, ICU ${engine.icu}, ${engine.arch}`;
  if (v8 !== own.engine.v8 || icu !== own.engine.icu || arch !== own.engine.arch)
    throw new UserError(
      `${who} has another engine (${tell(own.engine)}) than run ${facts.run} was begun with (${tell(facts.engine)}); use that version of Node`,
    );
};
