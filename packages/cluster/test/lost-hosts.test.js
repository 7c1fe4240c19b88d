// Hosts that are taken for dead at the same moment, and a host that leaves its session by itself: their vats are brought back.

import test from 'ava';
import { makeMemoryCluster } from '../index.js';
import { hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';
import { pause } from './trials.js';

const rounds = 40;

/** Messages take some time, so that the run is not over before anybody is missed. */
const slow = { delay: 1, longestDelayMs: 6 };

test.serial(
  'two hosts that are taken for dead at one moment come back, and the run goes on',
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
