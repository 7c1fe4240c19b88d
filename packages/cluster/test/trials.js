// Parts that tests of failing runs share: programs, a brake, random numbers from a seed, a judge of ends, and many runs at once.

import path from 'node:path';
import { UserError } from '#model';
import { LeadershipLost } from '../index.js';
import { DamagedRun } from '../log-reader.js';
import { readRecord } from '../record.js';
import { askMove, askStatus } from '../status.js';
import { configOf, configOfVirtual, hashOfPlainRun, run } from './run-cluster.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Cluster } from '../interface.js' */
/** @import { MemoryCluster } from './memory-cluster.js' */

/** @param {number} ms */
export const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/** Keeps back the blocks that a leader appends, so that the run cannot end meanwhile. @param {Cluster} party */
export const makeBrake = party => {
  /** @type {Promise<unknown>} */
  let released = Promise.resolve();
  let release = () => {};
  return {
    /** @type {Cluster} */
    cluster: {
      ...party,
      async provideLog() {
        const log = await party.provideLog();
        return {
          ...log,
          async append(bytes, last) {
            await released;
            return log.append(bytes, last);
          },
        };
      },
    },
    hold() {
      released = new Promise(resolve => {
        release = () => resolve(undefined);
      });
    },
    release() {
      release();
    },
  };
};

/** Keeps back for a while the messages of a party. @param {Cluster} party */
export const makeGate = party => {
  /** @type {(() => void)[] | undefined} */
  let held;
  return {
    /** @type {Cluster} */
    cluster: {
      ...party,
      publish(subject, bytes) {
        if (held === undefined) party.publish(subject, bytes);
        else held.push(() => party.publish(subject, bytes));
      },
    },
    close() {
      held ??= [];
    },
    open() {
      const now = held ?? [];
      held = undefined;
      for (const say of now) say();
    },
    /** The messages that were kept back are lost. */
    drop() {
      held = undefined;
    },
  };
};

/** Messages that noise is made of. */
const mostKept = 200;

/**
 * Between the messages of a party come copies of earlier ones, some of which are cut or altered.
 *
 * @param {Cluster} party
 * @param {ReturnType<typeof makeRandom>} random
 * @returns {Cluster}
 */
export const addNoise = (party, random) => {
  /** @type {{ subject: string, bytes: Uint8Array }[]} */
  const kept = [];
  return {
    ...party,
    publish(subject, bytes) {
      party.publish(subject, bytes);
      kept.push({ subject, bytes: bytes.slice() });
      if (kept.length > mostKept) kept.splice(random(mostKept), 1);
      if (random(4) > 0) return;
      const old = kept[random(kept.length)];
      const copy = old.bytes.slice();
      const how = random(3);
      if (how === 1) copy[random(copy.length)] ^= 1 << random(8);
      party.publish(old.subject, how === 2 ? copy.subarray(0, 1 + random(copy.length)) : copy);
    },
  };
};

/** So many more blocks are written; a leader also renews its lease meanwhile. @param {MemoryCluster} memory @param {number} count */
export const awaitBlocks = async ({ records }, count) => {
  let missing = count;
  for (let read = records.length; ; read += 1) {
    while (read === records.length) await pause(1);
    if (readRecord(records[read].bytes).kind === 'block') missing -= 1;
    if (missing === 0) return;
  }
};

/** Numbers from 0 to `below`, without it. @param {number} seed */
export const makeRandom = seed => {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * below);
  };
};

/**
 * A program that runs while something fails.
 *
 * @typedef {object} Program
 * @property {string} title
 * @property {LoadedConfig} config
 * @property {number | undefined} rounds  undefined: it ends by itself
 * @property {string} hash  of its run in one process
 */

/** Demos of reactors, each of which is in a vat of its own. */
const reactors = ['proxydelay', 'account', 'forkjoin', 'pingpong'];

/**
 * PingPong, programs with virtual and durable data, upgrades and a device, and programs of reactors.
 *
 * @param {number} many  trials
 * @returns {Promise<(seed: number) => Program>} the program of a trial; half are PingPong
 */
export const makePrograms = async many => {
  const isLong = many >= 100;
  const given = [{ title: 'pingpong', config: configOf('pingpong'), rounds: 12 }];
  for (let seed = 1; seed <= (isLong ? 12 : 2); seed += 1)
    given.push({ title: `virtual data ${seed}`, config: configOfVirtual(seed), rounds: 5 });
  /** @type {Program[]} */
  const programs = [];
  for (const each of given)
    programs.push({ ...each, hash: await hashOfPlainRun(each.config, each.rounds) });
  for (const name of isLong ? reactors : reactors.slice(0, 1)) {
    const config = configOf(path.join('reactors', name, 'vats.json'));
    const hash = await hashOfPlainRun(config);
    programs.push({ title: `reactors ${name}`, config, rounds: undefined, hash });
  }
  return seed => {
    const random = makeRandom(~seed);
    return random(2) === 0 ? programs[0] : programs[1 + random(programs.length - 1)];
  };
};

/** Resolves when the log has so many records, or its end. @param {MemoryCluster} memory @param {number} count */
export const awaitRecords = async ({ records }, count) => {
  const hasEnded = () => {
    const last = records.at(-1);
    return last !== undefined && readRecord(last.bytes).kind === 'end';
  };
  while (records.length < count && !hasEnded()) await pause(1);
};

/** Why a vat may not move while others fail. */
const cannotMove =
  /on its way|there is no host|no vat "|is gone|has ended|goes on no more|no leader that answers|there is no run/;

/**
 * Move vats from host to host until the run is over.
 *
 * @param {Cluster} operator
 * @param {ReturnType<typeof makeRandom>} random
 * @param {() => boolean} isOver
 * @returns {Promise<number>} moves
 */
export const keepMoving = async (operator, random, isOver) => {
  let moved = 0;
  // A leader that is lost does not answer.
  const asker = {
    ...operator,
    request: (/** @type {string} */ subject, /** @type {Uint8Array} */ bytes) =>
      operator.request(subject, bytes, 1_000),
  };
  while (!isOver()) {
    await pause(random(40));
    try {
      const { vats, hosts } = await askStatus(asker, run);
      if (vats.length === 0 || hosts.length === 0) continue;
      const [vat, host] = [vats[random(vats.length)], hosts[random(hosts.length)]];
      if (/has moved/.test(await askMove(asker, run, vat.name, host.name))) moved += 1;
    } catch (error) {
      if (error instanceof DamagedRun) continue;
      if (!UserError.is(error) || !cannotMove.test(error.message)) throw error;
    }
  }
  return moved;
};

/** The error of a leader that may lose its lease; any other is thrown. @param {Promise<unknown>} leading */
export const mayLoseLease = async leading => {
  const old = await leading.catch(error => error);
  if (old instanceof Error && !(old instanceof LeadershipLost)) throw old;
};

/** A server that does not answer for longer than a leader waits: the same command goes on when it does. @param {unknown} error */
export const isOutOfReach = error =>
  UserError.is(error) &&
  /has acknowledged nothing|does not answer|no NATS server answers|cannot be connected to/.test(
    error.message,
  );

/**
 * @typedef {object} Ended
 * @property {number} seed
 * @property {string} kind  of fault, and the program
 * @property {string} end  `equal`, `DamagedRun`, or whatever should not be
 */

/**
 * Judges a run.
 *
 * @param {Promise<{ activity: string }>} running
 * @param {string} hash  of the run of a single process
 * @param {() => boolean} mayBeDamaged  asked when it has ended
 * @returns {Promise<string>}
 */
export const judge = async (running, hash, mayBeDamaged) => {
  try {
    const { activity } = await running;
    return activity === hash ? 'equal' : `another hash, ${activity}`;
  } catch (error) {
    if (mayBeDamaged() && error instanceof DamagedRun) return 'DamagedRun';
    // Under lockdown an error may have a stack without its message, or without any text.
    return `${error} ${/** @type {Error} */ (error).stack ?? ''}`;
  }
};

/**
 * Try all seeds, some at once, for most of their time they wait, and show what came of them.
 *
 * @param {ExecutionContext} t
 * @param {{ first: number, many: number, atOnce: number }} seeds
 * @param {(seed: number) => Promise<Ended>} tryOne
 * @returns {Promise<Set<string>>} all ends
 */
export const tryAll = async (t, { first, many, atOnce }, tryOne) => {
  /** @type {Map<string, number>} */
  const ends = new Map();
  let next = first;
  const work = async () => {
    while (next < first + many) {
      const of = next;
      next += 1;
      const { seed, kind, end } = await tryOne(of);
      t.true(end === 'equal' || end === 'DamagedRun', `seed ${seed}: ${kind}: ${end}`);
      const row = `${kind}: ${end}`;
      ends.set(row, (ends.get(row) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, many) }, work));
  for (const [row, count] of [...ends].sort()) t.log(`${count} times: ${row}`);
  return new Set([...ends.keys()].map(row => row.slice(row.lastIndexOf(': ') + 2)));
};
