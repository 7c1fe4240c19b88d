// One run, however many processes it has: a leader alone (1), a leader and a host that runs ahead of it (2), a leader and two hosts (3), a leader and four hosts (5); the server of
// the cluster is not counted. Activity hash, counters, results, the store, what vats print and which errors leave them are those
// of a run without a cluster. Parties share this process but for the last test, which starts each as one of its own.
//
// SWINGSET_RUNNER_CLUSTER=long runs every demo, Exchange with 1,000 rounds, the demos of reactors and of Savina, and 200 random
// programs of each kind, each with 1, 2, 3 and 5 parties; SWINGSET_RUNNER_CLUSTER_ONLY=WORD those alone whose titles have that word in them,
// and SWINGSET_RUNNER_CLUSTER_SEEDS=FROM-TO those random programs.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';

import { makeSimulation, runRounds } from '#host/session.js';
import { loadConfig, makeReport } from '#host';
import { makeMemoryStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { listDemoRuns } from './compare/demo-runs.js';
import { demoDirectory } from './compare/load.js';
import { makeMemoryCluster } from '../packages/cluster/test/memory-cluster.js';
import { startHost, startLeader } from '../packages/cluster/test/run-cluster.js';
import { serverFile, startServer, testWithServer } from '../packages/cluster/test/servers.js';

/** @import { Report } from '#host' */

const isLong = process.env.SWINGSET_RUNNER_CLUSTER === 'long';
const only = process.env.SWINGSET_RUNNER_CLUSTER_ONLY ?? '';
const [firstSeed, lastSeed] = (
  process.env.SWINGSET_RUNNER_CLUSTER_SEEDS ?? (isLong ? '1-200' : '1-3')
)
  .split('-')
  .map(Number);

/** Processes of a run, and the hosts among them. */
const sizes = /** @type {const} */ ([
  [1, 0],
  [2, 1],
  [3, 2],
  [5, 4],
]);

/**
 * @typedef {object} Program
 * @property {string} baseDir
 * @property {string} [configFile]
 * @property {string[]} [argv]
 * @property {number} [rounds]  0 by default
 * @property {'current' | '2020-09'} [profile]  `current` by default
 */

/** Blocks are small, so that the log has some. */
const blockSize = 25;

/** Keeps what vats print, and the errors that leave them. */
const makeListener = () => {
  /** @type {string[]} */
  const said = [];
  const observer = {
    onConsole: (
      /** @type {string} */ vat,
      /** @type {string} */ level,
      /** @type {string} */ text,
    ) => void said.push(`${vat} ${level} ${text}`),
    onVatError: (/** @type {string} */ vat, /** @type {unknown} */ error) =>
      void said.push(`${vat} ${error}`),
  };
  return { said, observer };
};

/** A report without times and what the machine says. @param {Report} report */
const withoutTimes = ({
  ns: _ns,
  machine: _machine,
  reapCollections: _reaps,
  workers: _workers,
  benchmark,
  ...report
}) => ({ ...report, benchmark: { ...benchmark, ns: undefined } });

/** @param {Program} program */
const configOf = ({ baseDir, configFile, argv = [] }) =>
  loadConfig(configFile === undefined ? { baseDir, argv } : { configFile, argv });

/** The run of one process, without a cluster. @param {Program} program */
const runPlain = async program => {
  const { rounds = 0, profile = 'current' } = program;
  const store = makeMemoryStore();
  const { said, observer } = makeListener();
  const simulation = await makeSimulation(configOf(program), { store, profile, observer });
  await runRounds(simulation, { rounds, blockSize });
  const report = withoutTimes(makeReport(simulation.kernel));
  await simulation.close();
  return { report, said, digest: storeDigest(store) };
};

/** The run of a leader and hosts in a cluster. @param {Program} program @param {number} hosts */
const runOver = async (program, hosts) => {
  const { rounds = 0, profile = 'current', argv = [] } = program;
  const memory = makeMemoryCluster();
  const hosting = Array.from({ length: hosts }, (_, i) =>
    startHost(memory.connect(`host ${i}`), `h${i}`),
  );
  const store = makeMemoryStore();
  const { said, observer } = makeListener();
  /** @type {string[]} */
  const told = [];
  const {
    kind,
    activity,
    report,
    hosts: figures = [],
  } = await startLeader(memory.connect('leader'), {
    hosts,
    tell: line => void told.push(line),
    others: {
      ...{ config: configOf(program), argv, rounds, blockSize, leaseMs: 20_000 },
      ...{ local: { ...store, close: async () => {} }, simulation: { profile, observer } },
      checkpoint: { blocks: 30, bytes: 1e9 },
    },
  });
  await Promise.all(hosting);
  // The hash would be the same: a wrong guess costs the host its vats, and time.
  const wrong = told.find(line => /foreseen another delivery/.test(line));
  if (wrong !== undefined) throw Error(wrong);
  if (kind !== 'finished' || report === undefined) throw Error(`the run is ${kind}`);
  return {
    outcome: { report: withoutTimes(report), said, digest: storeDigest(store) },
    activity,
    elsewhere: figures.reduce((sum, { cranks }) => sum + cranks, 0),
  };
};

/** @type {[title: string, program: Program, needsHosts: boolean][]} */
const programs = [
  ['pingpong', { baseDir: demoDirectory('pingpong'), rounds: 4 }, true],
  ['vatFailure', { baseDir: demoDirectory('vatFailure'), argv: ['--bedynamic'] }, true],
  ['reactors/objects', { baseDir: demoDirectory('reactors/objects') }, false],
];

if (isLong) {
  const isTwice = new Set(programs.map(([title]) => title));
  for (const { title, demo, argv, rounds } of listDemoRuns()) {
    if (isTwice.has(title)) continue;
    programs.push([title, { baseDir: demoDirectory(demo), argv, rounds }, true]);
  }
  programs.push(
    ['exchange of 1,000 rounds', { baseDir: demoDirectory('exchange'), rounds: 1_000 }, true],
    [
      '2020-09: exchange',
      { baseDir: demoDirectory('exchange'), rounds: 50, profile: '2020-09' },
      true,
    ],
  );
  for (const kind of ['reactors', 'savina'])
    for (const name of fs.readdirSync(demoDirectory(kind))) {
      const baseDir = demoDirectory(`${kind}/${name}`);
      if (!fs.statSync(baseDir).isDirectory()) continue;
      for (const file of fs.readdirSync(baseDir).filter(each => each.endsWith('.json')))
        programs.push([
          `${kind}/${name}/${file}`,
          { baseDir, configFile: path.join(baseDir, file) },
          false,
        ]);
    }
}

for (const [title, program, needsHosts] of programs) {
  if (!title.includes(only)) continue;
  test.serial(`${title} is the same run with 1, 2, 3 and 5 parties`, async t => {
    const expected = await runPlain(program);
    for (const [parties, hosts] of sizes) {
      const { outcome, elsewhere } = await runOver(program, hosts);
      t.deepEqual(outcome, expected, `${parties} parties`);
      if (hosts > 0 && needsHosts) t.true(elsewhere > 0, 'vats ran on hosts');
    }
  });
}

for (const [kind, folder] of [
  ['random programs', 'random-vats'],
  ['random virtual data', 'virtual-vats'],
]) {
  if (!kind.includes(only)) continue;
  test.serial(`${kind} are the same runs with 1, 2, 3 and 5 parties`, async t => {
    const baseDir = new URL(`fixtures/${folder}`, import.meta.url).pathname;
    for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
      const program = { baseDir, rounds: isLong ? 6 : 2, argv: [String(seed)] };
      const expected = await runPlain(program);
      // Programs that CI runs share the numbers of parties among them.
      for (const [parties, hosts] of isLong ? sizes : [sizes[seed % sizes.length]]) {
        const { outcome, elsewhere } = await runOver(program, hosts);
        t.deepEqual(outcome, expected, `seed ${seed}, ${parties} parties`);
        if (hosts > 0) t.true(elsewhere > 0, `seed ${seed}: vats ran on hosts`);
      }
      if (isLong && seed % 10 === 0) t.log(`${kind} up to seed ${seed} are equal`);
    }
  });
}

const main = new URL('../runner/main.js', import.meta.url).pathname;

/** @param {string[]} given */
const runMain = given => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...given], {
    encoding: 'utf8',
  });
  const hash = /activity hash: ([0-9a-f]{64})/.exec(stdout)?.[1];
  if (status !== 0 || hash === undefined) throw Error(`${given.join(' ')}: ${stdout}${stderr}`);
  return hash;
};

const withProcesses = /** @type {[string, string[]][]} */ (
  isLong
    ? [
        ['pingpong', ['--benchmark', '200']],
        ['exchange', ['--benchmark', '100']],
        ['terminateVat', []],
        ['encouragementBotComms', []],
        ['accounts', ['--benchmark', '5']],
      ]
    : []
);

for (const [demo, flags] of withProcesses) {
  if (!demo.includes(only)) continue;
  testWithServer.serial(`${demo} has one hash over 1, 3 and 5 processes`, async t => {
    const plain = [`demos/${demo}`, '--memdb', '--no-stats', '--no-graphs', '--activityhash'];
    const expected = runMain([...plain, '--outdir', temporaryDirectory(t), ...flags]);
    const { url } = await startServer(t);
    t.is(runMain(['lead', `demos/${demo}`, '--cluster', url, '--run', demo, ...flags]), expected);
    for (const hosts of [2, 4]) {
      const server = ['--server', /** @type {string} */ (serverFile)];
      const given = ['cluster', `demos/${demo}`, '--hosts', String(hosts), ...server, ...flags];
      t.is(runMain(given), expected, `${1 + hosts} processes`);
    }
  });
}
