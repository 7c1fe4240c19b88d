// The log of a run: its leader writes it once and in order whatever is lost on the way, and its reader finds whatever is not as
// it was written, at the block where it is so.

import test from 'ava';
import fc from 'fast-check';
import { makeMemoryStore } from '#store';
import { storeDigest } from '#store';
import { writeBatch } from '../batch-bytes.js';
import { Follower } from '../follower.js';
import { LeaderLog, LeadershipLost } from '../leader-log.js';
import { DamagedRun, emptyHead, readLog } from '../log-reader.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { readRecord, writeRecord } from '../record.js';

/** @import { Cluster, LogRecord, RunLog } from '../interface.js' */
/** @import { Head } from '../log-reader.js' */
/** @import { LogEntry } from '../record.js' */

const run = 'tested';
const activity = 'ab'.repeat(32);

/**
 * @param {Cluster} cluster
 * @param {object} [options]
 * @param {Head} [options.head]
 * @param {RunLog} [options.log]
 * @param {string} [options.leader]
 */
const makeLeader = async (cluster, { head = emptyHead, log, leader = 'first' } = {}) =>
  new LeaderLog({
    ...{ cluster, run, head, leader, leaseMs: 60_000, patienceMs: 10_000 },
    log: log ?? (await cluster.provideLog()),
    tell: () => {},
    onLost: () => {},
  });

const blockBytes = (/** @type {number} */ number) =>
  writeBatch({
    puts: new Map([
      ['number', String(number)],
      [`key ${number % 3}`, number % 2 === 0 ? undefined : 'odd'],
    ]),
    appends: new Map([['stream', Uint8Array.of(number)]]),
  });

/** @param {LeaderLog} leader @param {number} from @param {number} to */
const writeBlocks = async (leader, from, to) => {
  for (let i = from; i <= to; i += 1) await leader.appendBlock(blockBytes(i), activity);
};

/** A log of two leaders. */
const writeLog = async () => {
  const memory = makeMemoryCluster();
  const cluster = memory.connect('writer');
  const first = await makeLeader(cluster);
  await first.begin({ run });
  await first.takeOver();
  await writeBlocks(first, 1, 4);
  first.stop();
  const second = await makeLeader(cluster, { head: first.head, leader: 'second' });
  await second.takeOver();
  await writeBlocks(second, 5, 8);
  second.stop();
  return { memory, cluster, head: second.head };
};

/** @param {Cluster} cluster @param {object} [options] */
const readAll = async (cluster, options) => {
  const log = /** @type {RunLog} */ (await cluster.findLog());
  const kinds = [];
  for await (const { entry, load } of readLog(cluster, run, log, options)) {
    await load();
    kinds.push(entry.kind);
  }
  return kinds;
};

test('a record is decoded as it was encoded', t => {
  const head = { seq: 7, epoch: 2, block: 5, checkpoint: 3, before: 'cd'.repeat(32), activity };
  for (const payload of [
    { bytes: Uint8Array.of(1, 2, 3) },
    { bytes: new Uint8Array() },
    { blob: 'ef'.repeat(32), length: 5_000_000 },
  ]) {
    const entry = { kind: /** @type {const} */ ('block'), ...head, payload };
    t.deepEqual(readRecord(writeRecord(entry)), entry);
  }
});

test('a record with any changed bit or any missing end is refused', t => {
  const whole = writeRecord({
    ...{ kind: 'block', seq: 7, epoch: 2, block: 5, checkpoint: 3, before: 'cd'.repeat(32) },
    ...{ activity, payload: { bytes: Uint8Array.of(1, 2, 3) } },
  });
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const other = whole.slice();
    other[bit >> 3] ^= 1 << (bit & 7);
    t.throws(() => readRecord(other), { instanceOf: RangeError });
  }
  for (let length = 0; length < whole.length; length += 1)
    t.throws(() => readRecord(whole.subarray(0, length)), { instanceOf: RangeError });
});

test('a log of two successive leaders is read completely', async t => {
  const { cluster } = await writeLog();
  const blocks = ['block', 'block', 'block', 'block'];
  t.deepEqual(await readAll(cluster), ['begin', 'lease', ...blocks, 'lease', ...blocks]);
});

/** Ways in which a log can be damaged, each at a record from 1 on. @type {Record<string, (records: LogRecord[], at: number) => void>} */
const damages = {
  'is altered': (records, at) => {
    const { bytes } = records[at];
    bytes[Math.floor(bytes.length / 2)] ^= 1;
  },
  'is torn': (records, at) => {
    records[at] = { ...records[at], bytes: records[at].bytes.subarray(0, -5) };
  },
  'is lost': (records, at) => {
    records.splice(at, 1);
  },
  'is lost, and all are numbered anew': (records, at) => {
    records.splice(at, 1);
    records.forEach((record, i) => {
      record.seq = i + 1;
    });
  },
  'is there twice': (records, at) => {
    records.splice(at, 0, { ...records[at] });
    records.forEach((record, i) => {
      record.seq = i + 1;
    });
  },
  'has changed places with the one before': (records, at) => {
    const { bytes } = records[at];
    records[at].bytes = records[at - 1].bytes;
    records[at - 1].bytes = bytes;
  },
  'was written anew, with another block': (records, at) => {
    const entry = readRecord(records[at].bytes);
    const payload = { bytes: blockBytes(99) };
    records[at].bytes = writeRecord({ ...entry, payload });
  },
  'is empty': (records, at) => {
    records[at].bytes = new Uint8Array();
  },
};

for (const [what, damage] of Object.entries(damages))
  test(`a log of which a record ${what} is refused, with the block where it happened`, async t => {
    for (let at = 1; at <= 9; at += 1) {
      const { memory, cluster } = await writeLog();
      damage(memory.records, at);
      const error = await t.throwsAsync(readAll(cluster), { instanceOf: DamagedRun });
      const message = /** @type {Error} */ (error).message;
      t.regex(message, /^the log of run tested is damaged: .*record \d+.*; bring back the stream/);
    }
  });

/** Ways in which somebody who may write to the log changes one field of a record, with a right hash. @type {Record<string, (entry: LogEntry) => Partial<LogEntry>>} */
const forgeries = {
  kind: ({ kind }) => ({ kind: kind === 'block' ? 'renewal' : 'block' }),
  seq: ({ seq }) => ({ seq: seq + 1 }),
  epoch: ({ epoch }) => ({ epoch: epoch + 1 }),
  block: ({ block }) => ({ block: block + 1 }),
  checkpoint: ({ seq }) => ({ checkpoint: seq - 1 }),
  before: () => ({ before: 'ef'.repeat(32) }),
  activity: () => ({ activity: 'ef'.repeat(32) }),
  payload: () => ({ payload: { bytes: blockBytes(99) } }),
  'payload, as a blob': ({ payload }) => ({
    payload: { blob: 'ef'.repeat(32), length: 'bytes' in payload ? payload.bytes.length : 0 },
  }),
};

for (const [field, forge] of Object.entries(forgeries))
  test(`a record with another ${field} and a right hash is refused before the record behind it counts`, async t => {
    for (let at = 1; at <= 8; at += 1) {
      const { memory, cluster } = await writeLog();
      const { records } = memory;
      const entry = readRecord(records[at].bytes);
      records[at].bytes = writeRecord({ ...entry, ...forge(entry) });
      const log = /** @type {RunLog} */ (await cluster.findLog());
      let last = 0;
      const reading = async () => {
        for await (const { head, load } of readLog(cluster, run, log, { isWhole: true })) {
          await load();
          last = head.seq;
        }
      };
      const { message } = await t.throwsAsync(reading, { instanceOf: DamagedRun });
      t.true(last <= at + 1, `${last}`);
      t.regex(message, /^the log of run tested is damaged: .*record \d+.*; bring back the stream/);
    }
  });

test('records of a leader of an earlier epoch after those of a later one are refused', async t => {
  const { memory, cluster, head } = await writeLog();
  const bytes = writeRecord({
    ...{ kind: 'block', seq: head.seq + 1, epoch: 1, block: head.block + 1, checkpoint: 0 },
    ...{ before: head.hash, activity, payload: { bytes: blockBytes(9) } },
  });
  memory.records.push({ seq: head.seq + 1, bytes });
  await t.throwsAsync(readAll(cluster), {
    instanceOf: DamagedRun,
    message: /block 9, record 12 is of epoch 1, while 2 is in force/,
  });
});

test("the loss of the log's end is detected by a reader that has seen it", async t => {
  const { memory, cluster, head } = await writeLog();
  memory.records.length = 9;
  t.is((await readAll(cluster)).length, 9);
  await t.throwsAsync(readAll(cluster, { from: head }), {
    instanceOf: DamagedRun,
    message: /records 10 to 11, up to block 8, were acknowledged and are lost/,
  });
});

test('a missing or different blob of a large block is refused', async t => {
  const memory = makeMemoryCluster({ maxBytes: 2_000 });
  const cluster = memory.connect('writer');
  const leader = await makeLeader(cluster);
  await leader.begin({ run });
  await leader.takeOver();
  const large = writeBatch({ puts: new Map([['key', 'x'.repeat(5_000)]]) });
  await leader.appendBlock(large, activity);
  leader.stop();
  t.deepEqual(await readAll(cluster), ['begin', 'lease', 'block']);
  const [[name, bytes]] = memory.blobs;
  memory.blobs.set(name, bytes.subarray(1));
  await t.throwsAsync(readAll(cluster), {
    instanceOf: DamagedRun,
    message: /block 1, is not the 50\d\d bytes of its name/,
  });
  memory.blobs.delete(name);
  await t.throwsAsync(readAll(cluster), { message: /block 1, is missing/ });
});

test('a replaced leader writes nothing more, and names the new leader', async t => {
  const { memory, cluster, head } = await writeLog();
  const old = await makeLeader(cluster, { head, leader: 'old' });
  const other = await makeLeader(memory.connect('other'), { head, leader: 'new' });
  await other.takeOver();
  other.stop();
  await t.throwsAsync(old.appendBlock(blockBytes(9), activity), {
    instanceOf: LeadershipLost,
    message: /^run tested is led by new now, with epoch 3; this leader was taken for dead/,
  });
  const { length } = memory.records;
  await t.throwsAsync(old.appendBlock(blockBytes(10), activity), { instanceOf: LeadershipLost });
  await t.throwsAsync(old.takeOver(), { instanceOf: LeadershipLost });
  t.is(memory.records.length, length);
});

test('a leader reports the loss of acknowledged records', async t => {
  const { memory, cluster, head } = await writeLog();
  const leader = await makeLeader(cluster, { head });
  memory.records.length = 9;
  await t.throwsAsync(leader.appendBlock(blockBytes(9), activity), {
    instanceOf: DamagedRun,
    message: /records 10 to 11, up to block 8, were acknowledged and are lost/,
  });
});

test('each block is in the log once, in order, whatever acknowledgements are lost', async t => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 12 }), async (seed, count) => {
      const memory = makeMemoryCluster({ seed });
      const cluster = memory.connect('writer', { cut: 0.4, delay: 0.3, longestDelayMs: 1 });
      const leader = await makeLeader(cluster);
      await leader.begin({ run });
      await leader.takeOver();
      await writeBlocks(leader, 1, count);
      leader.stop();
      const kinds = await readAll(memory.connect('reader'));
      t.deepEqual(kinds, ['begin', 'lease', ...Array.from({ length: count }, () => 'block')]);
    }),
    { numRuns: 5 },
  );
});

test('of simultaneous leaders, only one leads', async t => {
  const memory = makeMemoryCluster();
  const first = await makeLeader(memory.connect('first'));
  await first.begin({ run });
  const { head } = first;
  const leaders = [];
  for (let i = 0; i < 4; i += 1)
    leaders.push(
      await makeLeader(memory.connect(`${i}`, { delay: 1 }), { head, leader: `leader ${i}` }),
    );
  const outcomes = await Promise.allSettled(leaders.map(each => each.takeOver()));
  for (const each of leaders) each.stop();
  t.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const each of outcomes)
    if (each.status === 'rejected') t.true(each.reason instanceof LeadershipLost);
});

test('a store built from all blocks, from a checkpoint, and from a copy is the same', async t => {
  const memory = makeMemoryCluster();
  const cluster = memory.connect('writer');
  const { stateFileChunks } = await import('#store');
  const leader = await makeLeader(cluster);
  await leader.begin({ run });
  await leader.takeOver();
  const log = await cluster.provideLog();
  await writeBlocks(leader, 1, 5);
  const copy = makeMemoryStore();
  const early = new Follower(cluster, run, log, copy);
  await early.catchUp();
  await leader.checkpoint(Buffer.concat([...stateFileChunks(copy, { hasLocal: true })]));
  await writeBlocks(leader, 6, 9);
  leader.stop();

  const digestOf = (/** @type {any} */ store) => storeDigest(store);
  const fromCheckpoint = makeMemoryStore();
  await new Follower(cluster, run, log, fromCheckpoint).catchUp();
  const fromCopy = new Follower(cluster, run, log, copy);
  await fromCopy.catchUp();
  const whole = makeMemoryStore();
  for (let i = 1; i <= 9; i += 1) {
    const { readBatch } = await import('../batch-bytes.js');
    whole.commit(readBatch(blockBytes(i)));
  }
  t.is(digestOf(fromCheckpoint), digestOf(whole));
  t.is(digestOf(copy), digestOf(whole));
  t.is(fromCopy.head.block, 9);
});
