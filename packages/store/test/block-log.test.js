import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { openLmdbStore } from '#store';
import { openBlockLog } from '../block-log.js';
import { headBytes, readSlots } from '../log-head.js';
import { DamagedLog, readLog } from '../read-log.js';
import { startMachineAnew, temporaryDirectory } from './helpers.js';

/** @type {(key: string, value: string) => import('#store').Batch} */
const put = (key, value) => ({ puts: new Map([[key, value]]) });

const slot = { run: '0123456789abcdef', boot: 'this one', generation: 2, block: 4 };

/**
 * @param {import('ava').ExecutionContext} t
 * @param {import('#store').Batch[]} batches  written as blocks 5, 6 ... of generation 2
 * @param {(block: number) => number} [durableAt]  what is on the disk when a block is written
 */
const logOf = (t, batches, durableAt = () => 4) => {
  const file = path.join(temporaryDirectory(t), 'blocks.log');
  const log = openBlockLog(file, slot);
  log.restart(slot, 1e6);
  const ends = batches.map((batch, i) => {
    log.encode(batch);
    log.write(5 + i, durableAt(5 + i));
    return headBytes + log.used;
  });
  log.close();
  return { bytes: fs.readFileSync(file), ends };
};

/**
 * @param {Buffer} bytes
 * @param {boolean} isSameBoot
 * @returns {number | string} how many blocks count, or that there is damage
 */
const countBlocks = (bytes, isSameBoot) => {
  try {
    return [...readLog(bytes, slot, isSameBoot).blocks()].length;
  } catch (error) {
    if (!(error instanceof DamagedLog)) throw error;
    return 'damaged';
  }
};

test('the log is read as it was written', t => {
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
    deleteStreams: ['old', 's'],
  };
  const { bytes } = logOf(t, [batch, { puts: new Map() }]);
  t.deepEqual(readSlots(bytes), [slot]);
  const { blocks, lost } = readLog(bytes, slot, true);
  const [first, second, ...others] = blocks();
  t.deepEqual(first, {
    puts: new Map([
      ['text', Buffer.from('é')],
      ['empty', Buffer.of()],
      ['gone', undefined],
      ['bytes', Buffer.of(0, 255)],
    ]),
    appends: new Map([['s', Buffer.of(1, 2)]]),
    deleteStreams: ['old', 's'],
  });
  t.deepEqual(second, { puts: new Map(), appends: new Map(), deleteStreams: [] });
  t.deepEqual(others, []);
  t.is(lost, undefined);
});

test('a log cut at any byte gives the blocks before that place', t => {
  const { bytes, ends } = logOf(t, [put('a', '1'), put('b', '2'), put('c', '3')]);
  const end = /** @type {number} */ (ends.at(-1));
  for (let at = headBytes; at < end; at += 1) {
    // A record may lack its end: it is whole by its checksum.
    const whole = ends.filter(recordEnd => recordEnd <= at).length;
    t.is(countBlocks(bytes.subarray(0, at), true), whole);
    const zeroed = Buffer.from(bytes).fill(0, at);
    t.true([whole, whole + 1].includes(Number(countBlocks(zeroed, true))), `zeros from ${at}`);
  }
});

test('a byte changed anywhere in the log is reported, or changes nothing', t => {
  const { bytes, ends } = logOf(t, [put('a', '1'), put('b', '2'), put('c', '3')]);
  const end = /** @type {number} */ (ends.at(-1));
  for (let at = headBytes; at < end; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] ^= 1;
    t.true(['damaged', 3].includes(countBlocks(changed, true)), `byte ${at}`);
  }
});

test('a block that was on the disk when a later one was written cannot be lost with the power', t => {
  const batches = [put('a', '1'), put('b', '2'), put('c', '3')];
  /** @type {[(block: number) => number, number | string][]} */
  const claims = [
    [block => block - 1, 'damaged'],
    [() => 4, 1],
  ];
  for (const [durableAt, expected] of claims) {
    const { bytes, ends } = logOf(t, batches, durableAt);
    bytes.fill(0, ends[0], ends[1]);
    t.is(countBlocks(bytes, false), expected);
    t.is(countBlocks(bytes, true), 'damaged');
  }
});

test('blocks that a loss of power took are reported', t => {
  const { bytes, ends } = logOf(t, [put('a', '1'), put('b', '2'), put('c', '3')]);
  bytes.fill(0, ends[0], ends[1]);
  t.is(
    readLog(bytes, slot, false).lost,
    'the record of block 6 is missing, and block 7 is there: blocks from 6 on are lost',
  );
});

test('records in another order, twice, or of another chain are damage', t => {
  const { bytes, ends } = logOf(t, [put('a', '1'), put('b', '2'), put('c', '3')]);
  const [one, two, three] = [headBytes, ...ends].map((start, i, all) =>
    bytes.subarray(start, all[i + 1]),
  );
  const other = logOf(t, [put('a', 'X'), put('b', '2'), put('c', '3')]);
  const otherTwo = other.bytes.subarray(other.ends[0], other.ends[1]);
  const head = bytes.subarray(0, headBytes);
  const rest = Buffer.alloc(5000);
  for (const records of [
    [two, one, three],
    [one, three, two],
    [one, one, two],
    [one, two, one],
    [one, otherTwo],
    [two],
  ]) {
    const log = Buffer.concat([head, ...records, rest]);
    for (const isSameBoot of [true, false]) {
      const counted = countBlocks(log, isSameBoot);
      t.is(counted, 'damaged');
    }
  }
});

test('a log of another generation, run or block gives none', t => {
  const { bytes } = logOf(t, [put('a', '1')]);
  const count = (/** @type {Partial<typeof slot>} */ change) => [
    ...readLog(bytes, { ...slot, ...change }, false).blocks(),
  ];
  t.is(count({}).length, 1);
  t.is(count({ generation: 3 }).length, 0);
  t.is(count({ run: 'fedcba9876543210' }).length, 0);
  t.throws(() => count({ block: 3 }), { instanceOf: DamagedLog });
  t.throws(() => count({ block: 5 }), { instanceOf: DamagedLog });
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
    startMachineAnew(copy);
    return copy;
  };
  const second = crashed(file);
  const log = fs.readFileSync(path.join(second, 'blocks.log'));
  log.fill(0, headBytes, headBytes + log.readUInt32LE(headBytes + 8));
  fs.writeFileSync(path.join(second, 'blocks.log'), log);
  await store.close();

  /** @type {string[]} */
  const told = [];
  const onLoss = (/** @type {string} */ what) => void told.push(what);
  store = openLmdbStore({ dir: second, durability: 'none', create: false, onLoss });
  t.deepEqual(told, [
    `${path.join(second, 'blocks.log')}: the record of block 2 is missing, and block 3 is there: blocks from 2 on are lost, as after a loss of power`,
  ]);
  t.is(store.get('block'), '1');
  store.commit(put('block', 'B'));
  const third = crashed(path.join(second, 'blocks.log'));
  await store.close();

  store = openLmdbStore({ dir: third, durability: 'none', create: false });
  t.is(store.get('block'), 'B');
  await store.close();
});

test('a block that is too large for a record is refused before anything is written', t => {
  const file = path.join(temporaryDirectory(t), 'blocks.log');
  const log = openBlockLog(file, slot, 1000);
  log.restart(slot, 1e6);
  const before = fs.readFileSync(file);
  const refused = {
    name: 'UserError',
    message: /^a block changes more than 1000 bytes, .*; nothing of it was kept: make smaller/,
  };
  t.throws(() => log.encode(put('key', 'x'.repeat(1000))), refused);
  const appends = new Map([['s', new Uint8Array(1000)]]);
  t.throws(() => log.encode({ ...put('key', 'x'), appends }), refused);
  t.deepEqual(fs.readFileSync(file), before);
  log.encode(put('key', 'x'));
  log.write(5, 4);
  log.close();
  t.is(countBlocks(fs.readFileSync(file), true), 1);
});
