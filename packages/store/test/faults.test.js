// Calls of the system that fail, or in the midst of which the process is killed, one at a time and each in turn: the store
// stops with one line, what it holds then is a committed block, nothing that was reported durable is missing, and the run
// that goes on ends as one that was never disturbed.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { makeMemoryStore, openLmdbStore, storeDigest } from '#store';
import { explainDiskError } from '../disk-errors.js';
import { blockOf, fastDirectory, makeRandom, temporaryDirectory } from './helpers.js';

/** @import { Durability, Store } from '#store' */

/** Another seed tries others: `STORE_FAULTS_SEED=7 STORE_FAULTS=10000 npx ava packages/store/test/faults.test.js`. */
const testSeed = Number(process.env.STORE_FAULTS_SEED ?? 1);
const faults = Number(process.env.STORE_FAULTS ?? 120);

const blocks = 12;
const durabilities = /** @type {Durability[]} */ (['commit', 'group', 'none']);

/** @type {Map<number, string[]>} digests by block, by seed */
const known = new Map();

/** @param {number} seed */
const digestsOf = seed => {
  const found = known.get(seed);
  if (found !== undefined) return found;
  const store = makeMemoryStore();
  const digests = [''];
  for (let n = 1; n <= blocks; n += 1) {
    store.commit(blockOf(seed, n));
    digests.push(storeDigest(store));
  }
  known.set(seed, digests);
  return digests;
};

const codes = ['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EACCES', 'EROFS'];
const names = /** @type {const} */ ([
  ...['openSync', 'writeSync', 'fdatasyncSync', 'fsyncSync', 'ftruncateSync', 'renameSync'],
  ...['writeFileSync', 'linkSync', 'unlinkSync', 'fdatasync'],
]);
const plain = { ...fs };

/** The line of a commit that failed and could not be taken back. */
const uncertain = /and the one that failed may be kept as well/;

/**
 * @typedef {object} Fault
 * @property {number} at  the number of the call, of those in `names`
 * @property {string} kind  the code of an error; `kill`: the process ends there; `short`: a write takes less than it is given
 */

/**
 * Do something while one call of the system does not do as hoped.
 *
 * @param {Fault} fault
 * @param {() => void} onKill
 * @param {() => Promise<void>} act
 * @returns {Promise<number>} how many calls there were
 */
const withFault = async ({ at, kind }, onKill, act) => {
  let calls = 0;
  const patched = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (fs));
  const original = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (plain));
  for (const name of names) {
    patched[name] = (/** @type {any[]} */ ...args) => {
      calls += 1;
      if (calls !== at) return original[name](...args);
      if (kind === 'kill') onKill();
      else if (kind === 'short' && name === 'writeSync')
        return original[name](
          args[0],
          args[1],
          args[2] ?? 0,
          Math.ceil(args[1].length / 3),
          args[4],
        );
      else if (kind !== 'short') {
        const error = Object.assign(Error(`${kind}: ${name}`), { code: kind });
        if (name !== 'fdatasync') throw error;
        setImmediate(() => args[1](error));
        return undefined;
      }
      return original[name](...args);
    };
  }
  try {
    await act();
  } finally {
    Object.assign(patched, Object.fromEntries(names.map(name => [name, original[name]])));
  }
  return calls;
};

/**
 * @param {string} parent
 * @param {number} number
 * @returns {Promise<string | undefined>} what is wrong
 */
const tryFault = async (parent, number) => {
  const random = makeRandom(testSeed * 7_919 + number);
  const seed = 1 + random(3);
  const durability = durabilities[random(3)];
  const logBytes = [12_000, 1_000_000][random(2)];
  const kind = [...codes, 'kill', 'kill', 'kill', 'short'][random(codes.length + 4)];
  const fault = { at: 1 + random(75), kind };
  const dir = path.join(parent, `db-${number}`);
  const image = path.join(parent, `image-${number}`);
  const label = `fault ${number} of seed ${testSeed}: ${kind} in call ${fault.at}, ${durability}`;
  const digests = digestsOf(seed);
  let committed = 0;
  let durable = 0;
  /** The blocks committed and durable when the process was killed. @type {{ committed: number, durable: number } | undefined} */
  let killed;
  /** @type {unknown} */
  let failure;
  const onKill = () => {
    killed = { committed, durable };
    if (fs.existsSync(dir)) plain.cpSync(dir, image, { recursive: true });
    // Its process would be gone.
    plain.rmSync(path.join(image, 'store.lock'), { force: true });
  };
  await withFault(fault, onKill, async () => {
    /** @type {Store | undefined} */
    let store;
    try {
      store = openLmdbStore({ dir, durability, create: true, logBytes });
      store.onDurable(count => {
        durable = count;
      });
      for (let n = 1; n <= blocks; n += 1) {
        store.commit(blockOf(seed, n));
        committed = n;
        if (n % 4 === 0) await new Promise(resolve => setImmediate(resolve));
      }
      await store.flushed();
    } catch (error) {
      failure = error;
    }
    if (store !== undefined && failure !== undefined && committed > 0) {
      if (storeDigest(store) !== digests[committed]) throw Error(`${label}: what is read differs`);
    }
    await store?.close().catch(error => {
      failure ??= error;
    });
  });
  // With its lock, if that could not be taken away: the process would be gone by now.
  if (failure !== undefined) fs.rmSync(path.join(dir, 'store.lock'), { force: true });
  if (failure !== undefined && !(failure instanceof UserError))
    return `${label}: no line, ${/** @type {Error} */ (failure).stack}`;
  const place = killed === undefined ? dir : image;
  // (A process that was killed loses nothing; one whose disk fails, what was not durable.)
  const least = killed === undefined ? durable : killed.committed;
  // Nor is a block there whose commit failed, unless its caller was told so.
  const isUncertain =
    killed !== undefined ||
    (failure !== undefined && uncertain.test(/** @type {Error} */ (failure).message));
  const most = (killed ?? { committed }).committed + (isUncertain ? 1 : 0);
  let found = 0;
  try {
    const store = openLmdbStore({ dir: place, durability: 'none', create: false });
    found = Number(store.get('block'));
    const isRight = storeDigest(store) === digests[found];
    for (let n = found + 1; n <= blocks; n += 1) store.commit(blockOf(seed, n));
    const isRightAtEnd = storeDigest(store) === digests[blocks];
    await store.close();
    if (!isRight || !isRightAtEnd) return `${label}: the state is not that of block ${found}`;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const isNone = /no saved state|no such directory|only the beginning/.test(message);
    if (!isNone || least > 0) return `${label}: ${message}`;
  } finally {
    for (const each of [dir, image]) fs.rmSync(each, { recursive: true, force: true });
  }
  return found < least || found > most
    ? `${label}: block ${found} found, from ${least} to ${most} it could be`
    : undefined;
};

test.serial(
  'a call of the system that fails, or ends the process, loses no durable block',
  async t => {
    const parent = temporaryDirectory(t, fastDirectory);
    /** @type {string[]} */
    const problems = [];
    for (let number = 0; number < faults; number += 1) {
      const problem = await tryFault(parent, number);
      if (problem !== undefined) problems.push(problem);
      if (problems.length === 10) break;
    }
    t.deepEqual(problems, []);
  },
);

/**
 * Do something while calls of the system fail.
 *
 * @param {string[]} failing  names; each sync fails, and all others after the first one
 * @param {() => Promise<void> | void} act
 */
const withoutDisk = async (failing, act) => {
  const patched = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (fs));
  const original = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (plain));
  let hasFailed = false;
  for (const name of failing) {
    patched[name] = (/** @type {any[]} */ ...args) => {
      if (!hasFailed && !name.startsWith('fdatasync')) return original[name](...args);
      hasFailed = true;
      const error = Object.assign(Error(`EIO: i/o error, ${name}`), { code: 'EIO' });
      if (name !== 'fdatasync') throw error;
      setImmediate(() => args[1](error));
      return undefined;
    };
  }
  try {
    await act();
  } finally {
    for (const name of failing) patched[name] = original[name];
  }
};

test.serial('a block that could not be forced to disk is taken back', async t => {
  const dir = path.join(temporaryDirectory(t, fastDirectory), 'db');
  const store = openLmdbStore({ dir, durability: 'commit', create: true });
  store.commit(blockOf(1, 1));
  let syncs = 0;
  const patched = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (fs));
  patched.fdatasyncSync = (/** @type {number} */ fd) => {
    syncs += 1;
    if (syncs === 1) throw Object.assign(Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    return plain.fdatasyncSync(fd);
  };
  try {
    t.throws(() => store.commit(blockOf(1, 2)), {
      message: /; the last committed block is safe: /,
    });
  } finally {
    patched.fdatasyncSync = plain.fdatasyncSync;
  }
  t.is(syncs, 2, 'what was taken back is forced to disk');
  t.is(store.get('block'), '1');
  t.throws(() => store.commit(blockOf(1, 2)), { name: 'UserError' });
  await store.close();
  const again = openLmdbStore({ dir, durability: 'commit', create: false });
  t.is(storeDigest(again), digestsOf(1)[1]);
  await again.close();
});

test.serial('a block that cannot be taken back may be there, as its error says', async t => {
  const dir = path.join(temporaryDirectory(t, fastDirectory), 'db');
  const store = openLmdbStore({ dir, durability: 'commit', create: true });
  store.commit(blockOf(1, 1));
  const failing = ['fdatasyncSync', 'writeSync', 'unlinkSync'];
  await withoutDisk(failing, async () => {
    t.throws(() => store.commit(blockOf(1, 2)), { name: 'UserError', message: uncertain });
    // A second failure, of the lock that cannot be removed, does not hide the first one.
    await store.close();
  });
  fs.rmSync(path.join(dir, 'store.lock'));
  const again = openLmdbStore({ dir, durability: 'commit', create: false });
  t.is(storeDigest(again), digestsOf(1)[2]);
  await again.close();
});

test.serial('closing tells of blocks that could not be forced to disk', async t => {
  const dir = path.join(temporaryDirectory(t, fastDirectory), 'db');
  const store = openLmdbStore({ dir, durability: 'group', create: true });
  await withoutDisk(['fdatasync'], async () => {
    store.commit(blockOf(1, 1));
    await t.throwsAsync(store.close(), {
      name: 'UserError',
      message: /; blocks that were reported durable are safe, later ones may be lost: resume/,
    });
  });
});

test('an error that Node has no name for is explained', t => {
  const quota = Object.assign(
    Error('Unknown system error -122: Unknown system error -122, write'),
    {
      errno: -122,
      code: 'Unknown system error -122',
      syscall: 'write',
    },
  );
  t.regex(/** @type {Error} */ (explainDiskError(quota, 'db')).message, /^db: the disk is full; /);
  const stale = Object.assign(Error('ESTALE: stale file handle, write'), {
    ...{ errno: -116, code: 'ESTALE', syscall: 'write' },
  });
  t.is(
    /** @type {Error} */ (explainDiskError(stale, 'db', 'committed')).message,
    'db: the system refuses to keep the database (ESTALE: stale file handle, write); the last committed block is safe: resume when that is mended',
  );
});
