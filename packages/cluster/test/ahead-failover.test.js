// A host that runs ahead is cut off, and a leader while a host runs ahead of it: the hash stays, and the host's thread
// takes the vats of its next session.

import test from 'ava';
import { HostThreads } from '../host-threads.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, hashOfPlainRun, startHost, startLeader } from './run-cluster.js';
import { pause } from './trials.js';

/** @import { Cluster } from '../interface.js' */

const rounds = 200;

/**
 * A host's cluster, and the number of deliveries that it has begun by itself.
 *
 * @param {Cluster} cluster
 */
const countBegun = cluster => {
  const counted = { begun: 0 };
  const change = changeMessages(cluster, ({ kind }) => {
    if (kind === 'begun') counted.begun += 1;
  });
  return { cluster: change, counted };
};

for (const threads of [1, 2])
  test.serial(`a leader is cut off while a host of ${threads} threads runs ahead`, async t => {
    const memory = makeMemoryCluster();
    const { cluster, counted } = countBegun(memory.connect('h1'));
    const hosting = startHost(cluster, 'h1', { threads });
    const others = { rounds, leaseMs: 800 };
    const first = memory.connect('first');
    const leading = startLeader(first, { name: 'first', hosts: 1, others });
    const lost = t.throwsAsync(leading);
    /** @type {string[]} */
    const told = [];
    const standby = startLeader(memory.connect('second'), {
      ...{ name: 'second', hosts: 1, tell: line => void told.push(line) },
      others: { ...others, isStandby: true },
    });
    while (counted.begun < 100) await pause(1);
    first.cutOff();
    const { begun } = counted;
    while (!told.some(line => /^leading/.test(line))) await pause(1);
    first.mend();
    const { activity, hosts } = await standby;
    t.is(activity, await hashOfPlainRun('pingpong', rounds));
    t.true(counted.begun > begun + 100, 'the host runs ahead of the next leader, too');
    t.is(hosts?.length, 1);
    await lost;
    t.is(await hosting, 'over');
  });

test.serial('a host is cut off while it runs ahead, and comes back', async t => {
  const memory = makeMemoryCluster();
  const parties = ['h1', 'h2'].map(name => memory.connect(name));
  const watched = parties.map(countBegun);
  const hosting = watched.map(({ cluster }, i) => startHost(cluster, `h${i + 1}`));
  /** @type {string[]} */
  const told = [];
  const leading = startLeader(memory.connect('leader'), {
    ...{ hosts: 2, tell: line => void told.push(line) },
    others: { rounds, leaseMs: 500 },
  });
  const sum = () => watched[0].counted.begun + watched[1].counted.begun;
  while (sum() < 100) await pause(1);
  const at = watched[0].counted.begun > 0 ? 0 : 1;
  parties[at].cutOff();
  while (!told.some(line => line.startsWith(`host h${at + 1} is gone`))) await pause(1);
  parties[at].mend();
  t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
  t.deepEqual(await Promise.all(hosting), ['over', 'over']);
});

test.serial('a session ends while its thread runs ahead, and the next has the thread', async t => {
  const memory = makeMemoryCluster();
  let begun = 0;
  const liar = changeMessages(memory.connect('h1'), message => {
    if (message.kind !== 'begun') return undefined;
    begun += 1;
    return begun === 100 ? { ...message, digest: new Uint8Array(16) } : undefined;
  });
  const { choose } = HostThreads.prototype;
  /** @type {Set<object>} */
  const chosen = new Set();
  let choices = 0;
  HostThreads.prototype.choose = function note() {
    const thread = choose.call(this);
    choices += 1;
    chosen.add(thread);
    return thread;
  };
  t.teardown(() => {
    HostThreads.prototype.choose = choose;
  });
  const hosting = startHost(liar, 'h1');
  const leading = startLeader(memory.connect('leader'), { hosts: 1, others: { rounds: 60 } });
  t.is((await leading).activity, await hashOfPlainRun('pingpong', 60));
  t.is(await hosting, 'over');
  t.true(begun >= 100);
  t.is(choices % 2, 0);
  t.is(chosen.size, 1, `${choices} vats were made`);
});
