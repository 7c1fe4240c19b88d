// Parts that tests of failing runs share: programs, a brake, random numbers from a seed, a judge of ends, and many runs at once.

import { UserError } from '#model';
import { LeadershipLost } from '../index.js';
import { DamagedRun } from '../log-reader.js';
import { configOf, configOfVirtual, hashOfPlainRun } from './run-cluster.js';

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

/** Blocks are written. @param {MemoryCluster} memory @param {number} count */
export const awaitBlocks = async (memory, count) => {
  const { length } = memory.records;
  while (memory.records.length < length + count) await pause(1);
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
 * @property {number} rounds
 * @property {string} hash  of its run in one process
 */

/**
 * PingPong, and programs with virtual and durable data, upgrades and a device.
 *
 * @param {number} many  trials
 * @returns {Promise<(seed: number) => Program>} the program of a trial; half are PingPong
 */
export const makePrograms = async many => {
  const given = [{ title: 'pingpong', config: configOf('pingpong'), rounds: 12 }];
  for (let seed = 1; seed <= (many < 100 ? 2 : 12); seed += 1)
    given.push({ title: `virtual data ${seed}`, config: configOfVirtual(seed), rounds: 5 });
  /** @type {Program[]} */
  const programs = [];
  for (const each of given)
    programs.push({ ...each, hash: await hashOfPlainRun(each.config, each.rounds) });
  return seed => {
    const random = makeRandom(~seed);
    return random(2) === 0 ? programs[0] : programs[1 + random(programs.length - 1)];
  };
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
