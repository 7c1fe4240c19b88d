// A command works on the right state, and discards none which somebody may want.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { openState } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @typedef {Parameters<typeof openState>[0]} StateWish */

/** @param {import('ava').ExecutionContext} t */
const stateDirectory = t => path.join(temporaryDirectory(t, 'open-store-test'), 'state');

/** @param {string} dir @param {Partial<StateWish>} [wish] */
const open = (dir, wish = {}) =>
  openState({ kind: 'lmdb', dir, isNamed: false, usually: 'fresh', durability: 'none', ...wish });

/**
 * @param {string} dir
 * @param {Record<string, string>} values  beside what every state has
 */
const makeStateWith = async (dir, values) => {
  const { store } = await open(dir, { asked: 'init' });
  store.commit({ puts: new Map(Object.entries({ mark: 'old', ...values })) });
  await store.close();
};

const finished = { 'host.setup': '{}', 'host.rounds': '2 2 -' };
const unfinished = { 'host.setup': '{}', 'host.rounds': '5 2 kp40' };

/** @param {string} dir */
const readMark = async dir => {
  const { store } = await open(dir, { asked: 'resume' });
  const mark = store.get('mark');
  await store.close();
  return mark;
};

test('a new run replaces a finished one with its first block, not earlier', async t => {
  const dir = stateDirectory(t);
  await makeStateWith(dir, finished);
  const first = await open(dir);
  t.false(first.resume);
  t.true(first.replaced);
  t.is(first.store.get('mark'), undefined);
  await first.store.close();
  t.is(await readMark(dir), 'old');

  const second = await open(dir);
  second.store.commit({ puts: new Map([['mark', 'new']]) });
  t.is(second.store.get('mark'), 'new');
  await second.store.close();
  t.is(await readMark(dir), 'new');
});

test('only --init discards an unfinished run, or one in its own directory', async t => {
  const dir = stateDirectory(t);
  await makeStateWith(dir, unfinished);
  await t.throwsAsync(open(dir), {
    name: 'UserError',
    message: `${dir} holds a run that has done 2 of 5 rounds; go on with it by --resume, or discard it by --init`,
  });
  await makeStateWith(dir, finished);
  await t.throwsAsync(open(dir, { isNamed: true }), { message: /holds a finished run/ });
  t.is(await readMark(dir), 'old');
  const { store } = await open(dir, { isNamed: true, asked: 'init' });
  store.commit({ puts: new Map([['mark', 'new']]) });
  await store.close();
  t.is(await readMark(dir), 'new');
});

test('single cranks continue any state', async t => {
  const dir = stateDirectory(t);
  t.false((await open(dir, { usually: 'continue' })).resume);
  t.false(fs.existsSync(dir));
  await makeStateWith(dir, unfinished);
  const { store, resume } = await open(dir, { usually: 'continue' });
  t.true(resume);
  await store.close();
});

test('a state of another program is not continued', async t => {
  const dir = stateDirectory(t);
  await makeStateWith(dir, { ...unfinished, 'local.baseDir': '/here/one' });
  await t.throwsAsync(open(dir, { asked: 'resume', baseDir: '/there/one' }), {
    name: 'UserError',
    message: /holds a run of "\/here\/one", not of "\/there\/one"/,
  });
  const { store } = await open(dir, { asked: 'resume', baseDir: '/here/one' });
  await store.close();
});

test('without a kept state there is nothing to resume', async t => {
  const dir = stateDirectory(t);
  await t.throwsAsync(open(dir, { asked: 'resume' }), {
    name: 'UserError',
    message: `there is no state to resume in ${dir}; leave --resume out to begin a run`,
  });
  await t.throwsAsync(open(dir, { kind: 'memory', asked: 'resume' }), {
    message: /--memdb keeps no state/,
  });
  // A run that was only about to begin there.
  const { store, open: openNow } = await open(dir);
  openNow();
  await store.close();
  await t.throwsAsync(open(dir, { asked: 'resume' }), { message: /no saved state here/ });
  const again = await open(dir);
  t.false(again.resume);
});

test('a database that was emptied is refused, and no run begins over it', async t => {
  const dir = stateDirectory(t);
  await makeStateWith(dir, {});
  const database = path.join(dir, 'data.mdb');
  fs.truncateSync(database, 0);
  for (const asked of [undefined, /** @type {const} */ ('resume')]) {
    await t.throwsAsync(open(dir, { ...(asked && { asked }) }), {
      name: 'UserError',
      message: /data\.mdb is not a database, or only the beginning of one; .*--init/,
    });
  }
  t.is(fs.statSync(database).size, 0);
  const { store } = await open(dir, { asked: 'init' });
  await store.close();
});

test('a database of another version stays as it is unless --init is given', async t => {
  const dir = stateDirectory(t);
  await makeStateWith(dir, { schema: '99' });
  await t.throwsAsync(open(dir), {
    name: 'UserError',
    message: /schema version 99.*\(--init starts afresh, and discards what is there\)/,
  });
  const { store } = await open(dir, { asked: 'init' });
  store.commit({ puts: new Map([['mark', 'new']]) });
  await store.close();
  t.is(await readMark(dir), 'new');
});
