import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { openLmdbStore } from '#store';
import { openBlockLog, readBlocks } from '../block-log.js';
import { temporaryDirectory } from './helpers.js';

/** @type {(key: string, value: string) => import('#store').Batch} */
const put = (key, value) => ({ puts: new Map([[key, value]]) });

/**
 * @param {import('ava').ExecutionContext} t
 * @param {import('#store').Batch[]} batches  written as blocks 5, 6 ... of generation 2
 */
const logOf = (t, batches) => {
  const log = openBlockLog(path.join(temporaryDirectory(t), 'blocks.log'));
  const ends = batches.map((batch, i) => {
    log.encode(batch);
    log.write(2, 5 + i);
    return log.used;
  });
  const bytes = log.read();
  log.close();
  return { bytes, ends };
};

test('what is read from the log is what was written', t => {
  /** @type {import('#store').Batch} */
  const batch = {
    puts: new Map(
      /** @type {[string, string | Uint8Array | undefined][]} */ ([
        ['text', 'é'],
        ['empty', ''],
        ['gone', undefined],
        ['bytes', Uint8Array.of(0, 255)],
      ]),
    ),
    appends: new Map([['s', Uint8Array.of(1, 2)]]),
    dropStreams: ['old', 's'],
  };
  const { bytes } = logOf(t, [batch, { puts: new Map() }]);
  const [first, second, ...others] = readBlocks(bytes, 2, 4);
  t.deepEqual(first, {
    puts: new Map([
      ['text', Buffer.from('é')],
      ['empty', Buffer.of()],
      ['gone', undefined],
      ['bytes', Buffer.of(0, 255)],
    ]),
    appends: new Map([['s', Buffer.of(1, 2)]]),
    dropStreams: ['old', 's'],
  });
  t.deepEqual(second, { puts: new Map(), appends: new Map(), dropStreams: [] });
  t.deepEqual(others, []);
});

test('a log cut or changed at any byte gives the blocks before that place', t => {
  const { bytes, ends } = logOf(t, [put('a', '1'), put('b', '2'), put('c', '3')]);
  const end = /** @type {number} */ (ends.at(-1));
  for (let at = 0; at < end; at += 1) {
    const whole = ends.filter(recordEnd => recordEnd <= at).length;
    t.is([...readBlocks(bytes.subarray(0, at), 2, 4)].length, whole);
    const changed = Buffer.from(bytes);
    changed[at] ^= 1;
    t.is([...readBlocks(changed, 2, 4)].length, whole);
  }
});

test('a log of another generation, or of blocks that do not follow, gives none', t => {
  const { bytes } = logOf(t, [put('a', '1')]);
  t.is([...readBlocks(bytes, 2, 4)].length, 1);
  t.is([...readBlocks(bytes, 3, 4)].length, 0);
  t.is([...readBlocks(bytes, 2, 3)].length, 0);
  t.is([...readBlocks(bytes, 2, 5)].length, 0);
});

test('a block that outlived its predecessor in the log stays dead when that one is written anew', async t => {
  const dir = temporaryDirectory(t);
  const file = path.join(dir, 'blocks.log');
  let store = openLmdbStore({ dir, durability: 'none', create: true });
  store.commit(put('block', '1'));
  await store.close();
  store = openLmdbStore({ dir, durability: 'none', create: false });
  for (const n of ['2', '3']) store.commit(put('block', n));

  // The power fails: of the log, block 3 is on the disk and block 2 is not.
  /** @type {(name: string) => string} */
  const crashed = name => {
    const copy = temporaryDirectory(t);
    fs.cpSync(path.dirname(name), copy, { recursive: true });
    fs.rmSync(path.join(copy, 'store.lock'));
    return copy;
  };
  const second = crashed(file);
  const log = fs.readFileSync(path.join(second, 'blocks.log'));
  log.fill(0, 0, log.readUInt32LE(0));
  fs.writeFileSync(path.join(second, 'blocks.log'), log);
  await store.close();

  store = openLmdbStore({ dir: second, durability: 'none', create: false });
  t.is(store.get('block'), '1');
  store.commit(put('block', 'B'));
  const third = crashed(path.join(second, 'blocks.log'));
  await store.close();

  store = openLmdbStore({ dir: third, durability: 'none', create: false });
  t.is(store.get('block'), 'B');
  await store.close();
});
