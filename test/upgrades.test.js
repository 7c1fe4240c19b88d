// Random programs with durable data, upgrades, ended vats and collections do here what they did under SwingSet 0.33.0: each delivery,
// syscall and printed line, and at last all c-lists and stores of vats. The test holds us to digests of what SwingSet did in
// each round (scripts/compatibility/README.md). The command there finds the line that differs.

import test from 'ava';
import { readFileSync } from 'node:fs';

import { ensureLockdown } from '#loader/lockdown.js';
import { digest } from '../scripts/compatibility/deliveries/digest.js';

await ensureLockdown();
const { runHere } = await import('../scripts/compatibility/upgrades/ours.js');

/** @type {{ seed: number, digests: string[] }[]} */
const kept = JSON.parse(
  readFileSync(new URL('./reference/compatibility/upgrades.json', import.meta.url), 'utf8'),
);

for (const { seed, digests } of kept)
  test(`random program ${seed} with upgrades does in ${digests.length} rounds what it did under SwingSet`, async t => {
    const found = await runHere(seed, digests.length);
    t.deepEqual(found.map(digest), digests);
    const lines = found.flat();
    t.true(lines.some(line => /prints version 2 /.test(line)));
    t.true(lines.some(line => / vom\.rc\./.test(line)));
  });
