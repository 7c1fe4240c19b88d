// The runs to make: the published matrix of 2020-09-30, or every demo once. A job is one run, named as its files are.

import { quote, UserError } from '#model';
import { loadPublished } from './published.js';

/**
 * @typedef {object} Job
 * @property {string} name  the name of its files: `exchange1kgc`
 * @property {string} demo
 * @property {string[]} argv  arguments of its vats
 * @property {number} [rounds]  by default the demo's own number
 * @property {boolean} forceGc  whether garbage is collected after each block
 * @property {{ ns: number, cranks: number, perRound?: Record<string, number> }} [published]  nanoseconds of the whole
 *   run; cranks of its rounds, or of its setup where there are none
 */

/** The demos of the snapshot, each with its numbers of rounds. @type {Readonly<Record<string, readonly number[]>>} */
const snapshotRounds = Object.freeze({
  pingpong: [100, 1_000, 10_000],
  exchange: [100, 1_000, 4_250],
  swap: [100, 1_000],
});

/** Cranks of a block, as published. */
export const snapshotBlockSize = 250;

/** The snapshot's name of a run: `exchange`, `exchange1k`, `exchange4kgc`. */
const nameJob = (
  /** @type {string} */ demo,
  /** @type {number} */ rounds,
  /** @type {boolean} */ forceGc,
) => {
  const size = rounds < 1_000 ? '' : `${Math.floor(rounds / 1_000)}k`;
  return `${demo}${size}${forceGc ? 'gc' : ''}`;
};

/** The arguments with which a demo was published. @param {string} demo */
const publishedArgv = demo => loadPublished().demos.find(each => each.demo === demo)?.argv ?? [];

/**
 * A part of the matrix; an absent field does not restrict it.
 *
 * @typedef {object} Selection
 * @property {string[]} [demos]
 * @property {number[]} [rounds]
 * @property {boolean} [forceGc]
 */

/**
 * The published matrix, or a part of it, ordered by demo, rounds, and without collection before with.
 *
 * @param {Selection} [selection]
 * @returns {Job[]} at least one
 * @throws {UserError} the snapshot has no such demo, or no such number of rounds
 */
export const snapshotJobs = ({ demos, rounds, forceGc } = {}) => {
  const all = Object.entries(snapshotRounds);
  for (const demo of demos ?? [])
    if (!Object.hasOwn(snapshotRounds, demo))
      throw new UserError(
        `--demo ${quote(demo)} is not in the snapshot; it has ${Object.keys(snapshotRounds).join(', ')}`,
      );
  const { benchmarks } = loadPublished();
  const jobs = all
    .filter(([demo]) => demos?.includes(demo) ?? true)
    .flatMap(([demo, sizes]) => sizes.map(size => ({ demo, size })))
    .filter(({ size }) => rounds?.includes(size) ?? true)
    .flatMap(each => [false, true].map(forces => ({ ...each, forces })))
    .filter(({ forces }) => forces === (forceGc ?? forces))
    .map(({ demo, size, forces }) => {
      const name = nameJob(demo, size, forces);
      const argv = publishedArgv(demo);
      return { name, demo, argv, rounds: size, forceGc: forces, published: benchmarks[name] };
    });
  if (jobs.length > 0) return jobs;
  const has = all
    .filter(([demo]) => demos?.includes(demo) ?? true)
    .map(([demo, sizes]) => `${demo} of ${sizes.join(', ')} rounds`);
  throw new UserError(
    `the snapshot has no run of --rounds ${rounds?.join(',')}; it has ${has.join('; ')}`,
  );
};

/**
 * Arguments with which a demo runs a second time, because it then does something else.
 *
 * @type {Readonly<Record<string, string[]>>}
 */
const otherArguments = Object.freeze({
  terminateVat: ['happy', 'exceptionallyHappy', 'sad', 'exceptionallySad'],
  vatFailure: ['--bedynamic'],
  meterExhaustion: ['--allocate'],
});

/**
 * Every demo once in each of its cases, with the arguments of the published reports where there are any.
 *
 * @param {string[]} known  all demos there are
 * @param {string[]} [wanted]  some of them
 * @returns {Job[]} in the order of `known`
 */
export const demoJobs = (known, wanted = []) => {
  const { demos } = loadPublished();
  return known
    .filter(demo => wanted.length === 0 || wanted.includes(demo))
    .flatMap(demo => {
      const published = demos.find(each => each.demo === demo);
      const usual = {
        ...{ name: demo, demo, argv: published?.argv ?? [], forceGc: false },
        ...(published && { published: { ns: published.ns, cranks: published.cranks } }),
      };
      const others = (otherArguments[demo] ?? []).map(argument => ({
        name: `${demo}-${argument.replace(/^-+/, '')}`,
        ...{ demo, argv: [argument], forceGc: false },
      }));
      return [usual, ...others];
    });
};
