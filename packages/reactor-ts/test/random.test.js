// Random programs do what they did on reactor-ts 0.6.2. `node scripts/reactor-ts-tests/random.js --reactor-ts DIR` compares
// any number of others, and keeps the digests.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import * as R from '../index.js';
import { runProgram } from './random/program.js';

/** @type {Record<string, string>} digests by seed; without programs whose mutations do something else here */
const kept = JSON.parse(readFileSync(new URL('random/digests.json', import.meta.url), 'utf8'));

// Programs that end with an error say so.
test.before(() => {
  console.error = () => {};
});

test('random programs do what they did on reactor-ts', async t => {
  const different = [];
  for (const [seed, digest] of Object.entries(kept)) {
    const lines = await runProgram(R, Number(seed));
    const found = createHash('sha256').update(lines.join('\n')).digest('hex');
    if (!found.startsWith(digest)) different.push(seed);
  }
  t.deepEqual(different, []);
  t.true(Object.keys(kept).length > 450);
});
