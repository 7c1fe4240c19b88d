// Vats with reactors on hosts do what they do on one thread, whoever is lost meanwhile: the same hash.
//
// SWINGSET_RUNNER_WORKERS=long runs every demo of reactors over one, two and three hosts, and more random programs.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { askMove, askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';
import { pause } from './trials.js';

/** @import { Cluster } from '../interface.js' */

const isLong = process.env.SWINGSET_RUNNER_WORKERS === 'long';

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

const folder = path.join(import.meta.dirname, '..', '..', '..', 'demos', 'reactors');

/** Configs of the demos, but those that show physical time. */
const configs = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.json') && !name.startsWith('deadline'))
  .filter(name => isLong || /^(account|forkjoin|pingpong|proxydelay)\/vats/.test(name))
  .sort()
  .map(name => path.join('reactors', name));

/** @param {ReturnType<typeof makeMemoryCluster>} memory @param {number} count @param {object} [options] */
const startHosts = (memory, count, options = {}) =>
  Array.from({ length: count }, (_, i) =>
    startHost(memory.connect(`host ${i}`), `h${i + 1}`, { cacheDir, ...options }),
  );

for (const demo of configs)
  test.serial(`demos/${demo}: the same over any number of hosts`, async t => {
    const expected = await hashOfPlainRun(demo);
    for (const hosts of isLong ? [1, 2, 3] : [2]) {
      const memory = makeMemoryCluster();
      const hosting = startHosts(memory, hosts);
      /** @type {string[]} */
      const told = [];
      const outcome = await startLeader(memory.connect('leader'), {
        ...{ demo, hosts, tell: line => void told.push(line) },
      });
      t.is(outcome.activity, expected, `over ${hosts}`);
      t.deepEqual(
        told.filter(line => /on the leader/.test(line)),
        [],
      );
      const cranks = (outcome.hosts ?? []).reduce((sum, host) => sum + host.cranks, 0);
      // Vats of the system are on no host.
      t.true(cranks > outcome.cranks / 2, `${cranks} of ${outcome.cranks} cranks on hosts`);
      await Promise.all(hosting);
    }
  });

/** Messages take some time, so that the run is not over before anybody is missed. */
const slow = { delay: 1, longestDelayMs: 4 };

/** A program with many cranks that say something, and some that do not. */
const busy = path.join('reactors', 'proxydelay', 'vats.json');

test.serial(
  'vats with reactors come back on another host, and move, with what they ran by themselves',
  async t => {
    const expected = await hashOfPlainRun(busy);
    const memory = makeMemoryCluster();
    const parties = ['h1', 'h2', 'h3'].map(name => memory.connect(name, slow));
    const hosting = parties.map((party, i) => startHost(party, `h${i + 1}`, { cacheDir }));
    /** @type {string[]} */
    const told = [];
    const leading = startLeader(memory.connect('leader', slow), {
      ...{ demo: busy, hosts: 3, tell: line => void told.push(line) },
      others: { leaseMs: 600, blockSize: 1 },
    });
    while (memory.records.length < 5) await pause(1);
    parties[0].cutOff();
    while (!told.some(line => /h1 is gone/.test(line))) await pause(1);
    parties[0].mend();
    const operator = memory.connect('operator');
    const { vats } = await askStatus(operator, run);
    for (const { name, hosts } of vats) {
      const target = hosts[0] === 'h2' ? 'h3' : 'h2';
      // On a machine with much to do, the run may be over before a move.
      const answer = await askMove(operator, run, name, target).catch(error => error.message);
      t.regex(answer, /has moved|already|goes on no more|no leader that answers/);
    }
    t.is((await leading).activity, expected);
    await Promise.all(hosting);
  },
);

/** A host that says once that its reactors did something else. @param {Cluster} cluster */
const lyingCluster = cluster => {
  let results = 0;
  return changeMessages(cluster, message => {
    if (message.kind !== 'report' || message.report.kind !== 'result') return;
    const { reactors } = message.report;
    if (reactors === null) return;
    results += 1;
    if (results !== 6) return;
    reactors.counts[1] += 1;
    return message;
  });
};

test.serial('twins with reactors agree, and a different one is detected', async t => {
  const expected = await hashOfPlainRun(busy);
  for (const isLying of [false, true]) {
    const memory = makeMemoryCluster();
    let isOver = false;
    const shouldStop = () => isOver;
    const second = memory.connect('second');
    const hosting = [
      startHost(memory.connect('first'), 'h1', { cacheDir, shouldStop }),
      startHost(isLying ? lyingCluster(second) : second, 'h2', { cacheDir, shouldStop }),
    ];
    const leading = startLeader(memory.connect('leader'), { demo: busy, hosts: 2, twins: 2 });
    if (isLying)
      await t.throwsAsync(leading, {
        message:
          /^vat \w+ does something else on host h1 than on host h2, in its crank \d+ \(\w+\): what its reactors did; nothing of the block is committed$/,
      });
    else t.is((await leading).activity, expected);
    isOver = true;
    await Promise.all(hosting);
  }
});
