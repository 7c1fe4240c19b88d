// Holds random conversations of two comms vats with SwingSet's comms and with this one, and compares each delivery with what comms
// asked for in answer: `node scripts/compatibility/comms/main.js --sdk DIR [--first SEED] [--programs N] [--steps N] [--keep FILE]`.
// DIR has the packages of SwingSet in `node_modules`.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureLockdown } from '#loader/lockdown.js';
import { digest } from '../deliveries/digest.js';
import { compareLines } from '../deliveries/sources.js';
import { fail, readCount } from '../usage.js';

const usage =
  'usage: node scripts/compatibility/comms/main.js --sdk DIR [--first SEED] [--programs N] [--steps N] [--keep FILE]';

const { values } = parseArgs({
  options: {
    sdk: { type: 'string' },
    first: { type: 'string', default: '1' },
    programs: { type: 'string', default: '40' },
    steps: { type: 'string', default: '120' },
    keep: { type: 'string' },
  },
});
const sdk = resolve(values.sdk ?? fail(usage));
const [first, count] = [readCount('first', values.first), readCount('programs', values.programs)];
const steps = readCount('steps', values.steps);
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
if (values.keep !== undefined)
  writeFileSync(values.keep, `${JSON.stringify({ steps, digests }, null, 2)}\n`);
process.exit(equal === count ? 0 : 1);
