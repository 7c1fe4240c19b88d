// Chooses and opens the store of a run: a new state or an existing one, by the person's flags and the command's
// default. A state that may still be wanted is discarded only on request.

import { existsSync } from 'node:fs';
import { quote, UserError } from '#model';
import { makeMemoryStore } from '#store/memory-store.js';
import { makeDeferredStore } from './deferred-store.js';
import { hasDatabase } from './output-folder.js';
import { isFinished, readProgress } from '../rounds.js';

/** @import { Durability, Store } from '#store' */
/** @import { Progress } from '../rounds.js' */

/** @typedef {typeof import('#store').openLmdbStore} OpenLmdbStore */

/**
 * @typedef {object} StateWish
 * @property {'memory' | 'lmdb'} kind
 * @property {string} dir  of the database
 * @property {boolean} isNamed  whether the person named the directory; then only they may discard its state
 * @property {'init' | 'resume'} [asked]  the person's flag
 * @property {'fresh' | 'continue'} usually  the command's default for an existing state
 * @property {Durability} [durability]
 * @property {() => void} [beforeWait]  called before a commit waits for the disk
 * @property {(what: string) => void} [onLoss]  called if blocks were lost by a power failure
 * @property {string} [baseDir]  the program's directory; a state of another program is refused
 */

/**
 * A new state is written from its first block or from `open` on; `replaced`: whether it then discards another one.
 *
 * @typedef {{ store: Store, open: () => void, resume: boolean, replaced: boolean }} OpenedState
 */

const baseDirKey = 'local.baseDir';

/** An unfinished run without rounds that took less time is discarded without asking. */
const cheapNs = 10_000_000_000;

/** @param {Progress} progress */
const isCheap = ({ setup, done, setupNs, roundsNs }) =>
  setup === undefined && done === 0 && setupNs + roundsNs < cheapNs;

/** Key of the reason why a run ended before it was finished: `until`, at its bound on logical time. */
export const endedKey = 'local.ended';

/**
 * Matches errors of a state that cannot be resumed. Only these get the hint to use `--init`, which would discard a good
 * state.
 */
const isUseless = /schema version|damaged|is not a database|only the beginning of one/;

/** @param {Progress} progress */
const describeProgress = ({ setup, wanted, done }) => {
  if (setup === undefined) return 'a run that has not come to its rounds';
  return `a run that has done ${done} of ${wanted ?? '?'} rounds`;
};

/**
 * Open an existing database.
 *
 * @param {OpenLmdbStore} openLmdbStore
 * @param {StateWish} wish
 * @returns {Store | undefined}  undefined if a run was begun there without any block
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
 * @param {Pick<StateWish, 'kind' | 'asked'>} wish
 * @throws {UserError} if it can be fulfilled by no state
 */
export const insistStateKind = ({ kind, asked }) => {
  if (kind === 'memory' && asked === 'resume')
    throw new UserError(
      '--memdb keeps no state that --resume could take up; leave one of them out',
    );
};

/**
 * @param {StateWish} wish
 * @returns {Promise<OpenedState>}
 * @throws {UserError} if there is no state to resume, or the state is in use, of another version or program, or must
 *   not be discarded
 */
export const openState = async wish => {
  const { kind, dir, isNamed, asked, usually, durability = 'commit', beforeWait } = wish;
  insistStateKind(wish);
  if (kind === 'memory')
    return { store: makeMemoryStore(), open: () => {}, resume: false, replaced: false };
  // A run in memory does not load LMDB.
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
    // The finished run of a program that no longer exists may be discarded.
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
