// Vats with virtual and durable data run on hosts, new incarnations too, and do what they do on one thread, whoever is lost
// meanwhile.
//
// SWINGSET_RUNNER_CLUSTER=long tries more programs.

import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { loadConfig, makeSimulation, runRounds } from '#host/session.js';
import { makeMemoryStore, storeDigest } from '#store';
import { askMove, askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, run, startHost, startLeader } from './run-cluster.js';
import { mayLoseLease, pause } from './trials.js';

/** @typedef {ReturnType<ReturnType<typeof makeMemoryCluster>['connect']>} Party */

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

const baseDir = path.join(import.meta.dirname, '..', '..', '..', 'test/fixtures/virtual-vats');

const seeds = Array.from(
  { length: process.env.SWINGSET_RUNNER_CLUSTER === 'long' ? 30 : 1 },
  (_, i) => i + 1,
);

const rounds = 10;
const blockSize = 5;

/** @param {number} seed */
const configOf = seed => loadConfig({ baseDir, argv: [String(seed)] });

/** @param {number} seed @returns {Promise<{ activity: string, digest: string }>} */
const runPlain = async seed => {
  const store = makeMemoryStore();
  const simulation = await makeSimulation(configOf(seed), { store, cacheDir });
  await runRounds(simulation, { rounds, blockSize });
  const activity = simulation.activityHash();
  await simulation.close();
  return { activity, digest: storeDigest(store) };
};

/** Messages take some time, so that the run is not over before anybody is missed. */
const slow = { delay: 1, longestDelayMs: 2 };

/**
 * A run over hosts.
 *
 * @param {number} seed
 * @param {{ hosts?: number, twins?: number }} [how]
 */
const openRun = (seed, { hosts = 2, twins = 1 } = {}) => {
  const memory = makeMemoryCluster({ seed });
  let isOver = false;
  const shouldStop = () => isOver;
  const parties = Array.from({ length: hosts }, (_, i) => memory.connect(`h${i + 1}`, slow));
  const hosting = parties.map((party, i) =>
    startHost(party, `h${i + 1}`, { cacheDir, shouldStop }),
  );
  /** @type {string[]} */
  const told = [];
  return {
    ...{ memory, parties, told },
    /** @param {Party} party @param {string} name @param {object} [others] */
    leadAs: async (party, name, others) => {
      const store = makeMemoryStore();
      const outcome = await startLeader(party, {
        ...{ name, hosts, twins, tell: line => void told.push(line) },
        others: {
          ...{ config: configOf(seed), argv: [String(seed)], rounds, blockSize, leaseMs: 1_500 },
          ...{ local: { ...store, close: async () => {} }, checkpoint: { blocks: 9, bytes: 1e9 } },
          ...others,
        },
      });
      return { outcome, digest: storeDigest(store) };
    },
    awaitRecords: async (/** @type {number} */ count) => {
      while (memory.records.length < count) await pause(1);
    },
    end: () => {
      isOver = true;
      return Promise.all(hosting);
    },
  };
};

for (const seed of seeds) {
  test.serial(`program ${seed}: all of its vats run on hosts, and twins agree`, async t => {
    const { activity, digest } = await runPlain(seed);
    for (const twins of [1, 2]) {
      const { memory, leadAs, told, end } = openRun(seed, { twins });
      const reached = await leadAs(memory.connect('leader', slow), 'leader');
      t.is(reached.outcome.activity, activity, `${twins} hosts for each vat`);
      t.is(reached.digest, digest);
      t.deepEqual(
        told.filter(line => /on the leader/.test(line)),
        [],
      );
      await end();
    }
  });

  test.serial(
    `program ${seed}: a host is lost, and its vats come back with their stores`,
    async t => {
      const { activity, digest } = await runPlain(seed);
      for (const records of [8, 20]) {
        const { memory, parties, awaitRecords, leadAs, end } = openRun(seed);
        const leading = leadAs(memory.connect('leader', slow), 'leader');
        await awaitRecords(records);
        parties[0].cutOff();
        await pause(2_000);
        parties[0].mend();
        const reached = await leading;
        t.is(reached.outcome.activity, activity);
        t.is(reached.digest, digest);
        await end();
      }
    },
  );

  test.serial(
    `program ${seed}: another leader takes over, and its vats move, new incarnations too`,
    async t => {
      const { activity, digest } = await runPlain(seed);
      const { memory, awaitRecords, leadAs, end } = openRun(seed);
      const first = memory.connect('first', slow);
      const leading = mayLoseLease(leadAs(first, 'first'));
      await awaitRecords(15);
      first.cutOff();
      const standby = leadAs(memory.connect('second', slow), 'second', { isStandby: true });
      await awaitRecords(25);
      const operator = memory.connect('operator');
      const { vats } = await askStatus(operator, run);
      for (const { name, hosts } of vats) {
        const target = hosts[0] === 'h1' ? 'h2' : 'h1';
        // On a machine with much to do, the run may be over before a move.
        const answer = await askMove(operator, run, name, target).catch(error => error.message);
        t.regex(answer, /has moved|already|on its way|goes on no more|no leader that answers/);
      }
      first.mend();
      const reached = await standby;
      t.is(reached.outcome.activity, activity);
      t.is(reached.digest, digest);
      await leading;
      await end();
    },
  );
}

test.serial(
  'twins of which one asks for a collection, and the other does not, are different',
  async t => {
    const memory = makeMemoryCluster();
    let isOver = false;
    const shouldStop = () => isOver;
    let results = 0;
    const lying = changeMessages(memory.connect('second'), message => {
      if (message.kind !== 'report' || message.report.kind !== 'result') return undefined;
      results += 1;
      return results === 4
        ? { ...message, report: { ...message.report, wantsAsking: true } }
        : message;
    });
    const hosting = [
      startHost(memory.connect('first'), 'h1', { cacheDir, shouldStop }),
      startHost(lying, 'h2', { cacheDir, shouldStop }),
    ];
    await t.throwsAsync(
      startLeader(memory.connect('leader'), { demo: 'pingpong', hosts: 2, twins: 2 }),
      { message: /: whether it asks for a collection; nothing of the block is committed$/ },
    );
    isOver = true;
    await Promise.all(hosting);
  },
);
