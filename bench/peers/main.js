// Compares real kernels with this one on the same programs: `node bench/peers/main.js DIR` runs whole processes in turns, and
// prints the times of rounds, the ratio of each pair and the median, also by processor time: there count the engine's
// threads, which compile beside a run and collect. Run it on an idle machine.
//
// DIR has, with their packages installed and the contracts of the demos prepared (scripts/compatibility/README.md):
//
//   sdk-2020   a checkout of agoric-sdk 8a21a315; its kernel runs under a Node 14 (--node-2020 FILE)
//   sdk-today  a checkout of today
//
// Without one of them, its programs are left out. `--shares` tells which packages take this kernel's time instead.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, readCount } from '../../scripts/compatibility/usage.js';
import { tellShares } from './shares.js';

const usage =
  'usage: node bench/peers/main.js DIR [--node-2020 FILE] [--rounds N] [--pairs N] [--only TEXT] [--shares], where DIR has the checkouts sdk-2020 and sdk-today';

/** @typedef {{ 'node-2020'?: string, rounds: string, pairs: string, only: string, shares: boolean }} Flags */

/** @returns {{ values: Flags, positionals: string[] }} */
const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'node-2020': { type: 'string' },
        rounds: { type: 'string', default: '200' },
        pairs: { type: 'string', default: '3' },
        only: { type: 'string', default: '' },
        shares: { type: 'boolean', default: false },
      },
    });
  } catch {
    return fail(usage);
  }
};
const { values, positionals } = readArguments();
const peers = positionals.length === 1 ? resolve(positionals[0]) : fail(usage);
const rounds = readCount('rounds', values.rounds);
const pairs = readCount('pairs', values.pairs);

/**
 * The times of one process, in milliseconds. Processor times count all threads: the compiler's and the collector's, too.
 *
 * @typedef {object} Taken
 * @property {number} setupMs  from the start of the process to the end of the bootstrap
 * @property {number} setupCpuMs
 * @property {number} roundMs  of wall time, the median
 * @property {number} meanMs  of wall time, the mean
 * @property {number} cpuMs  of a round, the mean
 */

/**
 * A program and its goal: how many times as quick as the real kernel it should be.
 *
 * @typedef {{ name: string, goal: number | undefined, real: () => Taken, directory: string, profile: string }} Program
 */

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Taken}
 */
const runProcess = (node, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(node, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  // Programs print, too: the figures are the last line.
  const line = stdout?.trim().split('\n').at(-1) ?? '';
  if (status !== 0 || !line.startsWith('{')) fail(`${args.at(-1)} failed:\n${stderr}`);
  return JSON.parse(line);
};

const here = (/** @type {string} */ file) => join(import.meta.dirname, file);

/** @param {Program} program @param {readonly string[]} [flags]  of Node */
const runOurs = ({ directory, profile }, flags = []) =>
  runProcess(
    process.execPath,
    [...flags, here('ours.js'), directory, String(rounds), profile],
    import.meta.dirname,
  );

const demos = ['exchangeBenchmark', 'swapBenchmark', 'pingPongBenchmark'];

/** @returns {Program[]} */
const findPrograms = () => {
  const sdk2020 = join(peers, 'sdk-2020');
  const today = join(peers, 'sdk-today');
  const demoOf = (/** @type {string} */ sdk, /** @type {string} */ demo) =>
    join(sdk, 'packages/swingset-runner/demo', demo);
  const code = readFileSync(here('real-2020.cjs'), 'utf8');
  const run2020 = (/** @type {string} */ directory) => {
    const node =
      values['node-2020'] ?? fail(`the kernel of sdk-2020 needs --node-2020, a Node 14; ${usage}`);
    const args = ['-r', 'esm', '-e', code, '--', directory, String(rounds)];
    return runProcess(resolve(node), args, join(sdk2020, 'packages/swingset-runner'));
  };
  const goals = /** @type {Readonly<Record<string, number>>} */ ({
    'exchangeBenchmark, 2020-09': 20,
    'swapBenchmark, 2020-09': 40,
    'exchangeBenchmark, current': 10,
  });
  const all = [
    ...demos.map(demo => ({
      ...{ demo, sdk: sdk2020, profile: '2020-09', run: run2020 },
    })),
    ...demos.map(demo => ({
      ...{ demo, sdk: today, profile: 'current' },
      run: (/** @type {string} */ directory) =>
        runProcess(process.execPath, [here('real-today.js'), directory, String(rounds)], today),
    })),
  ];
  return all
    .filter(({ sdk }) => existsSync(sdk))
    .map(({ demo, sdk, profile, run }) => {
      const name = `${demo}, ${profile}`;
      const directory = demoOf(sdk, demo);
      return { name, goal: goals[name], directory, profile, real: () => run(directory) };
    })
    .filter(({ name }) => name.includes(values.only));
};

const median = (/** @type {number[]} */ list) =>
  [...list].sort((left, right) => left - right)[list.length >> 1];

const programs = findPrograms();
if (programs.length === 0) fail(`${peers} has no such program; ${usage}`);
console.log(`${rounds} rounds, Node ${process.version}; times in ms`);
for (const program of programs) {
  const { name, goal, real } = program;
  if (values.shares) {
    tellShares(name, flags => runOurs(program, flags));
    continue;
  }
  /** @type {number[]} */
  const ratios = [];
  /** @type {number[]} */
  const cpuRatios = [];
  for (let i = 0; i < pairs; i += 1) {
    const ours = () => runOurs(program);
    const [there, own] = i % 2 === 0 ? [real(), ours()] : [ours(), real()].reverse();
    ratios.push(there.meanMs / own.meanMs);
    cpuRatios.push(there.cpuMs / own.cpuMs);
    const show = (/** @type {Taken} */ { setupMs, meanMs, roundMs, cpuMs }) =>
      `round ${meanMs.toFixed(2)} (median ${roundMs.toFixed(2)}, processor ${cpuMs.toFixed(2)}), start ${Math.round(setupMs)}`;
    console.log(`${name}: real ${show(there)}; ours ${show(own)}: ${ratios.at(-1)?.toFixed(1)}×`);
  }
  const aim = goal === undefined ? '' : `, goal ${goal}×`;
  console.log(
    `${name}: ${median(ratios).toFixed(1)}× (${median(cpuRatios).toFixed(1)}× by processor time of all threads), median of ${pairs}${aim}`,
  );
}
