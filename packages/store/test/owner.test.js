// Owners of locks: processes of this namespace go by number and start, those of other containers by a pipe that they hold.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { openLmdbStore } from '#store';
import { lockDirectory } from '../directory-lock.js';
import { findOwner, formatOwner, parseOwner, presentSelf } from '../owner.js';
import { temporaryDirectory } from './helpers.js';

const here = import.meta.dirname;
const container = { namespace: '4026532001' };
const other = { namespace: '4026532002' };
const host = { namespace: '4026531836' };

/** (Windows has neither; on macOS the command is there, and namespaces are not.) */
const hasPipes =
  process.platform !== 'win32' && spawnSync('mkfifo', ['--version']).error === undefined;

test('what a lock says is read as it was written, and by earlier versions too', t => {
  const owner = { pid: 7, start: '55', boot: 'a-b', namespace: '4', pipe: 'store.lock.7-a.alive' };
  t.deepEqual(parseOwner(formatOwner(owner)), owner);
  const plain = { pid: 7, start: '', boot: '', namespace: '', pipe: '' };
  t.deepEqual(parseOwner(formatOwner(plain)), plain);
  t.deepEqual(parseOwner('7 55\n'), { ...plain, start: '55' });
  for (const text of [
    '',
    '7',
    '7 55',
    'x 5\n',
    '0 5\n',
    '007 5\n',
    '7 55 a b ../c\n',
    '7 55 a 1 ../c\n',
    '7 5\n8 5\n',
  ])
    t.is(parseOwner(text), undefined, text);
});

(hasPipes ? test : test.skip)('a pipe tells other containers whether its owner is there', t => {
  const dir = temporaryDirectory(t);
  const { owner, release } = presentSelf(dir, 'lock.alive', container);
  t.is(owner.pipe, 'lock.alive');
  t.is(findOwner(owner, dir, container), 'here');
  t.is(findOwner(owner, dir, other), 'elsewhere');
  t.is(findOwner(owner, dir, host), 'elsewhere');
  // Its number, in another namespace, says nothing.
  t.is(findOwner({ ...owner, pid: 999_999_999 }, dir, other), 'elsewhere');
  t.is(findOwner({ ...owner, pid: 999_999_999 }, dir, container), 'gone');
  release();
  t.deepEqual(fs.readdirSync(dir), []);
  t.is(findOwner(owner, dir, other), 'gone');
  spawnSync('mkfifo', [path.join(dir, 'lock.alive')]);
  t.is(findOwner(owner, dir, other), 'gone', 'left behind, and held by nobody');
});

test('on the host itself there is no pipe, and a container cannot know', t => {
  const dir = temporaryDirectory(t);
  const { owner, release } = presentSelf(dir, 'lock.alive', host);
  t.is(owner.pipe, '');
  t.deepEqual(fs.readdirSync(dir), []);
  t.is(findOwner(owner, dir, host), 'here');
  t.is(findOwner(owner, dir, container), 'unknown');
  // An earlier version, or another system.
  t.is(findOwner({ ...owner, namespace: '' }, dir, container), 'here');
  t.is(findOwner({ ...owner, boot: 'another' }, dir, container), owner.boot ? 'gone' : 'unknown');
  release();
});

test('a lock that was left behind takes no file of the state with it, whatever it names', async t => {
  const dir = path.join(temporaryDirectory(t), 'state');
  const options = /** @type {const} */ ({ dir, durability: 'none' });
  const made = openLmdbStore({ ...options, create: true });
  made.commit({ puts: new Map([['schema', Buffer.from('1')]]) });
  await made.close();
  const content = fs.readFileSync(path.join(dir, 'data.mdb'));
  const { boot, namespace } = presentSelf(dir, 'lock.alive', host).owner;
  const dead = { pid: 999_999_999, start: '1', boot, namespace };
  fs.writeFileSync(path.join(dir, 'store.lock'), formatOwner({ ...dead, pipe: 'data.mdb' }));
  const release = lockDirectory(dir);
  t.deepEqual(fs.readFileSync(path.join(dir, 'data.mdb')), content);
  release();
});

test('a lock that no owner has written is taken over', t => {
  const dir = temporaryDirectory(t);
  const file = path.join(dir, 'store.lock');
  // Process 0 would be found, as the group of this one.
  for (const text of ['', '0 \n', `${process.pid}`]) {
    fs.writeFileSync(file, text);
    lockDirectory(dir)();
  }
  // Larger than what can be read at once.
  fs.writeFileSync(file, '');
  fs.truncateSync(file, 3 * 2 ** 30);
  lockDirectory(dir)();
  t.deepEqual(fs.readdirSync(dir), []);
});

/** The file that names the heir of an owner. @param {string} dir @param {string} owner */
const heirOf = (dir, owner) => {
  const name = createHash('sha256').update(owner).digest('hex').slice(0, 16);
  return path.join(dir, `store.lock.heir-${name}`);
};
const gone = ['999999997 1\n', '999999998 1\n', '999999999 1\n'];
const living = `${process.ppid} \n`;

test('a lock that another process takes over first is never absent', t => {
  const dir = temporaryDirectory(t);
  const file = path.join(dir, 'store.lock');
  fs.writeFileSync(file, gone[0]);
  /** @type {any} */
  const patched = fs;
  const { readFileSync, renameSync } = fs;
  t.teardown(() => Object.assign(patched, { readFileSync, renameSync }));
  let isRead = false;
  patched.readFileSync = (/** @type {string} */ name, /** @type {any} */ how) => {
    const read = readFileSync(name, how);
    if (name === file && !isRead) fs.writeFileSync(file, living);
    isRead ||= name === file;
    return read;
  };
  patched.renameSync = (/** @type {string} */ from, /** @type {string} */ to) => {
    renameSync(from, to);
    t.true(fs.existsSync(file), 'a third process would take it now');
  };
  t.throws(() => lockDirectory(dir), { message: /in use by process/ });
  t.is(readFileSync(file, 'utf8'), living);
  t.deepEqual(fs.readdirSync(dir), ['store.lock']);
});

test('only the heir of a lock takes it over, and the heir of an heir that is gone', t => {
  const dir = temporaryDirectory(t);
  const file = path.join(dir, 'store.lock');
  fs.writeFileSync(file, gone[0]);
  fs.writeFileSync(heirOf(dir, gone[0]), gone[1]);
  fs.writeFileSync(heirOf(dir, gone[1]), living);
  t.throws(() => lockDirectory(dir), { message: /in use by process/ });
  t.is(fs.readFileSync(file, 'utf8'), gone[0]);

  fs.writeFileSync(heirOf(dir, gone[1]), gone[2]);
  const release = lockDirectory(dir);
  t.deepEqual(fs.readdirSync(dir), ['store.lock']);
  t.is(parseOwner(fs.readFileSync(file, 'latin1'))?.pid, process.pid);
  release();

  // The heir replaced the lock, and ended before it removed its file.
  fs.writeFileSync(file, gone[1]);
  fs.writeFileSync(heirOf(dir, gone[0]), gone[1]);
  lockDirectory(dir)();
  t.false(fs.existsSync(file));

  fs.writeFileSync(file, gone[0]);
  fs.writeFileSync(heirOf(dir, gone[0]), gone[0]);
  t.throws(() => lockDirectory(dir), { message: /names its own owner; remove it$/ });
});

test('locks and heirs that a crash of the machine has emptied are taken over', t => {
  const dir = temporaryDirectory(t);
  const file = path.join(dir, 'store.lock');
  fs.writeFileSync(file, '');
  // The first is the heir of the lock, the second of that heir.
  for (const emptied of [[''], ['', '']])
    fs.writeFileSync(heirOf(dir, JSON.stringify(emptied)), '');
  const release = lockDirectory(dir);
  t.deepEqual(fs.readdirSync(dir), ['store.lock']);
  release();

  fs.writeFileSync(file, gone[0]);
  fs.writeFileSync(heirOf(dir, gone[0]), '');
  fs.writeFileSync(heirOf(dir, JSON.stringify([gone[0], ''])), living);
  t.throws(() => lockDirectory(dir), { message: /in use by process/ });
});

/** How a process is started in a container of its own; Linux, for root. */
const isolate = ['unshare', '-pf', '--kill-child', '--mount-proc'];
const canIsolate = spawnSync(isolate[0], [...isolate.slice(1), 'true']).status === 0 && hasPipes;

(canIsolate ? test : test.skip)(
  'containers that share a directory do not take each other’s lock',
  async t => {
    const dir = temporaryDirectory(t);
    const program = [...isolate, process.execPath, path.join(here, 'hold-store.js'), dir];
    const holder = spawn(program[0], program.slice(1));
    await new Promise(resolve => holder.stdout.once('data', resolve));
    const inUse = /in use by process 1 of another container or of its host; wait for it to end/;
    t.throws(() => openLmdbStore({ dir, durability: 'none', create: false }), { message: inUse });
    const second = spawnSync(program[0], program.slice(1), { encoding: 'utf8' });
    t.regex(second.stderr, inUse);

    const gone = new Promise(resolve => holder.once('close', resolve));
    holder.kill('SIGKILL');
    await gone;
    t.is(fs.readdirSync(dir).filter(name => name.startsWith('store.lock')).length, 2);
    const store = openLmdbStore({ dir, durability: 'none', create: true });
    t.deepEqual(
      fs.readdirSync(dir).filter(name => name.startsWith('store.lock')),
      ['store.lock'],
    );
    await store.close();
  },
);
