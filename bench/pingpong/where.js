// Prints the share of each folder and file in the time of a round, from the engine's profile of a
// run.
//
//   node bench/pingpong/where.js [memory|none|group|commit]

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { spreadOf } from '#measure';
import { ask, withTemporaryFolder } from '../process.js';

/** @typedef {{ functionName: string, url: string }} CallFrame */
/** @typedef {{ nodes: { id: number, callFrame: CallFrame }[], samples: number[], timeDeltas: number[] }} Profile */

const root = new URL('../../', import.meta.url).href;
const rounds = 30_000;
const batch = 100;
const sampleUs = 100;

/** The first part of a run starts the process and warms up. */
const lastShare = 0.5;

/** The place of a function: its file in the project, the npm package, Node, or the engine's name for it. */
const placeOf = (/** @type {CallFrame} */ { url, functionName }) => {
  if (url === '') return functionName;
  if (url.startsWith('node:')) return 'node';
  const inPackages = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (inPackages) return `npm ${inPackages[1]}`;
  // The source of a vat has the name that its bundle gives.
  return url.startsWith(root) ? url.slice(root.length) : url.replace(fileURLToPath(root), '');
};

/** @param {string} place  `packages/kernel/crank/apply.js` is in `packages/kernel` */
const folderOf = place => {
  if (!place.includes('/') || place.startsWith('npm ')) return place;
  const parts = path.dirname(place).split('/');
  return parts.slice(0, parts[0] === 'packages' || parts[0] === 'demos' ? 2 : 1).join('/');
};

/**
 * Microseconds of each node without its children, in the last part of the run.
 *
 * @param {Profile} profile
 */
const selfTimes = ({ samples, timeDeltas }) => {
  const allUs = timeDeltas.reduce((sum, us) => sum + us, 0);
  /** @type {Map<number, number>} */
  const times = new Map();
  let atUs = 0;
  for (let i = 0; i < samples.length; i += 1) {
    atUs += timeDeltas[i];
    if (atUs < allUs * (1 - lastShare)) continue;
    times.set(samples[i], (times.get(samples[i]) ?? 0) + timeDeltas[i]);
  }
  return times;
};

/**
 * @param {Profile} profile
 * @param {(place: string) => string} group
 * @returns {[name: string, share: number][]} largest first
 */
const shares = (profile, group) => {
  const times = selfTimes(profile);
  /** @type {Map<string, number>} */
  const sums = new Map();
  let total = 0;
  for (const { id, callFrame } of profile.nodes) {
    const us = times.get(id) ?? 0;
    const name = group(placeOf(callFrame));
    sums.set(name, (sums.get(name) ?? 0) + us);
    total += us;
  }
  return [...sums]
    .map(([name, us]) => /** @type {[string, number]} */ ([name, us / total]))
    .sort(([, left], [, right]) => right - left);
};

/**
 * @param {string} title
 * @param {[name: string, share: number][]} parts
 * @param {number} roundUs
 */
const print = (title, parts, roundUs) => {
  console.log(`\n${title.padEnd(48)}  share  µs a round`);
  for (const [name, share] of parts.filter(([, one]) => one >= 0.005)) {
    const figures = [`${(share * 100).toFixed(1)} %`.padStart(7), (share * roundUs).toFixed(2)];
    console.log(`${name.padEnd(48)}${figures[0]}${figures[1].padStart(12)}`);
  }
};

/** @param {string} store */
const main = store =>
  withTemporaryFolder('where', async dir => {
    const module = new URL('run.js', import.meta.url);
    /** @type {{ batchNs: number[] }} */
    const { batchNs } = await ask(
      module,
      { store, warmup: 2_000, rounds, batch },
      {
        execArgv: ['--cpu-prof', `--cpu-prof-interval=${sampleUs}`, `--cpu-prof-dir=${dir}`],
      },
    );
    const late = spreadOf(batchNs.slice(-batchNs.length * lastShare));
    const roundUs = late.median / batch / 1_000;
    const [file] = fs.readdirSync(dir).filter(name => name.endsWith('.cpuprofile'));
    /** @type {Profile} */
    const profile = JSON.parse(fs.readFileSync(path.join(dir, file), 'utf8'));
    console.log(`${store}: ${roundUs.toFixed(1)} µs a round (median of batches, profiler running)`);
    print('folder', shares(profile, folderOf), roundUs);
    print(
      'file',
      shares(profile, place => place),
      roundUs,
    );
  });

const [store = 'memory'] = process.argv.slice(2);
if (['memory', 'none', 'group', 'commit'].includes(store)) await main(store);
else {
  console.error(`where.js: there is no store "${store}"; there are memory, none, group and commit`);
  process.exitCode = 2;
}
