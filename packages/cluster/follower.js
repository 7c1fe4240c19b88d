// Applies the blocks of a log to a local store, from the last checkpoint or from a copy on this machine. A standby does
// this all the time, a leader before it begins. The copy is a cache: one that disagrees with the log is refused, and an
// incomplete one is rebuilt.

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

/** Key of the last applied record: a `Head`, JSON. */
const copyKey = 'local.cluster';

/** A key that exists while a checkpoint is loaded. */
const loadingKey = 'local.clusterLoading';

/**
 * The description of a run in its first record.
 *
 * @typedef {object} RunFacts
 * @property {string} run
 * @property {string} id  random
 * @property {string} secret  random; hosts do not learn it (seen-proof.js)
 * @property {string} program  name of the program, for people
 * @property {string} version  of the package
 * @property {{ v8: string, icu: string, arch: string }} engine
 * @property {number} leaseMs
 * @property {number} rounds  wanted on the command line, -1 for none
 */

/** @param {any} facts  anything that was JSON @returns {facts is RunFacts} */
const isFacts = facts =>
  typeof facts === 'object' &&
  facts !== null &&
  [facts.run, facts.id, facts.secret, facts.program, facts.version].every(
    each => typeof each === 'string',
  ) &&
  /^[0-9a-f]{16}$/.test(facts.id) &&
  [facts.engine?.v8, facts.engine?.icu, facts.engine?.arch].every(
    each => typeof each === 'string',
  ) &&
  Number.isSafeInteger(facts.leaseMs) &&
  facts.leaseMs > 0 &&
  Number.isSafeInteger(facts.rounds);

/**
 * @param {string} run
 * @param {RunLog} log
 * @returns {Promise<RunFacts>}
 * @throws {DamagedRun} if the first record is lost, or is not a description of the run
 */
export const readFacts = async (run, log) => {
  const bytes = await log.get(1);
  if (bytes === undefined) throw new DamagedRun(run, 'its first record is lost');
  try {
    const { kind, payload } = readRecord(bytes);
    if (kind !== 'begin' || !('bytes' in payload)) throw RangeError(`it is a ${kind}`);
    const facts = JSON.parse(Buffer.from(payload.bytes).toString());
    if (!isFacts(facts) || facts.run !== run)
      throw RangeError(
        `it is no description of run ${run} that this version of the package has written`,
      );
    return facts;
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof SyntaxError)) throw error;
    throw new DamagedRun(run, `its first record: ${error.message}`);
  }
};

/** @param {any} head  anything that was JSON @returns {head is Head} */
const isHead = head =>
  typeof head === 'object' &&
  head !== null &&
  [head.seq, head.epoch, head.block, head.checkpoint].every(Number.isSafeInteger) &&
  [head.hash, head.activity].every(each => typeof each === 'string');

/** @param {Store} store @returns {Head | undefined} undefined if it is not a complete copy of a run */
export const readCopy = store => {
  const text = store.get(copyKey);
  if (text === undefined || store.get(loadingKey) !== undefined) return undefined;
  try {
    const head = JSON.parse(text);
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
};

/** Whether a store has data but not a complete copy of a run. @param {Store} store */
export const isBrokenCopy = store => {
  const [first] = store.entries('');
  return first !== undefined && readCopy(store) === undefined;
};

/**
 * Apply a block to the local store.
 *
 * @param {Store} store
 * @param {Uint8Array} bytes
 * @param {Head} head  after the block
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

  /** The result of the run, if it has ended. @type {{ activity: string, cranks: number } | undefined} */
  ended;

  /** When the last new record was read, by the cluster's clock. */
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

  /** Begin with the copy of this machine, if any; the log must have the copy's last record. */
  async #begin() {
    const copy = readCopy(this.#store);
    if (copy === undefined) return;
    await insistSeen(this.#run, this.#log, copy, 'the copy of this machine');
    this.head = copy;
  }

  /**
   * Apply new records.
   *
   * @returns {Promise<boolean>} whether there were any
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
        this.#loadCheckpoint(await load(), head);
        const puts = new Map([[copyKey, JSON.stringify(head)]]);
        this.#store.commit({ puts: puts.set(loadingKey, /** @type {any} */ (undefined)) });
      } else if (entry.kind === 'end') this.ended = this.#readEnd(await load(), head);
      this.head = head;
      this.seenMs = this.#cluster.nowMs();
    }
    return this.head.seq !== before;
  }

  /** @param {Uint8Array} bytes @param {Head} head */
  #loadCheckpoint(bytes, { block, seq }) {
    try {
      loadCheckpoint(this.#store, bytes);
    } catch (error) {
      if (!(error instanceof RangeError) && !UserError.is(error)) throw error;
      const why = /** @type {Error} */ (error).message;
      throw new DamagedRun(
        this.#run,
        `checkpoint record ${seq}, block ${block}, is no state: ${why}`,
      );
    }
  }

  /** @param {Uint8Array} bytes @param {Head} head @returns {{ activity: string, cranks: number }} */
  #readEnd(bytes, { block, seq }) {
    try {
      const { activity, cranks } = JSON.parse(Buffer.from(bytes).toString());
      if (typeof activity === 'string' && Number.isSafeInteger(cranks)) return { activity, cranks };
    } catch {
      // The error below covers it.
    }
    throw new DamagedRun(this.#run, `record ${seq}, behind block ${block}, is no end of a run`);
  }

  /** @param {Uint8Array} bytes @param {Head} head */
  async #applyBlock(bytes, head) {
    try {
      applyBlock(this.#store, bytes, head);
    } catch (error) {
      // A string that is not UTF-8 gives a TypeError.
      if (!(error instanceof RangeError) && !(error instanceof TypeError)) throw error;
      throw new DamagedRun(this.#run, `block ${head.block}, record ${head.seq}: ${error.message}`);
    }
  }
}

/**
 * Insist that this program may lead or host a run.
 *
 * @param {RunFacts} facts
 * @param {{ version: string, engine: RunFacts['engine'] }} own
 * @param {string} who
 * @param {string} [node]  the version of Node that has the run's engine, if it is known
 * @throws {UserError} if the package's version or the engine differs from the run's
 */
export const insistSameEngine = (facts, own, who, node) => {
  if (facts.version !== own.version)
    throw new UserError(
      `${who} has version ${own.version} of the package, run ${facts.run} was begun with ${facts.version}; install that one`,
    );
  const { v8, icu, arch } = facts.engine;
  const tell = (/** @type {RunFacts['engine']} */ engine) =>
    `V8 ${engine.v8}, ICU ${engine.icu}, ${engine.arch}`;
  if (v8 !== own.engine.v8 || icu !== own.engine.icu || arch !== own.engine.arch)
    throw new UserError(
      `${who} has another engine (${tell(own.engine)}) than run ${facts.run} was begun with (${tell(facts.engine)}); use ${node === undefined ? 'that version of Node' : `Node ${node}, as its leader does`}`,
    );
};
