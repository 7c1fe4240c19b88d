// Two comms vats do in random conversations what SwingSet's did (`@agoric/swingset-vat` 0.33.0): each message, notify and string,
// and what is dropped and retired. The test holds us to digests of what SwingSet's did (scripts/compatibility/README.md). The
// command there finds the line that differs. Conversations that differ for a known reason are left out.

import test from 'ava';
import { readFileSync } from 'node:fs';

import { ensureLockdown } from '#loader/lockdown.js';
import { digest } from '../scripts/compatibility/deliveries/digest.js';

await ensureLockdown();
const { converseHere } = await import('../scripts/compatibility/comms/ours.js');

/** @type {{ steps: number, digests: Record<string, string> }} */
const { steps, digests } = JSON.parse(
  readFileSync(
    new URL('./reference/compatibility/comms-conversations.json', import.meta.url),
    'utf8',
  ),
);

test("comms gives up objects when SwingSet's does, in the same strings", t => {
  const seeds = Object.keys(digests);
  t.true(seeds.length > 30);
  let collected = 0;
  for (const seed of seeds) {
    const lines = converseHere(Number(seed), steps);
    t.is(digest(lines), digests[seed], seed);
    collected += lines.filter(line => line.includes(':gc:')).length;
  }
  t.true(collected > 300, `${collected}`);
});
