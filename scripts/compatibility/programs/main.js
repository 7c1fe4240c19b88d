// Runs the programs of test/fixtures/swingset-programs under today's SwingSet and under this kernel, and compares them line by line:
// `node scripts/compatibility/programs/main.js --sdk DIR [--keep] [NAME…]`. DIR has the packages of SwingSet in `node_modules`.
// `--keep` writes what SwingSet did to the program's `expected.txt`, which test/swingset-programs.test.js holds this kernel to.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultCacheDir } from '#host';
import { ensureLockdown } from '#loader/lockdown.js';
import { alignNames, numberNames } from '../deliveries/names.js';
import { compareLines, findBundles, makeSources } from '../deliveries/sources.js';
import { fail } from '../usage.js';
import { folderOf, listPrograms, readCalls, showRounds } from './program.js';

const usage = 'usage: node scripts/compatibility/programs/main.js --sdk DIR [--keep] [NAME…]';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sdk: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const sdk = resolve(values.sdk ?? fail(usage));
await ensureLockdown();
const { runHere } = await import('./here.js');
mkdirSync(defaultCacheDir(), { recursive: true });

/** @param {string} name @returns {string[][] | string} rounds of the trace, with marked names, or why there are none */
const runThere = name => {
  const folder = makeSources(sdk, 'swingset-programs');
  try {
    const { stdout, stderr, error } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'real.js'), findBundles(folder), join(folder, name)],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30, timeout: 600_000 },
    );
    const line = (stdout ?? '').split('\n').find(it => it.startsWith('[['));
    if (line !== undefined) return JSON.parse(line);
    return error === undefined ? stderr.split('\n').slice(0, 3).join(' ') : error.message;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

let hasDifference = false;
for (const name of positionals.length > 0 ? positionals : listPrograms()) {
  const marked = runThere(name);
  if (typeof marked === 'string') throw Error(`${name} does not run under SwingSet: ${marked}`);
  const ours = await runHere(folderOf(name));
  const theirs = marked.map((lines, round) =>
    numberNames(lines, alignNames(lines, ours[round] ?? [])),
  );
  const same = theirs.filter((lines, round) =>
    compareLines(`${name}, call ${round}`, ours[round] ?? [], lines),
  );
  if (same.length < theirs.length || theirs.length < ours.length) hasDifference = true;
  console.log(`${name}: ${same.length} of ${theirs.length} rounds are equal`);
  if (values.keep)
    writeFileSync(
      join(folderOf(name), 'expected.txt'),
      showRounds(await readCalls(folderOf(name)), theirs),
    );
}
process.exit(hasDifference ? 1 : 0);
