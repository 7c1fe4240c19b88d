// Random programs do here what they did under SwingSet 0.33.0: each delivery, syscall and line that vats print, in its order.
// The test holds us to digests of what SwingSet did in each round (scripts/compatibility/README.md). The command there finds the
// line that differs.

import test from 'ava';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { runHere } from '../scripts/compatibility/deliveries/ours.js';
import { makeProgram } from '../scripts/compatibility/deliveries/program.js';

/** @type {{ seed: number, digests: string[] }[]} */
const kept = JSON.parse(
  readFileSync(new URL('./reference/compatibility/deliveries.json', import.meta.url), 'utf8'),
);

/** @param {readonly string[]} lines */
const digest = lines => createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);

for (const { seed, digests } of kept) {
  const { vats } = makeProgram(seed);
  const { features } = vats.bootstrap;
  const [rounds, what] = [digests.length - 1, features.join(', ') || 'no more than messages'];
  test(`random program ${seed} (${Object.keys(vats).length} vats, ${what}) delivers and prints in ${rounds} rounds what it did under SwingSet`, async t => {
    const found = await runHere(makeProgram(seed), rounds);
    t.deepEqual(found.map(digest), digests);
    t.true(found.every(lines => lines.length > 0));
  });
}

test('a trace has what was passed, by names of its own', async t => {
  const [first, round] = await runHere(makeProgram(2), 1);
  t.true(first.includes('bootstrap <- startVat'));
  t.regex(first.join('\n'), /bootstrap <- ko#\d+ \["bootstrap",/);
  t.regex(round.join('\n'), /ann <- ko#\d+ \["begin",\[\d+,\d+,/);
  t.regex(round.join('\n'), /\n {2}ann prints /);
});
