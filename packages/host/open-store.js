// Where a run's state goes: a new state, or one that is there, by what the person asked for and what the command
// usually does. A state that somebody may still want is never discarded unless they say so.

import { existsSync } from 'node:fs';
import { quote, UserError } from '#model';
import { makeMemoryStore } from '#store/memory-store.js';
import { makeDeferredStore } from './deferred-store.js';
import { hasDatabase } from './output-folder.js';
import { isFinished, readProgress } from './rounds.js';

/** @import { Durability, Store } from '#store' */
/** @import { Progress } from './rounds.js' */

/** @typedef {typeof import('#store').openLmdbStore} OpenLmdbStore */

/**
 * @typedef {object} StateWish
 * @property {'memory' | 'lmdb'} kind
 * @property {string} dir  of the database
 * @property {boolean} isNamed  the person named the directory, so that what is in it is theirs to discard
 * @property {'init' | 'resume'} [asked]  what they asked for
 * @property {'fresh' | 'continue'} usually  what the command does with a state if they did not
 * @property {Durability} [durability]
 * @property {() => void} [beforeWait]  called before a commit waits for the disk
 * @property {(what: string) => void} [onLoss]  told of blocks that a loss of power took
 * @property {string} [baseDir]  what is to be run; a state of something else is not taken up
 */

/**
 * A new state is on disk from its first block or from `open` on; `replaced` says that it then discards another.
 *
 * @typedef {{ store: Store, open: () => void, resume: boolean, replaced: boolean }} OpenedState
 */

const baseDirKey = 'local.baseDir';

/** An unfinished run that took less, and did no rounds, is made again sooner than asked for. */
const cheapNs = 10_000_000_000;

/** @param {Progress} progress */
const isCheap = ({ setup, done, setupNs, roundsNs }) =>
  setup === undefined && done === 0 && setupNs + roundsNs < cheapNs;

/** Why a run came to its end before it was finished: `until`, at the time that it was given. */
export const endedKey = 'local.ended';

/**
 * Matches errors of a state that cannot be resumed. Behind any other error, the hint to use `--init` would discard a good
 * state.
 */
const isUseless = /schema version|damaged|is not a database|only the beginning of one/;

/** @param {Progress} progress */
const describeProgress = ({ setup, wanted, done }) => {
  if (setup === undefined) return 'a run that has not come to its rounds';
  return `a run that has done ${done} of ${wanted ?? '?'} rounds`;
};

/**
 * Open a database that is there.
 *
 * @param {OpenLmdbStore} openLmdbStore
 * @param {StateWish} wish
 * @returns {Store | undefined}  none, if a run was only about to begin there
 */
const openExisting = (openLmdbStore, { dir, durability = 'commit', beforeWait, onLoss, asked }) => {
  try {
    return openLmdbStore({
      ...{ dir, durability, create: false },
      ...(beforeWait && { beforeWait }),
      ...(onLoss && { onLoss }),
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const isEmpty = error.message.includes('no saved state here');
    if (isEmpty && asked !== 'resume') return undefined;
    const hint = isUseless.test(error.message)
      ? ' (--init starts afresh, and discards what is there)'
      : '';
    throw new UserError(`${error.message}${hint}`, { exitCode: error.exitCode, cause: error });
  }
};

/**
 * @param {Store} store
 * @param {StateWish} wish
 */
const insistSameProgram = (store, { dir, baseDir }) => {
  const theirs = store.get(baseDirKey);
  if (baseDir === undefined || theirs === undefined || theirs === baseDir) return;
  throw new UserError(
    `${dir} holds a run of ${quote(theirs)}, not of ${quote(baseDir)}; name that one, start afresh with --init, or choose another directory with --outdir or --dbdir`,
  );
};

/**
 * @param {StateWish} wish
 * @returns {Promise<OpenedState>}
 * @throws {UserError} no state to resume, one that must not be discarded, in use, of another version, …
 */
export const openState = async wish => {
  const { kind, dir, isNamed, asked, usually, durability = 'commit', beforeWait } = wish;
  if (kind === 'memory') {
    if (asked === 'resume') {
      throw new UserError(
        '--memdb keeps no state that --resume could take up; leave one of them out',
      );
    }
    return { store: makeMemoryStore(), open: () => {}, resume: false, replaced: false };
  }
  // A run in memory does without LMDB and what is around it.
  const { openLmdbStore } = await import('#store/lmdb-store.js');
  const create = (/** @type {boolean} */ replaced) => ({
    ...makeDeferredStore(() =>
      openLmdbStore({ dir, durability, create: true, ...(beforeWait && { beforeWait }) }),
    ),
    resume: false,
    replaced,
  });

  if (asked === 'init') return create(hasDatabase(dir));
  if (!hasDatabase(dir)) {
    if (asked !== 'resume') return create(false);
    throw new UserError(`there is no state to resume in ${dir}; leave --resume out to begin a run`);
  }
  const store = openExisting(openLmdbStore, wish);
  if (store === undefined) return create(false);
  try {
    if (asked === 'resume' || usually === 'continue') {
      insistSameProgram(store, wish);
      return { store, open: () => {}, resume: true, replaced: false };
    }
    // (A program that is gone, or has moved, needs its finished run no more than this one does.)
    if (existsSync(store.get(baseDirKey) ?? '')) insistSameProgram(store, wish);
    const progress = readProgress({ getHostValue: store.get });
    const isOver = isFinished(progress) || store.get(endedKey) === 'until' || isCheap(progress);
    if (isNamed || !isOver) {
      const what = isFinished(progress) ? 'a finished run' : describeProgress(progress);
      throw new UserError(
        `${dir} holds ${what}; go on with it by --resume, or discard it by --init`,
      );
    }
  } catch (error) {
    await store.close();
    throw error;
  }
  await store.close();
  return create(true);
};
