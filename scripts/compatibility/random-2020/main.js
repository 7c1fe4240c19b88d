// Runs random programs in the kernel of 2020-09-30 and in this one under `2020-09`, and compares cranks, counters and all lines
// that vats print: `node scripts/compatibility/random-2020/main.js --sdk-2020 DIR --node-2020 FILE [--programs N] [--first SEED] [--keep FILE]`.
// DIR is a checkout of agoric-sdk 8a21a315 with its packages installed, FILE a Node 14. A program that made that kernel panic, or
// that does not end there, is left out and named; a process of its own runs some at a time, within limits of time and memory.

import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, readCount } from '../usage.js';
import { runInBatches } from './batches.js';
import { actorFile, digest, linesOfActors, mostCranks, runHere } from './ours.js';
import { makeProgram } from './program.js';

/** @import { Done } from './ours.js' */
/** @import { Program } from './program.js' */

const usage =
  'usage: node scripts/compatibility/random-2020/main.js --sdk-2020 DIR --node-2020 FILE [--programs N] [--first SEED] [--keep FILE]';

const { values } = parseArgs({
  options: {
    'sdk-2020': { type: 'string' },
    'node-2020': { type: 'string' },
    programs: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const sdk = resolve(values['sdk-2020'] ?? fail(usage));
const node = resolve(values['node-2020'] ?? fail(usage));
if (!existsSync(node)) fail(`${node} is not there; --node-2020 names the program of a Node 14`);
const [count, first] = [readCount('programs', values.programs), readCount('first', values.first)];

/** The kernel prints of each program. @typedef {Done & { seed: number, problem?: undefined }} Ran @typedef {{ seed: number, problem: string }} Failed */

/** Programs of a process; a kernel that panicked may have left something behind for the next. */
const batchSize = 20;

/** The first line of a process comes when the kernel's bundles are made; a program has at most `mostCranks`. */
const silenceMs = 60_000;

/** The heap of a process, which is more than any program needs that ends. */
const heapMegabytes = 1_500;

/** @param {readonly Program[]} programs @returns {AsyncGenerator<Ran | Failed>} */
async function* runThere(programs) {
  const runner = join(sdk, 'packages/swingset-runner');
  // In the checkout, for there the actor's imports are found.
  const folder = mkdtempSync(join(runner, 'random-'));
  try {
    const [actor, file] = [join(folder, 'actor.js'), join(folder, 'programs.json')];
    copyFileSync(actorFile, actor);
    const script = readFileSync(join(import.meta.dirname, 'real.cjs'), 'utf8');
    const flags = [`--max-old-space-size=${heapMegabytes}`, '-r', 'esm', '-e', script, file];
    const start = (/** @type {readonly Program[]} */ batch) => {
      writeFileSync(file, JSON.stringify({ actor, programs: batch, mostCranks }));
      const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe']);
      return spawn(node, flags, { cwd: runner, detached: true, stdio });
    };
    yield* runInBatches(programs, { start, size: batchSize, silenceMs });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Ran} theirs
 * @param {Done} ours
 * @returns {string[]} the first differences of each kind
 */
const findDifferences = (theirs, ours) => {
  const found = [];
  if (theirs.cranks.join() !== ours.cranks.join())
    found.push(`cranks: ${theirs.cranks} there, ${ours.cranks} here`);
  const lines = linesOfActors(theirs.lines);
  const at = lines.findIndex((line, i) => line !== ours.lines[i]);
  if (at >= 0 || lines.length !== ours.lines.length) {
    const place = at < 0 ? lines.length : at;
    found.push(`line ${place + 1}: ${lines[place]} there, ${ours.lines[place]} here`);
  }
  for (const [name, number] of Object.entries(theirs.counters))
    if (number !== (ours.counters[name] ?? 0))
      found.push(`${name}: ${number} there, ${ours.counters[name]} here`);
  return found;
};

const programs = Array.from({ length: count }, (_, i) => makeProgram(first + i));
const kept = [];
let equal = 0;
let all = 0;
let failed = 0;
for await (const theirs of runThere(programs)) {
  const { seed } = theirs;
  if (theirs.problem !== undefined) {
    failed += 1;
    console.log(`program ${seed} is left out: ${theirs.problem}`);
    continue;
  }
  const { cranks, counters } = theirs;
  all += 1;
  const found = findDifferences(theirs, await runHere(makeProgram(seed)));
  if (found.length === 0) equal += 1;
  for (const text of found) console.log(`program ${seed}: ${text}`);
  const lines = linesOfActors(theirs.lines);
  const present = Object.fromEntries(Object.entries(counters).filter(([, number]) => number !== 0));
  kept.push({ seed, cranks, lines: lines.length, digest: digest(lines), counters: present });
}
const leftOut = failed === 0 ? '' : `; ${failed} made the kernel of 2020 fail`;
console.log(`${equal} of ${all} programs are equal${leftOut}`);
if (all === 0) fail('the kernel of 2020 ran no program');
if (values.keep !== undefined) {
  const rows = kept.map(row => JSON.stringify(row)).join(',\n');
  writeFileSync(values.keep, `[\n${rows}\n]\n`);
}
process.exit(equal === all ? 0 : 1);
