// Compares real kernels with this one on the same program. `node scripts/compatibility/speed/main.js` runs whole processes in
// alternating pairs, and prints the ratio of each pair and the median. Run it on an idle machine.
//
//   --sdk-2020 DIR --node-2020 FILE   a checkout of 8a21a315, with its packages, and a Node 14
//   --sdk DIR                         a checkout of today, with its packages

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { spreadOf } from '#measure';
import { fail, readCount } from '../usage.js';

const { values } = parseArgs({
  options: {
    'sdk-2020': { type: 'string' },
    'node-2020': { type: 'string' },
    sdk: { type: 'string' },
    rounds: { type: 'string', default: '200' },
    pairs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
});

const usage =
  'usage: node scripts/compatibility/speed/main.js [--sdk-2020 DIR --node-2020 FILE] [--sdk DIR] [--rounds N] [--pairs N] [--only TEXT]';

const rounds = readCount('rounds', values.rounds);
const pairs = readCount('pairs', values.pairs);

/**
 * The times of one process: of the setup; of a round, as the median; and the processor time of a round, as the mean.
 *
 * @typedef {{ setupMs: number, roundMs: number, cpuMs: number }} Taken
 */

/** A program, and the process that runs it under each kernel. @typedef {{ name: string, real: () => Taken, ours: () => Taken }} Pair */

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

/**
 * @param {string} sdk
 * @param {string} profile
 * @param {string} demo
 * @param {(directory: string) => Taken} real
 * @returns {Pair}
 */
const makePair = (sdk, profile, demo, real) => {
  const directory = join(sdk, 'packages/swingset-runner/demo', demo);
  return {
    name: `${demo}, ${profile}`,
    real: () => real(directory),
    ours: () =>
      runProcess(
        process.execPath,
        [here('ours.js'), directory, String(rounds), profile],
        import.meta.dirname,
      ),
  };
};

/** @returns {Pair[]} */
const findPairs = () => {
  const found = [];
  const { 'sdk-2020': sdk2020, 'node-2020': node2020, sdk } = values;
  if (sdk2020 !== undefined) {
    const node = node2020 ?? fail(`--sdk-2020 needs --node-2020, a Node 14\n${usage}`);
    const root = resolve(sdk2020);
    const code = readFileSync(here('real-2020.cjs'), 'utf8');
    const runner = join(root, 'packages/swingset-runner');
    for (const demo of ['exchangeBenchmark', 'swapBenchmark', 'pingPongBenchmark'])
      found.push(
        makePair(root, '2020-09', demo, directory =>
          runProcess(
            resolve(node),
            ['-r', 'esm', '-e', code, '--', directory, String(rounds)],
            runner,
          ),
        ),
      );
  }
  if (sdk !== undefined) {
    const root = resolve(sdk);
    for (const demo of ['exchangeBenchmark', 'swapBenchmark', 'pingPongBenchmark'])
      found.push(
        makePair(root, 'current', demo, directory =>
          runProcess(process.execPath, [here('real-today.js'), directory, String(rounds)], root),
        ),
      );
  }
  return found.filter(({ name }) => name.includes(values.only));
};

const chosen = findPairs();
if (chosen.length === 0) fail(usage);
console.log(`${rounds} rounds, ${pairs} pairs, Node ${process.version}; times of a round in ms`);
for (const { name, real, ours } of chosen) {
  /** @type {number[]} */
  const ratios = [];
  for (let i = 0; i < pairs; i += 1) {
    const [there, own] = i % 2 === 0 ? [real(), ours()] : [ours(), real()].reverse();
    ratios.push(there.cpuMs / own.cpuMs);
    const show = (/** @type {Taken} */ { setupMs, roundMs, cpuMs }) =>
      `${roundMs.toFixed(2)} (processor ${cpuMs.toFixed(2)}, setup ${Math.round(setupMs)})`;
    console.log(`${name}: real ${show(there)}, ours ${show(own)}: ${ratios.at(-1)?.toFixed(1)}×`);
  }
  console.log(
    `${name}: ${spreadOf(ratios).median.toFixed(1)}× by processor time, median of ${pairs}`,
  );
}
