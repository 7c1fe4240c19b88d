// Runs random programs on reactor-ts and on this package: `node scripts/reactor-ts-tests/random.js --reactor-ts DIR`, with
// a checkout of reactor-ts that has its packages installed and is built. `--seeds N` and `--first N` choose the programs;
// `--write FILE` keeps digests of what they did on reactor-ts, for packages/reactor-ts/test/random.test.js.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { planProgram } from '../../packages/reactor-ts/test/random/plan.js';

const usage =
  'usage: node scripts/reactor-ts-tests/random.js --reactor-ts DIR [--seeds N] [--first N] [--write FILE]';

const { values } = parseArgs({
  options: {
    'reactor-ts': { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    write: { type: 'string' },
  },
});

/** @param {string} text @returns {never} */
const fail = text => {
  console.error(text);
  process.exit(2);
};

const folder = resolve(values['reactor-ts'] ?? fail(usage));
if (!existsSync(join(folder, 'lib/index.js')))
  fail(`${folder} has no lib/index.js; run npm install and npm run build there`);
for (const name of /** @type {const} */ (['seeds', 'first']))
  if (!/^[1-9]\d{0,8}$/.test(values[name]))
    fail(`--${name} takes a number from 1, not ${JSON.stringify(values[name])}`);

/**
 * @param {'ours' | 'theirs'} which
 * @returns {Promise<Map<number, string[]>>} what each program did, by seed
 */
const runAll = which =>
  new Promise(settle => {
    const script = fileURLToPath(new URL('run-random.js', import.meta.url));
    const args = [script, folder, values.first, values.seeds, which];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const all = new Map();
    child.on('message', (/** @type {any} */ [seed, lines]) => all.set(seed, lines));
    child.on('close', () => settle(all));
  });

const [theirs, ours] = await Promise.all([runAll('theirs'), runAll('ours')]);
/** @type {Record<string, string>} */
const digests = {};
const counts = { equal: 0, mutations: 0, different: 0 };
for (const [seed, lines] of theirs) {
  const mine = ours.get(seed) ?? ['nothing'];
  const at = lines.findIndex((line, i) => line !== mine[i]);
  if (at < 0 && lines.length === mine.length) {
    counts.equal += 1;
    digests[seed] = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);
  } else if (planProgram(seed).kinds.some(({ mutations }) => mutations.length > 0)) {
    counts.mutations += 1;
  } else {
    counts.different += 1;
    console.log(`seed ${seed}, line ${at}: ${lines[at]} on reactor-ts, ${mine[at]} here`);
  }
}
const { equal, mutations, different } = counts;
console.log(
  `${equal} of ${values.seeds} programs did the same; ${mutations} with mutations and ${different} others did not`,
);
if (theirs.size < Number(values.seeds)) fail(`reactor-ts ended after ${theirs.size} programs`);
if (values.write !== undefined) writeFileSync(values.write, `${JSON.stringify(digests)}\n`);
process.exitCode = different > 0 ? 1 : 0;
