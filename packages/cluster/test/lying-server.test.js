// A server that lies: what it acknowledges, keeps and answers is another thing than what was written. It is found and named.

import test from 'ava';
import { makeMemoryStore } from '#store';
import { UserError } from '#model';
import { writeBatch } from '../batch-bytes.js';
import { Follower, readCopy, readFacts } from '../follower.js';
import { readJson, writeJson } from '../host-messages.js';
import { Unacknowledged } from '../interface.js';
import { LeaderLog } from '../leader-log.js';
import { DamagedRun, emptyHead } from '../log-reader.js';
import { namesOf } from '../names.js';
import { noHash } from '../record.js';
import { askMove, askStatus, hasEnded, isStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { run, startHost, startLeader } from './run-cluster.js';

/** @import { Cluster, RunLog } from '../interface.js' */

const activity = 'ab'.repeat(32);

const facts = Object.freeze({
  ...{ run, id: '0123456789abcdef', secret: 'cd'.repeat(32), program: 'a config' },
  ...{ version: '1.0.0', engine: { v8: '1', icu: '1', arch: 'x' }, leaseMs: 1_000, rounds: -1 },
});

/** @param {Cluster} cluster @param {RunLog} log */
const makeLeader = (cluster, log) =>
  new LeaderLog({
    ...{ cluster, run, log, head: emptyHead, leader: 'first', leaseMs: 60_000, patienceMs: 5_000 },
    ...{ tell: () => {}, onLost: () => {} },
  });

const block = () => writeBatch({ puts: new Map([['key', 'value']]) });

/** A log with a lease and one block. @param {object} [begun] what its first record says */
const writeLog = async (begun = facts) => {
  const memory = makeMemoryCluster();
  const cluster = memory.connect('writer');
  const log = await cluster.provideLog();
  const leader = makeLeader(cluster, log);
  await leader.begin(begun);
  await leader.takeOver();
  await leader.appendBlock(block(), activity);
  leader.stop();
  return { memory, cluster, log, leader };
};

test('a record acknowledged under another number is detected at once', async t => {
  const memory = makeMemoryCluster();
  const cluster = memory.connect('writer');
  const log = await cluster.provideLog();
  let shift = 0;
  const leader = makeLeader(cluster, {
    ...log,
    append: async (bytes, last) => (await log.append(bytes, last)) + shift,
  });
  await leader.begin(facts);
  await leader.takeOver();
  shift = 5;
  await t.throwsAsync(leader.appendBlock(block(), activity), {
    instanceOf: DamagedRun,
    message: /record 3 was acknowledged as record 8: the server has another log/,
  });
  await t.throwsAsync(leader.appendBlock(block(), activity), { instanceOf: DamagedRun });
  t.is(memory.records.length, 3);
});

test('a stream removed during a run is damage, not a pause', async t => {
  const { memory, cluster, log } = await writeLog();
  const isGone = () => memory.records.length === 0;
  const leader = makeLeader(cluster, {
    ...log,
    // As JetStream does: nobody answers for a stream that is not there.
    append: async (bytes, last) => {
      if (isGone()) throw new Unacknowledged('no responders');
      return log.append(bytes, last);
    },
  });
  memory.records.length = 0;
  await t.notThrowsAsync(async () => {
    leader.head = { ...leader.head, seq: 3, block: 1, epoch: 1 };
  });
  await t.throwsAsync(leader.appendBlock(block(), activity), {
    instanceOf: DamagedRun,
    message: /records 1 to 3, up to block 1, were acknowledged and are lost/,
  });
});

test('a first record that does not describe the run is refused', async t => {
  for (const begun of [
    { run },
    { ...facts, run: 'other' },
    { ...facts, id: 5 },
    { ...facts, engine: undefined },
    { ...facts, leaseMs: '3s' },
    { ...facts, secret: undefined },
  ]) {
    const { log } = await writeLog(begun);
    await t.throwsAsync(readFacts(run, log), {
      instanceOf: DamagedRun,
      message: /its first record: it is no description of run tested that this version/,
    });
  }
  const { log } = await writeLog();
  t.deepEqual(await readFacts(run, log), facts);
});

test('records with correct hashes and invalid contents are refused', async t => {
  for (const [write, message] of /** @type {[(leader: LeaderLog) => Promise<void>, RegExp][]} */ ([
    [
      leader => leader.appendBlock(Uint8Array.of(9, 9), activity),
      /block 2, record 4: record ends at byte/,
    ],
    [
      leader => leader.appendBlock(Uint8Array.of(1, 2, 0xff, 0xff, 0, 0), activity),
      /block 2, record 4: /,
    ],
    [
      async leader => {
        await leader.checkpoint(Uint8Array.of(1, 2, 3));
      },
      /checkpoint record 4, block 1, is no state: /,
    ],
    [leader => leader.end({ activity: 5 }), /record 4, behind block 1, is no end of a run/],
  ])) {
    const { cluster, log, leader } = await writeLog();
    const other = makeLeader(cluster, log);
    other.head = leader.head;
    await write(other);
    await t.throwsAsync(new Follower(cluster, run, log, makeMemoryStore()).catchUp(), {
      instanceOf: DamagedRun,
      message,
    });
  }
});

test('a missing log is not begun anew on a machine with a copy', async t => {
  const { cluster, log } = await writeLog();
  const local = makeMemoryStore();
  await new Follower(cluster, run, log, local).catchUp();
  t.is(readCopy(local)?.seq, 3);
  const empty = makeMemoryCluster();
  await t.throwsAsync(
    startLeader(empty.connect('leader'), { demo: 'pingpong', others: { local, rounds: 1 } }),
    {
      instanceOf: DamagedRun,
      message: /there is none, and the copy of this machine has seen 3 records acknowledged/,
    },
  );
  t.is(await empty.connect('reader').findLog(), undefined);
});

test('an altered copy on this machine is not used', t => {
  const head = { seq: 1, epoch: 1, block: 0, checkpoint: 0, hash: noHash, activity: noHash };
  for (const text of ['', '{', '5', 'null', '{}', JSON.stringify({ ...head, seq: '1' })]) {
    const store = makeMemoryStore();
    store.commit({ puts: new Map([['local.cluster', text]]) });
    t.is(readCopy(store), undefined, text);
  }
});

test('an answer without a status, or without the outcome of a move, is refused in one line', async t => {
  const memory = makeMemoryCluster();
  const operator = memory.connect('operator');
  const status = {
    ...{ run, program: 'x', state: 'running', epoch: 1, block: 1, record: 1, leaseMs: 1 },
    ...{ activityHash: activity, hosts: [], vats: [], staying: [], refused: {} },
    unlisted: { hosts: 0, vats: 0, staying: 0 },
  };
  t.true(isStatus(status));
  /** @type {unknown} */
  let answer;
  memory
    .connect('liar')
    .subscribe(namesOf(run).ask, (_bytes, _subject, reply) =>
      reply?.(writeJson(/** @type {any} */ (answer))),
    );
  for (answer of [
    ...['text', 5, null, [], {}, { ...status, run: 'other' }, { ...status, hosts: [5] }],
    ...[
      { ...status, hosts: [{}] },
      { ...status, vats: [{ hosts: [] }] },
      { ...status, vats: 'x' },
    ],
    ...[
      { ...status, refused: { a: {} } },
      { ...status, refused: null },
      { ...status, epoch: '1' },
    ],
    ...[
      { ...status, leader: {} },
      { ...status, staying: [null] },
      { ...status, unlisted: { hosts: 0, vats: '0', staying: 0 } },
      { ...status, activityHash: [] },
    ],
  ]) {
    t.false(isStatus(answer) && answer.run === run);
    await t.throwsAsync(askStatus(operator, run), {
      instanceOf: UserError,
      message:
        /^whoever answers for run tested at .* gives no status; is it led by another version/,
    });
    await t.throwsAsync(askMove(operator, run, 'alice', 'h1'), {
      instanceOf: UserError,
      message: /does not say what was done with vat "alice"; swingset-runner status says/,
    });
  }
  answer = { problem: 'first\nsecond' };
  await t.throwsAsync(askMove(operator, run, 'alice', 'h1'), { message: 'first\\nsecond' });
  answer = status;
  t.deepEqual(await askStatus(operator, run), /** @type {any} */ (status));
});

for (const [title, misses, patienceMs, message] of /** @type {const} */ ([
  ['is found', 3, 20_000, /^the log of run tested is damaged: record \d+, which host h1 has seen/],
  [
    'ends the run',
    Infinity,
    700,
    / has acknowledged nothing for \d+ s \(it is late\): see its log/,
  ],
]))
  test(`a loss that only a host has seen ${title}, though the log does not answer at once`, async t => {
    const memory = makeMemoryCluster();
    let isOver = false;
    const hosting = startHost(memory.connect('host'), 'h1', { shouldStop: () => isOver });
    let blocks = 0;
    const first = await startLeader(memory.connect('first'), {
      hosts: 1,
      others: { shouldStop: () => (blocks += 1) > 40 },
    });
    t.is(first.kind, 'stopped');
    /** @type {number | undefined} */
    let seen;
    const seeing = new Promise(resolve => {
      memory.connect('spy').subscribe(namesOf(run).fromHost('h1'), bytes => {
        const hello = /** @type {any} */ (readJson(bytes));
        if (hello?.seen === undefined) return;
        seen ??= hello.seen.seq;
        resolve(undefined);
      });
      // Its session is over, so it greets again.
      memory.connect('other').publish(namesOf(run).toHost('h1'), Uint8Array.of(255));
    });
    await seeing;
    memory.records.length = 5;
    const second = memory.connect('second');
    let asked = 0;
    const log = /** @type {RunLog} */ (await second.findLog());
    const get = async (/** @type {number} */ seq) => {
      if (seq !== seen) return log.get(seq);
      asked += 1;
      if (asked <= misses) throw new Unacknowledged('it is late');
      return log.get(seq);
    };
    const leading = startLeader(
      { ...second, findLog: async () => ({ ...log, get }) },
      { hosts: 1, others: { patienceMs, rounds: 200 } },
    );
    await t.throwsAsync(leading, { instanceOf: UserError, message });
    t.true(asked > 1);
    isOver = true;
    await hosting;
  });

test('a host of an ended run leaves, and a host without a leader reports it', async t => {
  const memory = makeMemoryCluster();
  const operator = memory.connect('operator');
  t.false(await hasEnded(operator, run));
  /** @type {string[]} */
  const told = [];
  await t.throwsAsync(
    startHost(memory.connect('early'), 'h1', {
      patienceMs: 400,
      tell: (/** @type {string} */ line) => told.push(line),
    }),
    {
      instanceOf: UserError,
      message:
        /^no leader of run tested has answered for \d+ s; swingset-runner status says whether/,
    },
  );
  await startLeader(memory.connect('leader'), { demo: 'pingpong', others: { rounds: 1 } });
  t.true(await hasEnded(operator, run));
  const late = { hasEnded: () => hasEnded(operator, run) };
  t.is(await startHost(memory.connect('late'), 'h2', late), 'over');
});

test('a host refuses an invalid welcome', async t => {
  const memory = makeMemoryCluster();
  const names = namesOf(run);
  const liar = memory.connect('liar');
  let isOver = false;
  /** @type {string[]} */
  const told = [];
  const hosting = startHost(memory.connect('host'), 'h1', {
    shouldStop: () => isOver,
    tell: (/** @type {string} */ line) => told.push(line),
  });
  const instances = new Set();
  liar.subscribe(names.fromHost('h1'), bytes => {
    if (bytes[0] !== 0x7b) return;
    const { instance } = JSON.parse(Buffer.from(bytes).toString());
    instances.add(instance);
    const welcome = {
      ...{ kind: 'welcome', instance, session: 5, id: '0123456789abcdef', epoch: 1 },
      ...{ profile: 'current', leaseMs: 1_000 },
    };
    for (const change of [
      ...[{ id: 5 }, { id: 'xyz' }, { epoch: 'x' }, { epoch: undefined }, { session: null }],
      ...[{ leaseMs: 0 }, { leaseMs: NaN }, { leaseMs: '1s' }, { profile: '__proto__' }],
      ...[{ profile: 'other' }, { profile: 5 }, { instance: 'other' }],
    ])
      liar.publish(names.toHost('h1'), writeJson({ ...welcome, ...change }));
    liar.publish(names.toHost('h1'), writeJson({ kind: 'gone', session: 5 }));
    liar.publish(names.toHost('h1'), Uint8Array.of(1, 2, 3));
    liar.publish(names.leader, writeJson({ kind: 'leader', epoch: 'x' }));
    liar.publish(names.leader, writeJson({ kind: 'over' }));
    isOver = true;
  });
  t.is(await hosting, 'stopped');
  t.is(instances.size, 1);
  t.false(told.some(line => /joined/.test(line)));
});
