// Random programs do here what they did under SwingSet 0.33.0: each delivery, syscall and line that vats print, in its order.
// The test holds us to digests of what SwingSet did in each round (scripts/compatibility/README.md). The command there finds the
// line that differs.

import test from 'ava';
import { readFileSync } from 'node:fs';

import { digest } from '../scripts/compatibility/deliveries/digest.js';
import { runHere } from '../scripts/compatibility/deliveries/ours.js';
import {
  alignNames,
  markName,
  numberNames,
  retireLine,
} from '../scripts/compatibility/deliveries/names.js';
import { makeProgram } from '../scripts/compatibility/deliveries/program.js';

/** @param {string} file @returns {{ seed: number, digests: string[] }[]} */
const readKept = file =>
  JSON.parse(readFileSync(new URL(`./reference/compatibility/${file}`, import.meta.url), 'utf8'));

for (const hasComms of [false, true]) {
  for (const { seed, digests } of readKept(
    hasComms ? 'deliveries-comms.json' : 'deliveries.json',
  )) {
    const { vats } = makeProgram(seed, hasComms);
    const { features } = vats.bootstrap;
    const [rounds, what] = [digests.length - 1, features.join(', ') || 'no more than messages'];
    test(`random program ${seed} (${Object.keys(vats).length} vats, ${what}) delivers and prints in ${rounds} rounds what it did under SwingSet`, async t => {
      const found = await runHere(makeProgram(seed, hasComms), rounds);
      t.deepEqual(found.map(digest), digests);
      t.true(found.every(lines => lines.length > 0));
    });
  }
}

test('a trace has the passed references, with its own names', async t => {
  const [first, round] = await runHere(makeProgram(2), 1);
  t.true(first.includes('bootstrap <- startVat'));
  t.regex(first.join('\n'), /bootstrap <- ko#\d+ \["bootstrap",/);
  t.regex(round.join('\n'), /ann <- ko#\d+ \["begin",\[\d+,\d+,/);
  t.regex(round.join('\n'), /\n {2}ann prints /);
});

const sends = (/** @type {string[]} */ ...krefs) =>
  krefs.map(kref => `ann sends ${markName(kref)}`);

test('an object that SwingSet retired and exported again matches the known one here', t => {
  const theirs = [...sends('ko20', 'ko21'), retireLine(['ko21']), ...sends('ko35', 'kp40', 'ko35')];
  const ours = numberNames(sends('ko1', 'ko2', 'ko2', 'kp9', 'ko2'));
  const aliases = alignNames(theirs, ours);
  t.deepEqual([...aliases], [['ko35', 'ko21']]);
  t.deepEqual(numberNames(theirs, aliases), ours);
});

test('an object that is retired twice is two differences', t => {
  const theirs = [
    ...[...sends('ko21'), retireLine(['ko21'])],
    ...[...sends('ko35'), retireLine(['ko35']), ...sends('ko36')],
  ];
  const ours = numberNames(sends('ko2', 'ko2', 'ko2'));
  t.deepEqual(numberNames(theirs, alignNames(theirs, ours)), ours);
});

test('another kref of an object that SwingSet had not retired is a difference', t => {
  const ours = numberNames(sends('ko1', 'ko2', 'ko2'));
  t.is(alignNames(sends('ko20', 'ko21', 'ko35'), ours).size, 0);
  const retiredLater = [...sends('ko20', 'ko21', 'ko35'), retireLine(['ko21'])];
  t.is(alignNames(retiredLater, ours).size, 0);
  const another = [...sends('ko20', 'ko21'), retireLine(['ko20']), ...sends('ko35')];
  t.is(alignNames(another, ours).size, 0);
});
