// Vats with virtual and durable data run on hosts, new incarnations too, and do what they do on one thread, whoever is lost
// meanwhile.
//
// SWINGSET_RUNNER_CLUSTER=long tries more programs.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { loadConfig, makeSimulation, runRounds } from '#host/session.js';
import { makeMemoryStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { askMove, askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, configOfVirtual, run, startHost, startLeader } from './run-cluster.js';
import { mayLoseLease, pause } from './trials.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Question } from '#transport' */
/** @import { Cluster } from '../interface.js' */

/** @typedef {ReturnType<ReturnType<typeof makeMemoryCluster>['connect']>} Party */

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

const seeds = Array.from(
  { length: process.env.SWINGSET_RUNNER_CLUSTER === 'long' ? 30 : 1 },
  (_, i) => i + 1,
);

const rounds = 10;
const blockSize = 5;

/** @param {LoadedConfig} config @returns {Promise<{ activity: string, digest: string }>} */
const runPlain = async config => {
  const store = makeMemoryStore();
  const simulation = await makeSimulation(config, { store, cacheDir });
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
 * @param {LoadedConfig} config
 * @param {object} [how]
 * @param {number} [how.hosts]
 * @param {number} [how.twins]
 * @param {(party: Party) => Cluster} [how.watch]  the cluster of a host
 */
const openRun = (config, { hosts = 2, twins = 1, watch = party => party } = {}) => {
  const memory = makeMemoryCluster();
  let isOver = false;
  const shouldStop = () => isOver;
  const parties = Array.from({ length: hosts }, (_, i) => memory.connect(`h${i + 1}`, slow));
  const hosting = parties.map((party, i) =>
    startHost(watch(party), `h${i + 1}`, { cacheDir, shouldStop }),
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
          ...{
            config,
            rounds,
            blockSize,
            leaseMs: 1_500,
          },
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
    const { activity, digest } = await runPlain(configOfVirtual(seed));
    for (const twins of [1, 2]) {
      const { memory, leadAs, told, end } = openRun(configOfVirtual(seed), { twins });
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
      const { activity, digest } = await runPlain(configOfVirtual(seed));
      for (const records of [8, 20]) {
        const { memory, parties, awaitRecords, leadAs, end } = openRun(configOfVirtual(seed));
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
      const { activity, digest } = await runPlain(configOfVirtual(seed));
      const { memory, awaitRecords, leadAs, end } = openRun(configOfVirtual(seed));
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

/** A vat is upgraded, and its new incarnation calls a device twice in each crank, between reads of its store. */
const upgradedCaller = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      let caller;
      let tally;
      return Far('root', {
        async bootstrap({ vatAdmin }, devices) {
          ({ tally } = devices);
          const admin = await E(vatAdmin).createVatAdminService(devices.vatAdmin);
          const cap = await E(admin).getNamedBundleCap('caller');
          const { root, adminNode } = await E(admin).createVat(cap);
          caller = root;
          console.log(await E(caller).call(tally));
          await E(adminNode).upgrade(cap);
        },
        runBenchmarkRound: () => E(caller).call(tally),
      });
    };
  `,
  'caller.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = ({ D }, _parameters, baggage) => {
      if (!baggage.has('sums')) baggage.init('sums', harden([]));
      const add = (tally, amount) => {
        const sums = baggage.get('sums');
        baggage.set('sums', harden([...sums, D(tally).add(amount)]));
        return baggage.get('sums').at(-1);
      };
      return Far('caller', { call: tally => [add(tally, 1), add(tally, 10)].join() });
    };
  `,
  'tally.js': `
    export const buildRootDeviceNode = ({ getDeviceState, setDeviceState }) =>
      harden({
        add(amount) {
          setDeviceState((getDeviceState() ?? 0) + amount);
          return getDeviceState();
        },
      });
  `,
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    bundles: { caller: { sourceSpec: 'caller.js' } },
    vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
    devices: { tally: { sourceSpec: 'tally.js' } },
  }),
};

/** @param {ExecutionContext} t @param {Record<string, string>} files */
const configOfFiles = (t, files) => {
  const dir = temporaryDirectory(t, 'virtual');
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
  return loadConfig({ baseDir: dir });
};

for (const call of [1, 2])
  for (const isHeard of [false, true])
    test.serial(
      `an upgraded vat whose host is lost in device call ${call} of a crank, ${isHeard ? 'after' : 'before'} the leader hears it, repeats the crank`,
      async t => {
        const config = configOfFiles(t, upgradedCaller);
        const { activity, digest } = await runPlain(config);
        let calls = 0;
        /** @type {Party | undefined} */
        let lost;
        /** The first call on another host. @type {Question | undefined} */
        let firstAgain;
        const watch = (/** @type {Party} */ party) =>
          changeMessages(party, message => {
            if (message.kind !== 'report' || message.report.kind !== 'question') return;
            const { question } = message.report;
            if (question[0] !== 'callNow') return;
            calls += 1;
            if (lost !== undefined && lost !== party) firstAgain ??= question;
            if (lost !== undefined || calls < 6 + call) return;
            lost = party;
            if (isHeard) queueMicrotask(party.cutOff);
            else party.cutOff();
          });
        const { memory, leadAs, told, end } = openRun(config, { watch });
        const leading = leadAs(memory.connect('leader', slow), 'leader', { leaseMs: 600 });
        while (!told.some(line => /^host h\d is gone/.test(line))) await pause(5);
        lost?.mend();
        const reached = await leading;
        t.is(reached.outcome.activity, activity);
        t.is(reached.digest, digest);
        t.is(firstAgain?.[2], 'add');
        t.like(firstAgain?.[3], { body: '#[1]' }, 'the first call is repeated too');
        await end();
      },
    );

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
