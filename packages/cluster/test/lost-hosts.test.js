// Hosts that are taken for dead at the same moment, that leave their session by themselves, or cannot make a vat: their vats are
// brought back.

import test from 'ava';
import { HostThreads } from '../host-threads.js';
import { makeHostedVat } from '../hosted-vat.js';
import { Replicas } from '../replicas.js';
import { askMove, askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';
import { makeBrake, pause } from './trials.js';

const rounds = 40;

/** @import { ExecutionContext } from 'ava' */

/** Messages take some time, so that the run is not over before anybody is missed. */
const slow = { delay: 1, longestDelayMs: 6 };

test.serial(
  'two hosts that are declared dead at once join again, and the run continues',
  async t => {
    const memory = makeMemoryCluster();
    const parties = ['h1', 'h2'].map(name => memory.connect(name, slow));
    const hosting = parties.map((party, i) => startHost(party, `h${i + 1}`));
    const leader = memory.connect('leader', slow);
    /** @type {string[]} */
    const told = [];
    const leading = startLeader(leader, {
      ...{ hosts: 2, tell: line => void told.push(line) },
      others: { rounds, leaseMs: 2_000, blockSize: 3 },
    });
    while (memory.records.length < 6) await pause(1);
    for (const party of parties) party.cutOff();
    leader.holdClock(-60_000);
    while (told.filter(line => /is gone/.test(line)).length < 2) await pause(1);
    for (const party of parties) party.mend();
    t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
    for (const name of ['h1', 'h2'])
      t.true(told.includes(`host ${name} is gone: nothing was heard of it for 2000 ms`), name);
    await Promise.all(hosting);
  },
);

test.serial(
  'a host that cannot understand its leader leaves, joins in a new session, and the run goes on',
  async t => {
    const memory = makeMemoryCluster();
    const hosting = startHost(memory.connect('h1', slow), 'h1');
    /** @type {string[]} */
    const told = [];
    const leading = startLeader(memory.connect('leader', slow), {
      ...{ hosts: 1, tell: line => void told.push(line) },
      others: { rounds, leaseMs: 2_000, blockSize: 3 },
    });
    while (memory.records.length < 6) await pause(1);
    memory.connect('other').publish(`swingset.${run}.to.h1`, Uint8Array.of(255));
    t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
    t.true(told.includes('host h1 is gone: it has left its session'));
    await hosting;
  },
);

test.serial('a new leader continues with the remaining hosts and their threads', async t => {
  const memory = makeMemoryCluster();
  const parties = ['h1', 'h2'].map(name => memory.connect(name, slow));
  let isOver = false;
  const shouldStop = () => isOver;
  const hosting = parties.map((party, i) => startHost(party, `h${i + 1}`, { shouldStop }));
  const others = { rounds: 60, leaseMs: 2_000, blockSize: 3 };
  const first = memory.connect('first', slow);
  const leading = startLeader(first, { name: 'first', hosts: 2, others });
  const lost = t.throwsAsync(leading);
  while (memory.records.length < 6) await pause(1);
  /** @type {string[]} */
  const told = [];
  const standby = startLeader(memory.connect('second', slow), {
    ...{ name: 'second', hosts: 2, tell: line => void told.push(line) },
    others: { ...others, isStandby: true },
  });
  while (!told.some(line => /^following/.test(line))) await pause(1);
  parties[1].cutOff();
  first.cutOff();
  while (!told.some(line => /^leading/.test(line))) await pause(1);
  first.mend();
  t.is((await standby).activity, await hashOfPlainRun('pingpong', 60));
  t.true(told.includes('going on with 1 of 2 hosts; others may join at any time'));
  await lost;
  isOver = true;
  await Promise.all(hosting);
});

test.serial(
  'a host that cannot make a vat which has run is given up, and another one makes it',
  async t => {
    const memory = makeMemoryCluster();
    const most = 240;
    let isOver = false;
    const shouldStop = () => isOver;
    const honest = startHost(memory.connect('first'), 'h1', { shouldStop });
    const operator = memory.connect('operator');
    /** @type {string[]} */
    const told = [];
    const cannot = changeMessages(memory.connect('second'), message =>
      message.kind === 'made'
        ? { ...message, problem: 'out of memory\nleading run', isUsers: true }
        : undefined,
    );
    const brake = makeBrake(memory.connect('leader'));
    const leading = startLeader(brake.cluster, {
      ...{ demo: 'pingpong', hosts: 1, others: { rounds: most } },
      tell: line => void told.push(line),
    });
    while (!told.some(line => /^host h1 has joined/.test(line))) await pause(5);
    for (let cranks = 0; cranks === 0; await pause(1)) {
      const { vats } = await askStatus(operator, run);
      cranks = vats.find(({ name }) => name === 'alice')?.cranks ?? 0;
    }
    // The run must not be over before the second host has joined, and before it is asked.
    brake.hold();
    const second = startHost(cannot, 'h2', { shouldStop });
    while (!told.some(line => /^host h2 has joined/.test(line))) await pause(5);
    const moving = t.throwsAsync(askMove(operator, run, 'alice', 'h2'), {
      message: /^vat alice could not be made there: out of memory\\nleading run$/,
    });
    let isAnswered = false;
    void moving.finally(() => {
      isAnswered = true;
    });
    // A move begins between two blocks, and the run goes on meanwhile.
    while (!isAnswered) {
      await pause(20);
      brake.release();
      await pause(1);
      brake.hold();
    }
    brake.release();
    const { activity } = await leading;
    isOver = true;
    await Promise.all([honest, second]);
    t.is(activity, await hashOfPlainRun('pingpong', most));
    t.true(
      told.some(line =>
        /^host h2 is gone: vat alice could not be made there: out of mem/.test(line),
      ),
      told.join('\n'),
    );
  },
);

test.serial(
  'a host that cannot make a vat which another has made, and which has not run, is given up',
  async t => {
    const memory = makeMemoryCluster();
    const first = memory.connect('first');
    let isLost = false;
    // Its vats are made, and no result of them arrives.
    const lost = changeMessages(first, message => {
      if (isLost || message.kind !== 'report') return;
      isLost = true;
      first.cutOff();
    });
    const cannot = changeMessages(memory.connect('second'), message =>
      message.kind === 'made' ? { ...message, problem: 'no memory', isUsers: true } : undefined,
    );
    let isOver = false;
    const shouldStop = () => isOver;
    /** @type {string[]} */
    const told = [];
    const leading = startLeader(memory.connect('leader'), {
      ...{ demo: 'pingpong', hosts: 1, others: { rounds, leaseMs: 1_000 } },
      tell: line => {
        told.push(line);
        if (/^host h2 is gone: vat \w+ could not be made there: no memory/.test(line)) first.mend();
      },
    });
    const hosting = [startHost(lost, 'h1', { shouldStop })];
    while (!isLost) await pause(5);
    hosting.push(startHost(cannot, 'h2', { shouldStop }));
    t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds), told.join('\n'));
    isOver = true;
    await Promise.all(hosting);
  },
);

/** @param {ExecutionContext} t */
const userOf = t => ({
  provideReport: () => undefined,
  onMade: () => {},
  onReport: () => t.fail(),
  onEnd: () => t.fail(),
  flush: () => {},
});

test.serial('threads outlive a session unless a vat is being made on them', async t => {
  const threads = new HostThreads({ count: 2 });
  const user = userOf(t);
  threads.use('current', user);
  const first = threads.choose();
  first.vats.add('v1');
  threads.leave();
  threads.use('current', user);
  t.is(threads.settled(), undefined);
  t.is(threads.choose(), first);
  t.is(first.vats.size, 0);
  first.making += 1;
  threads.leave();
  threads.use('current', user);
  const second = threads.choose();
  t.not(second, first);
  t.false(first.worker.isUp);
  threads.leave();
  threads.use('2020-09', user);
  t.not(threads.choose(), second);
  await threads.close();
});

test.serial('a thread at work is used again when it has answered the ended session', async t => {
  const threads = new HostThreads({ count: 2 });
  const user = userOf(t);
  threads.use('current', user);
  const first = threads.choose();
  first.worker.ref();
  await first.worker.ready;
  first.underWay += 1;
  threads.leave();
  t.is(first.underWay, 0);
  threads.use('current', user);
  await threads.settled();
  t.is(threads.settled(), undefined);
  t.is(threads.choose(), first);
  t.true(first.worker.isUp);
  await threads.close();
});

test('a vat that ends while it waits for a host is not made when one joins', async t => {
  const hosts = new Map();
  const replicas = new Replicas(
    /** @type {any} */ ({
      hostList: { hosts, nowMs: () => 0 },
      kernel: { transcriptBytes: () => t.fail('its tables are deleted') },
      ...{ twins: 1, tell: () => {}, onFailure: () => {} },
    }),
  );
  const vat = makeHostedVat('v7', /** @type {any} */ ({ name: 'bob', incarnation: 0 }));
  replicas.vats.set('v7', vat);
  const making = replicas.bringBack(vat);
  t.true(replicas.isWaiting);
  vat.isClosed = true;
  hosts.set('h1', { name: 'h1', vats: new Set(), threads: 1, isHere: true, bundles: new Set() });
  replicas.hostJoined();
  await making;
  t.is(replicas.vats.size, 0);
});
