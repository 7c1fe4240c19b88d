// Bytes that are not what was written: the right state, or one line with file and place, and never a crash of the process.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { open as openLmdb } from 'lmdb';
import { schemaVersion } from '#model';
import { openLmdbStore, readLmdbStore, storeDigest } from '#store';
import { headBytes } from '../log-head.js';
import { blockOf, fastDirectory, temporaryDirectory } from './helpers.js';

/** @import { ExecutionContext } from 'ava' */

const here = import.meta.dirname;

/** Another seed tries other damage: `STORE_FUZZ_SEED=7 STORE_FUZZ_IMAGES=100000 npx ava ...`. */
const fuzzSeed = Number(process.env.STORE_FUZZ_SEED ?? 1);
const fuzzImages = Number(process.env.STORE_FUZZ_IMAGES ?? 120);

test('a damaged state is reported, or read as the right state', t => {
  const parent = temporaryDirectory(t, fastDirectory);
  /** @type {string[]} */
  const problems = [];
  let next = 0;
  while (next < fuzzImages) {
    const dir = fs.mkdtempSync(path.join(parent, 'images-'));
    const program = path.join(here, 'fuzz-bytes.js');
    const args = [program, dir, fuzzSeed, next, fuzzImages - next].map(String);
    const ran = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e9 });
    let begun = fuzzImages;
    for (const line of ran.stdout.split('\n').filter(Boolean)) {
      const told = JSON.parse(line);
      if (told.begun === undefined) problems.push(line);
      else begun = told.begun;
    }
    if (ran.status === 0) break;
    problems.push(`image ${begun} ends the process: ${ran.signal ?? ran.stderr}`);
    if (ran.signal === null) break;
    next = begun + 1;
  }
  t.deepEqual(problems, [], `seed ${fuzzSeed}`);
});

/**
 * A state that a process has left that was killed: a database, and blocks in the log.
 *
 * @param {ExecutionContext} t
 * @param {{ run?: number, blocks?: number, moments?: number[] }} [options]  `moments`: blocks after which a copy is made
 * @returns {Promise<{ dir: string, digest: string, copies: string[] }>}
 */
const makeCrashed = async (t, { run = 1, blocks = 20, moments = [] } = {}) => {
  const dir = temporaryDirectory(t, fastDirectory);
  const live = temporaryDirectory(t, fastDirectory);
  const copyTo = (/** @type {string} */ target) => {
    fs.cpSync(live, target, { recursive: true });
    fs.rmSync(path.join(target, 'store.lock'));
  };
  const store = openLmdbStore({ dir: live, durability: 'commit', create: true, logBytes: 20_000 });
  /** @type {string[]} */
  const copies = [];
  for (let n = 1; n <= blocks; n += 1) {
    store.commit(blockOf(run, n));
    if (!moments.includes(n)) continue;
    copies.push(temporaryDirectory(t, fastDirectory));
    copyTo(copies[copies.length - 1]);
  }
  const digest = storeDigest(store);
  copyTo(dir);
  await store.close();
  return { dir, digest, copies };
};

/**
 * Refused in the same words by those who read and those who write, and left as it is.
 *
 * @param {ExecutionContext} t
 * @param {string} dir
 * @param {RegExp} message
 */
const insistRefused = (t, dir, message) => {
  const contents = () =>
    fs
      .readdirSync(dir, { withFileTypes: true })
      .map(entry => [
        entry.name,
        entry.isFile() ? fs.readFileSync(path.join(dir, entry.name), 'latin1') : 'no file',
      ]);
  const before = contents();
  for (const open of [
    () => readLmdbStore({ dir }),
    () => openLmdbStore({ dir, durability: 'none', create: false }),
  ])
    t.throws(open, { name: 'UserError', message });
  t.deepEqual(contents(), before);
};

test('a missing log of a state that had one is reported', async t => {
  const { dir } = await makeCrashed(t);
  const log = path.join(dir, 'blocks.log');
  const bytes = fs.readFileSync(log);
  fs.rmSync(log);
  insistRefused(t, dir, /blocks\.log is damaged: it is missing, and data\.mdb says that blocks/);
  for (const content of [
    Buffer.of(),
    Buffer.alloc(300_000),
    bytes.subarray(100),
    bytes.reverse(),
  ]) {
    fs.writeFileSync(log, content);
    insistRefused(t, dir, /blocks\.log is damaged: it does not begin as a block log does/);
  }
});

test('a directory or a pipe in place of a file is reported', async t => {
  for (const name of ['blocks.log', 'data.mdb', 'data.mdb-lock']) {
    const { dir } = await makeCrashed(t);
    const file = path.join(dir, name);
    fs.rmSync(file, { force: true });
    fs.mkdirSync(file);
    insistRefused(t, dir, new RegExp(`${name} is damaged: it is a directory, no file`));
    fs.rmdirSync(file);
    if (spawnSync('mkfifo', [file]).status !== 0) continue;
    insistRefused(t, dir, new RegExp(`${name} is damaged: it is no file`));
  }
  const { dir } = await makeCrashed(t);
  fs.mkdirSync(path.join(dir, 'store.lock'));
  t.throws(() => readLmdbStore({ dir }), { name: 'UserError', message: /store\.lock is no file/ });
});

test('a log or a database of another run is reported', async t => {
  const one = await makeCrashed(t, { run: 1 });
  const two = await makeCrashed(t, { run: 2 });
  const again = await makeCrashed(t, { run: 1 });
  for (const other of [two, again]) {
    fs.copyFileSync(path.join(other.dir, 'blocks.log'), path.join(one.dir, 'blocks.log'));
    insistRefused(t, one.dir, /blocks\.log is damaged: it belongs to another data\.mdb/);
  }
});

test('a log or a database of an earlier moment is reported', async t => {
  const moments = [2, 6, 10, 14, 18];
  const { dir, copies } = await makeCrashed(t, { blocks: 20, moments });
  let refused = 0;
  for (const earlier of copies) {
    for (const name of ['blocks.log', 'data.mdb']) {
      const mixed = temporaryDirectory(t, fastDirectory);
      fs.cpSync(dir, mixed, { recursive: true });
      const file = path.join(mixed, name);
      if (fs.readFileSync(file).equals(fs.readFileSync(path.join(earlier, name)))) continue;
      fs.copyFileSync(path.join(earlier, name), file);
      insistRefused(t, mixed, /is damaged: (it is older than|the record of block \d+ at byte)/);
      refused += 1;
    }
  }
  t.true(refused > 6);
});

test('a database that has lost its last transaction is reported', async t => {
  const { dir } = await makeCrashed(t);
  await openLmdbStore({ dir, durability: 'none', create: false }).close();
  const file = path.join(dir, 'data.mdb');
  const bytes = fs.readFileSync(file);
  // The later of the two pages that describe the database takes the place of what it was before.
  const transactions = [0, 4096].map(at => Number(bytes.readBigUInt64LE(at + 152)));
  const newest = transactions[0] > transactions[1] ? 0 : 4096;
  bytes.writeBigUInt64LE(BigInt(Math.max(...transactions) - 2), newest + 152);
  fs.writeFileSync(file, bytes);
  insistRefused(t, dir, /blocks\.log is damaged: it is missing, and data\.mdb says/);
});

test('a whole state is read without any change to its directory', async t => {
  const { dir, digest } = await makeCrashed(t);
  const stamps = () =>
    [dir, ...fs.readdirSync(dir).map(name => path.join(dir, name))].map(name => {
      const { mtimeNs, size } = fs.statSync(name, { bigint: true });
      return { name, mtimeNs, size, content: size < 1e7 && name !== dir && fs.readFileSync(name) };
    });
  const before = stamps();
  const store = readLmdbStore({ dir });
  t.is(storeDigest(store), digest);
  t.throws(() => store.commit({ puts: new Map() }), { message: /only read/ });
  await store.close();
  t.deepEqual(stamps(), before);
});

test('a state in a directory that nobody may write to is read', async t => {
  const { dir, digest } = await makeCrashed(t);
  for (const name of fs.readdirSync(dir)) fs.chmodSync(path.join(dir, name), 0o444);
  fs.chmodSync(dir, 0o555);
  t.teardown(() => fs.chmodSync(dir, 0o755));
  const store = readLmdbStore({ dir });
  t.is(storeDigest(store), digest);
  await store.close();
});

test('a state that a living process has is not read', async t => {
  const dir = temporaryDirectory(t, fastDirectory);
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  store.commit(blockOf(1, 1));
  t.throws(() => readLmdbStore({ dir }), {
    name: 'UserError',
    message: new RegExp(`in use by process ${process.pid}`),
  });
  await store.close();
});

test('a state of an earlier schema is refused by a line that names both versions', async t => {
  for (const isInLog of [false, true]) {
    const dir = temporaryDirectory(t, fastDirectory);
    // Schema version 1: values without tags, and no sum of them.
    const root = openLmdb({
      path: path.join(dir, 'data.mdb'),
      ...{ noSubdir: true, maxDbs: 3, pageSize: 4096, encoding: 'binary', overlappingSync: false },
    });
    root.openDB({ name: 'pieces', encoding: 'binary' });
    const state = root.openDB({ name: 'state', encoding: 'binary' });
    const meta = root.openDB({ name: 'meta', encoding: 'binary' });
    await root.transaction(() => {
      if (!isInLog) state.put('schema', Buffer.from('1'));
      meta.put('generation', Buffer.from('1'));
      meta.put('block', Buffer.from('0'));
    });
    await root.close();
    fs.writeFileSync(path.join(dir, 'blocks.log'), Buffer.alloc(isInLog ? 4096 : 0, 7));
    insistRefused(
      t,
      dir,
      new RegExp(`schema version 1, this program reads version ${schemaVersion}; use the program`),
    );
  }
});

test('a value that was damaged is named when it is read', async t => {
  const { dir } = await makeCrashed(t);
  const store = openLmdbStore({ dir, durability: 'none', create: false });
  store.commit({ puts: new Map([['large', Buffer.alloc(20_000, 'large')]]) });
  await store.close();
  const file = path.join(dir, 'data.mdb');
  const bytes = fs.readFileSync(file);
  const at = bytes.indexOf('largelargelarge') + 12_000;
  bytes[at] ^= 4;
  fs.writeFileSync(file, bytes);
  for (const open of [
    () => readLmdbStore({ dir }),
    () => openLmdbStore({ dir, durability: 'none', create: false }),
  ]) {
    const opened = open();
    t.is(opened.get('block'), '20');
    t.throws(() => opened.get('large'), {
      name: 'UserError',
      message: /data\.mdb is damaged: table state: what is under key "large" was not written/,
    });
    await opened.close();
  }
});

test('a damaged block in front of others is reported with its place', async t => {
  const { dir, digest } = await makeCrashed(t, { blocks: 19 });
  const log = path.join(dir, 'blocks.log');
  const bytes = fs.readFileSync(log);
  bytes[headBytes + 60] ^= 1;
  fs.writeFileSync(log, bytes);
  insistRefused(
    t,
    dir,
    /blocks\.log is damaged: the record of block \d+ at byte 8192 is damaged, and block \d+ is there/,
  );
  bytes[headBytes + 60] ^= 1;
  fs.writeFileSync(log, bytes);
  const store = readLmdbStore({ dir });
  t.is(storeDigest(store), digest);
  await store.close();
});

test('a database of another program is named as what it may be, and is not changed', async t => {
  const programs = [{}, { name: 'accounts', maxDbs: 2 }, { keyIsUint32: true }];
  for (const options of programs) {
    const dir = temporaryDirectory(t, fastDirectory);
    const theirs = openLmdb({ path: dir, ...options });
    for (let i = 0; i < 3; i += 1) await theirs.put(i, 'theirs');
    await theirs.close();
    const file = path.join(dir, 'data.mdb');
    const before = fs.readFileSync(file);
    for (const open of [
      () => openLmdbStore({ dir, durability: 'commit', create: false }),
      () => readLmdbStore({ dir }),
    ])
      t.throws(open, {
        message: /data\.mdb is damaged: page \d+: .*; it may be another program's database; /,
      });
    t.deepEqual(fs.readFileSync(file), before);
  }
});
