// Runs random programs: `node run-random.js DIR FIRST COUNT ours|theirs`. Sends what each did to the parent.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as ours from '#reactor-ts';
import { runProgram } from '../../packages/reactor-ts/test/random/program.js';

const [, , folder, first, count, which] = process.argv;
const R = which === 'ours' ? ours : createRequire(join(folder, 'package.json'))('./lib/index.js');
// Both print on the console, reactor-ts its graphs, too.
for (const name of /** @type {const} */ (['log', 'info', 'debug', 'warn', 'error']))
  console[name] = () => {};

for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1)
  process.send?.([seed, await runProgram(R, seed)]);
process.exit(0);
