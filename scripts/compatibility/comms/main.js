// Holds random conversations of two comms vats with SwingSet's comms and with this one, and compares each delivery with what comms
// asked for in answer: `node scripts/compatibility/comms/main.js --sdk DIR [--first SEED] [--programs N] [--steps N] [--keep FILE]`.
// DIR has the packages of SwingSet in `node_modules`.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLockdown } from '#loader/lockdown.js';
import { digest } from '../deliveries/digest.js';
import { compareLines } from '../deliveries/sources.js';
import { fail, readCommandLine } from '../usage.js';

const { sdk, counts, flags } = readCommandLine(
  'comms',
  { programs: 40, first: 1, steps: 120 },
  { keep: { takes: 'FILE' } },
);
const { programs: count, first, steps } = counts;
await ensureLockdown();
const { converseHere } = await import('./ours.js');

const { stdout, stderr, error } = spawnSync(
  process.execPath,
  [join(import.meta.dirname, 'real.js'), ...[first, count, steps].map(String)],
  { cwd: sdk, encoding: 'utf8', maxBuffer: 1 << 30 },
);
const line =
  stdout?.split('\n').find(it => it.startsWith('{"conversations":')) ??
  fail(`SwingSet's comms does not run in ${sdk}: ${error?.message ?? stderr}`);
/** Lines, or why there are none. @type {(string[] | string)[]} */
const theirs = JSON.parse(line).conversations;

/** @type {Record<string, string>} */
const digests = {};
theirs.forEach((lines, i) => {
  const seed = first + i;
  if (typeof lines === 'string') console.log(`conversation ${seed} ends under SwingSet: ${lines}`);
  else if (compareLines(`conversation ${seed}`, converseHere(seed, steps), lines))
    digests[seed] = digest(lines);
});
const equal = Object.keys(digests).length;
console.log(`${equal} of ${count} conversations are equal`);
if (flags.keep !== undefined)
  writeFileSync(flags.keep, `${JSON.stringify({ steps, digests }, null, 2)}\n`);
process.exit(equal === count ? 0 : 1);
