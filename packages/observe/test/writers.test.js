// The slog, the trace and the dump of one message and its answer, in a kernel with scripted vats and a clock that
// advances by a microsecond with each read.

import test from 'ava';
import { methodOf, makeTestKernel, message } from '#testkit';
import { describeTables } from '../dump-data.js';
import { dumpKernel } from '../dump.js';
import { makeSlog } from '../slog/index.js';
import { JsonBytes } from '../slog/json-bytes.js';
import { writeBegin } from '../slog/slog-lines.js';
import { makeTrace } from '../trace.js';

/** @import { TestKernelOptions } from '#testkit' */

const answer = { body: '#1', slots: [] };

/** Boot asks alice, who answers. @type {TestKernelOptions['vats']} */
const vats = {
  boot(delivery, call) {
    if (delivery[0] !== 'message') return;
    call('send', 'o-50', message('ask'), 'p+5');
    call('subscribe', 'p+5');
  },
  alice(delivery, call) {
    if (delivery[0] === 'message' && methodOf(delivery[2]) === 'ask')
      call('resolve', [[String(delivery[3]), false, answer]]);
  },
};

const makeClock = () => {
  let now = 0;
  return { name: /** @type {const} */ ('performance.now'), nowNs: () => (now += 1000) };
};

/** @param {Pick<TestKernelOptions, 'vats'>} [options] */
const runSlog = async (options = { vats }) => {
  /** @type {string[]} */
  const pieces = [];
  const write = (/** @type {Uint8Array} */ lines) =>
    void pieces.push(Buffer.from(lines).toString());
  const slog = makeSlog({ write, clock: makeClock() });
  const run = makeTestKernel({ ...options, crankObserver: slog.crankObserver });
  slog.begin(run.kernel);
  await run.run();
  await run.kernel.commit();
  slog.flush();
  const lines = pieces.join('').trimEnd().split('\n');
  return lines.map(line => JSON.parse(line));
};

test('a slog has a head, and a line for each crank in the order of cranks', async t => {
  const [head, ...lines] = await runSlog();
  t.like(head, { type: 'slog', profile: 'current', vats: { v1: 'boot', v2: 'alice' } });
  const cranks = lines.filter(({ type }) => type === 'crank');
  t.deepEqual(
    cranks.map(({ crankNum, kind, vatID }) => [crankNum, kind, vatID]),
    [
      [1, 'send', 'v1'],
      [2, 'send', 'v2'],
      [3, 'notify', 'v1'],
    ],
  );
});

test('a line of the slog has references in krefs and vrefs, and its cause', async t => {
  const cranks = (await runSlog()).filter(({ type }) => type === 'crank');
  const [, asked, told] = cranks;
  t.deepEqual(asked.delivery, ['message', 'ko20 o+0', message('ask'), 'kp41 p-60']);
  t.deepEqual(asked.syscalls, [['resolve', [['kp41 p-60', false, answer]]]]);
  t.like(asked, { causeCrank: 1, causeSyscall: 0 });
  t.deepEqual(told.delivery, ['notify', [['kp41 p+5', false, answer]]]);
  t.like(told, { causeCrank: 2, causeSyscall: 0 });
});

test('the line of a crank that breaks a rule names the rule', async t => {
  const lines = await runSlog({
    vats: {
      boot: (delivery, call) => {
        if (delivery[0] === 'message') call('subscribe', 'p-99');
      },
    },
  });
  const [first] = lines.filter(({ type }) => type === 'crank');
  t.regex(JSON.stringify(first), /p-99/);
  t.regex(String(first.fault), /p-99/);
});

test('a trace draws each crank in the track of its vat, and an arrow from the send to its delivery', async t => {
  /** @type {string[]} */
  const pieces = [];
  const trace = makeTrace({ write: piece => pieces.push(piece), clock: makeClock() });
  const run = makeTestKernel({ vats, crankObserver: trace.crankObserver });
  trace.onKernel(run.kernel);
  await run.run();
  await run.kernel.commit();
  trace.close();
  /** @type {any[]} */
  const events = JSON.parse(pieces.join(''));
  const tracks = new Map(
    events
      .filter(({ name }) => name === 'thread_name')
      .map(({ pid, tid, args }) => [`${pid} ${tid}`, args.name]),
  );
  const trackOf = (/** @type {any} */ { pid, tid }) => tracks.get(`${pid} ${tid}`);
  const [asked] = events.filter(({ ph, name }) => ph === 'X' && name === 'ask');
  t.is(trackOf(asked), 'alice');
  t.like(asked.args, { crank: 2, syscalls: 1 });
  const [from] = events.filter(({ ph }) => ph === 's');
  const to = events.find(({ ph, id }) => ph === 't' && id === from.id);
  t.deepEqual([trackOf(from), trackOf(to)], ['boot', 'alice']);
});

test('a dump has the owner of each object and the state of each promise', async t => {
  const run = makeTestKernel({ vats });
  await run.run(1);
  const before = describeTables(run.kernel);
  t.like(
    before.queue.find(({ target }) => target === 'ko20'),
    { kind: 'send', result: 'kp41' },
  );
  t.like(
    before.promises.find(({ kref }) => kref === 'kp41'),
    { state: 'unresolved', decider: null, subscribers: ['v1'] },
  );
  await run.run();
  const after = describeTables(run.kernel);
  t.deepEqual(after.queue, []);
  t.deepEqual(after.vats, [
    { vatId: 'v1', name: 'boot', state: 'running', isBuiltIn: true },
    { vatId: 'v2', name: 'alice', state: 'running', isBuiltIn: true },
  ]);
  t.like(
    after.objects.find(({ kref }) => kref === 'ko20'),
    { owner: 'v2' },
  );
  t.regex(dumpKernel(run.kernel), /^ {2}ko20 of v2 alice$/m);
});

test('the line of an upgrade is JSON, whatever its message says', t => {
  const target = JSON.stringify(['up1', 'b1-0', 'a "better"\n\u202e one']);
  const item = {
    ...{ kind: 'upgrade', target, timeNs: 0, microstep: 1, class: 1, stage: 0, vatId: 'v5' },
    ...{ causeNumber: 3, causePlace: -1 },
  };
  const plan = { kernelDelivery: ['startVat', answer], vatDelivery: ['startVat', answer] };
  const out = new JsonBytes(16);
  writeBegin(out, /** @type {any} */ ({ item, plan, vatId: 'v5' }), 4, undefined);
  const line = `${Buffer.from(out.bytes.subarray(0, out.length))}}`;
  t.is(JSON.parse(line).target, target);
});
