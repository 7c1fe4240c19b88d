// Disks, directories and other processes that do not do as hoped: one clear line each, and nothing lost.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { schemaVersion } from '#model';
import { makeMemoryStore, openLmdbStore, storeDigest } from '#store';
import { insistRoom } from '../disk-errors.js';
import { blockOf, temporaryDirectory } from './helpers.js';

/** @import { Durability } from '#store' */

const here = import.meta.dirname;

/** @type {(dir: string) => import('#store').Store} */
const resume = dir => openLmdbStore({ dir, durability: 'none', create: false });

/** @param {string} dir */
const makeState = async dir => {
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  store.commit({ puts: new Map([['a', '1']]) });
  await store.close();
};

test('resuming where there is nothing names the directory', async t => {
  const dir = temporaryDirectory(t);
  const missing = path.join(dir, 'none');
  t.throws(() => resume(missing), {
    name: 'UserError',
    message: `${missing}: no such directory; a run is resumed from where it was saved`,
  });
  t.false(fs.existsSync(missing));
  t.throws(() => resume(dir), { name: 'UserError', message: /no saved state here; start a run/ });
  t.deepEqual(fs.readdirSync(dir), []);
  // Created, but no block was committed.
  await openLmdbStore({ dir, durability: 'commit', create: true }).close();
  t.throws(() => resume(dir), { name: 'UserError', message: /no saved state here/ });
});

test('a database of another schema version is refused and stays as it is', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  store.commit({ puts: new Map([['schema', '99']]) });
  await store.close();
  const before = fs.readFileSync(path.join(dir, 'data.mdb'));
  t.throws(() => resume(dir), {
    name: 'UserError',
    message: `${dir}: the database has schema version 99, this program reads version ${schemaVersion}; use the program that wrote it, or start afresh`,
  });
  t.deepEqual(fs.readFileSync(path.join(dir, 'data.mdb')), before);
});

test('a file that is no database is refused', t => {
  for (const content of ['hello', 'x'.repeat(20_000), '\0'.repeat(20_000)]) {
    const dir = temporaryDirectory(t);
    fs.writeFileSync(path.join(dir, 'data.mdb'), content);
    t.throws(() => resume(dir), { name: 'UserError', message: /is not a database/ });
    t.is(fs.readFileSync(path.join(dir, 'data.mdb'), 'utf8'), content);
  }
});

test('the beginning of a database, as a crash in its making leaves it, is refused and ends no process', async t => {
  const dir = temporaryDirectory(t);
  const file = path.join(dir, 'data.mdb');
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  const begun = fs.readFileSync(file).subarray(0, 8192);
  await store.close();
  const refused = { name: 'UserError', message: /is not a database, or only the beginning of one/ };
  // Some of the second page's description, alone or before the zeros that the file was made of.
  for (const cut of [4096, 4096 + 32, 4096 + 50, 4096 + 140, 4096 + 150, 8191]) {
    fs.writeFileSync(file, begun.subarray(0, cut));
    t.throws(() => resume(dir), refused, `${cut} bytes`);
    if (cut > 4096 + 144) continue;
    const zeros = Buffer.alloc(65_536);
    begun.copy(zeros, 0, 0, cut);
    fs.writeFileSync(file, zeros);
    t.throws(() => resume(dir), refused, `${cut} bytes, and zeros`);
  }
});

test('a database that was cut off is damaged, and does not end the process', async t => {
  const dir = temporaryDirectory(t);
  const file = path.join(dir, 'data.mdb');
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  const large = 'v'.repeat(3000);
  store.commit({ puts: new Map([['schema', '1']]) });
  for (let n = 0; n < 50; n += 1) store.commit({ puts: new Map([[`k${n}`, large]]) });
  await store.close();
  const whole = fs.readFileSync(file);
  for (const size of [5_000, 3 * 4096, Math.floor(whole.length / 2)]) {
    fs.writeFileSync(file, whole.subarray(0, size));
    const read = async () => {
      const cut = resume(dir);
      try {
        for (let n = 0; n < 50; n += 1) cut.get(`k${n}`);
      } finally {
        await cut.close();
      }
    };
    await t.throwsAsync(read, { message: /damaged|MDB_|only the beginning/ }, `${size} bytes`);
    t.is(fs.statSync(file).size, size);
  }
});

test('creating replaces the state of an earlier run and no other file', async t => {
  const dir = temporaryDirectory(t);
  await makeState(dir);
  fs.writeFileSync(path.join(dir, 'other'), 'mine');
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  t.is(store.get('a'), undefined);
  await store.close();
  t.is(fs.readFileSync(path.join(dir, 'other'), 'utf8'), 'mine');
});

test('a directory is made with those above it, and a file in its place is an error', async t => {
  const base = temporaryDirectory(t);
  await makeState(path.join(base, 'a', 'b'));
  fs.writeFileSync(path.join(base, 'file'), '');
  for (const dir of [path.join(base, 'file'), path.join(base, 'file', 'below')]) {
    t.throws(() => openLmdbStore({ dir, durability: 'none', create: true }), {
      name: 'UserError',
      message: /not a directory/,
    });
  }
});

test('a database in use is refused, by another process and by this one', async t => {
  const dir = temporaryDirectory(t);
  const holder = spawn(process.execPath, [path.join(here, 'hold-store.js'), dir]);
  await new Promise(resolve => holder.stdout.once('data', resolve));
  for (const create of [true, false]) {
    t.throws(() => openLmdbStore({ dir, durability: 'none', create }), {
      name: 'UserError',
      message: `${dir}: the database is in use by process ${holder.pid}; wait for it to end, or choose another directory`,
    });
  }
  const gone = new Promise(resolve => holder.once('exit', resolve));
  holder.kill('SIGKILL');
  await gone;

  // Its lock is left behind, and counts no more.
  t.true(fs.existsSync(path.join(dir, 'store.lock')));
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  store.commit({ puts: new Map([['a', '1']]) });
  t.throws(() => resume(dir), { message: new RegExp(`in use by process ${process.pid}`) });
  t.is(store.get('a'), '1');
  await store.close();
  t.deepEqual(fs.readdirSync(dir).sort(), ['data.mdb', 'data.mdb-lock']);
  await resume(dir).close();
});

test('a lock left behind counts no more when its number was given to another process', async t => {
  const dir = temporaryDirectory(t);
  await makeState(dir);
  for (const content of ['', 'nonsense', `999999999 5\n`]) {
    fs.writeFileSync(path.join(dir, 'store.lock'), content);
    await resume(dir).close();
  }
  t.pass();
  fs.writeFileSync(path.join(dir, 'store.lock'), `${process.pid} 5\n`);
  if (fs.existsSync('/proc/self/stat')) await resume(dir).close();
  else t.throws(() => resume(dir), { message: /in use/ });
});

test('a refused directory is left free', async t => {
  const dir = temporaryDirectory(t);
  t.throws(() => resume(dir), { message: /no saved state/ });
  await makeState(dir);
  await resume(dir).close();
  t.pass();
});

const isRoot = process.getuid?.() === 0;

/** Root may do everything; then somebody else tries. */
const asOther = isRoot ? { uid: 65534, gid: 65534 } : {};

const othersRun = spawnSync(process.execPath, [path.join(here, 'fill-disk.js'), '/', '1', 'none'], {
  encoding: 'utf8',
  ...asOther,
});

/** @param {import('ava').ExecutionContext} t */
const insistForbiddenDirectory = t => {
  const base = temporaryDirectory(t);
  const dir = path.join(base, 'closed');
  fs.mkdirSync(dir);
  fs.chmodSync(base, 0o755);
  fs.chmodSync(dir, 0o555);
  const ran = spawnSync(process.execPath, [path.join(here, 'fill-disk.js'), dir, '1', 'none'], {
    encoding: 'utf8',
    ...asOther,
  });
  const { error } = JSON.parse(ran.stdout);
  t.is(error.name, 'UserError');
  t.regex(error.message, /closed: no permission to keep a database here .*may write to$/);
};

if (othersRun.stdout === '')
  test.skip('a directory that may not be written to: another user cannot run Node here', () => {});
else test('a directory that may not be written to is named', insistForbiddenDirectory);

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} stdout  of fill-disk.js
 * @param {string} dir
 * @param {number} seed
 * @param {RegExp} line
 */
const checkFilled = async (t, stdout, dir, seed, line) => {
  const { committed, block, digest, error, second, closed } = JSON.parse(stdout);
  t.is(error.name, 'UserError');
  t.true(error.message.startsWith(`${dir}: the `));
  t.regex(error.message, line);
  t.deepEqual(second, error);
  t.is(closed, 'closed');
  t.true(committed > 10, `${committed} blocks`);
  t.is(block, String(committed));
  const model = makeMemoryStore();
  for (let n = 1; n <= committed; n += 1) model.commit(blockOf(seed, n));
  t.is(digest, storeDigest(model), 'it can still be read');
  return committed;
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} dir
 * @param {number} committed
 * @param {number} seed
 */
const checkResumed = async (t, dir, committed, seed) => {
  const model = makeMemoryStore();
  for (let n = 1; n <= committed; n += 1) model.commit(blockOf(seed, n));
  const store = resume(dir);
  t.is(storeDigest(store), storeDigest(model));
  model.commit(blockOf(seed, committed + 1));
  store.commit(blockOf(seed, committed + 1));
  t.is(storeDigest(store), storeDigest(model));
  await store.close();
};

for (const durability of /** @type {Durability[]} */ (['commit', 'group', 'none'])) {
  test(`a file that may not grow further ends the run with one line, durability ${durability}`, async t => {
    for (const kilobytes of [260, 500, 1100]) {
      const dir = temporaryDirectory(t);
      const program = [process.execPath, path.join(here, 'fill-disk.js'), dir, '2', durability];
      const command = `trap '' XFSZ; ulimit -f ${kilobytes * 2} && exec "$@"`;
      const ran = spawnSync('sh', ['-c', command, 'sh', ...program], { encoding: 'utf8' });
      const committed = await checkFilled(
        t,
        ran.stdout,
        dir,
        2,
        /(disk is full|size limit).* resume/,
      );
      await checkResumed(t, dir, committed, 2);
    }
  });
}

/** @param {string} dir */
const mountSmallDisk = dir =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', dir]).status === 0;

const canMount = (() => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
  const isMounted = mountSmallDisk(dir);
  if (isMounted) spawnSync('umount', ['-l', dir]);
  fs.rmdirSync(dir);
  return isMounted;
})();

/** @param {import('ava').ExecutionContext} t */
const fillSmallDisk = async t => {
  const base = temporaryDirectory(t);
  t.true(mountSmallDisk(base));
  t.teardown(() => spawnSync('umount', ['-l', base]));
  for (const [seed, durability] of /** @type {[number, Durability][]} */ ([
    [3, 'commit'],
    [4, 'group'],
    [5, 'none'],
  ])) {
    const dir = path.join(base, 'db');
    spawnSync('mount', ['-o', 'remount,size=1500k', base]);
    const program = [path.join(here, 'fill-disk.js'), dir, String(seed), durability];
    const ran = spawnSync(process.execPath, program, { encoding: 'utf8' });
    const committed = await checkFilled(t, ran.stdout, dir, seed, /: the disk is full; .* resume/);
    t.is(ran.stderr, '', 'LMDB, which prints a line of its own, is not tried');

    // Still full: it cannot go on, says so, and loses nothing by trying.
    fs.writeFileSync(path.join(base, 'ballast'), '');
    try {
      for (;;) fs.appendFileSync(path.join(base, 'ballast'), Buffer.alloc(4096));
    } catch {
      // Full.
    }
    t.throws(() => resume(dir), { name: 'UserError', message: /the disk is full/ });
    t.throws(() => openLmdbStore({ dir: path.join(base, 'new'), durability, create: true }), {
      name: 'UserError',
      message: /new: the disk is full; nothing was kept: free some space and begin again$/,
    });
    t.false(fs.existsSync(path.join(base, 'new')));

    fs.rmSync(path.join(base, 'ballast'));
    spawnSync('mount', ['-o', 'remount,size=4m', base]);
    await checkResumed(t, dir, committed, seed);
    fs.rmSync(dir, { recursive: true });
  }
};

/** @param {import('ava').ExecutionContext} t */
const beginOnSmallDisk = async t => {
  const base = temporaryDirectory(t);
  t.true(mountSmallDisk(base));
  t.teardown(() => spawnSync('umount', ['-l', base]));
  const dir = path.join(base, 'deep', 'new');
  const begin = async () => {
    const store = openLmdbStore({ dir, durability: 'commit', create: true });
    try {
      store.commit({ puts: new Map([['key', 'x'.repeat(200_000)]]), appends: new Map() });
    } finally {
      await store.close().catch(() => {});
    }
  };
  let refused = 0;
  for (let kilobytes = 0; ; kilobytes += 48) {
    spawnSync('mount', ['-o', `remount,size=${kilobytes + 8}k`, base]);
    try {
      await begin();
      break;
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      t.true(message.startsWith(`${dir}: the disk is full; nothing was kept: `), message);
      t.deepEqual(fs.existsSync(dir) ? fs.readdirSync(dir) : [], []);
      refused += 1;
    }
  }
  t.true(refused > 3, `${refused}`);
};

if (canMount) test('a state that cannot be begun on a full disk leaves nothing', beginOnSmallDisk);
else test.skip('a new state on a full disk: no right to mount a small one', () => {});

if (canMount)
  test('a full disk ends the run with one line, and with room again it goes on', fillSmallDisk);
else test.skip('a full disk: no right to mount a small one', () => {});

(process.platform === 'win32' ? test.skip : test)(
  'too many open files are one line, and not the end of the process',
  async t => {
    const dir = temporaryDirectory(t);
    await makeState(dir);
    const program = [process.execPath, path.join(here, 'open-files.js'), dir];
    const ran = spawnSync('sh', ['-c', 'ulimit -n 150 && exec "$@"', 'sh', ...program], {
      encoding: 'utf8',
    });
    t.is(ran.status, 0, `${ran.signal} ${ran.stderr}`);
    const lines = ran.stdout.trim().split('\n');
    t.is(lines.pop(), 'opened');
    t.true(lines.length > 2);
    for (const line of lines)
      t.true(
        line.startsWith(
          `UserError ${dir}: the system refuses to keep the database (EMFILE: too many open files`,
        ),
        line,
      );
    await resume(dir).close();
  },
);

const unbounded = '/proc';
(fs.existsSync(unbounded) ? test : test.skip)(
  'a file system that counts no blocks has room for any checkpoint, any other has a bound',
  t => {
    t.is(fs.statfsSync(unbounded).blocks, 0);
    t.notThrows(() => insistRoom(unbounded, 1e15));
    t.throws(() => insistRoom(here, 1e18), { code: 'ENOSPC' });
  },
);
