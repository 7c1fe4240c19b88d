// Runs programs of others: `node scripts/compatibility/main.js [--sdk-2020 DIR] [--sdk DIR] [--endo DIR] [--tests]` runs those of
// the given checkouts, stores the findings, and writes docs/compatibility.md from all stored findings. With `--real`, today's
// SwingSet runs today's demos first.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureLockdown } from '#loader/lockdown.js';
import { testFiles } from '../swingset-tests/files.js';
import { groupByFile } from './by-file.js';
import { formatPage } from './page.js';
import { findCommit, readRows, writeRows } from './rows.js';

/** @import { Row } from './rows.js' */

const usage =
  'usage: node scripts/compatibility/main.js [--sdk-2020 DIR] [--sdk DIR] [--endo DIR] [--only TEXT] [--real] [--tests [--timeout SECONDS]]';

const { values } = parseArgs({
  options: {
    'sdk-2020': { type: 'string' },
    sdk: { type: 'string' },
    endo: { type: 'string' },
    only: { type: 'string' },
    real: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
});

/** @param {Row} row */
const tell = ({ name, result, reason = '' }) =>
  console.log(`${result.padEnd(9)} ${name}${reason === '' ? '' : `: ${reason}`}`);

/** A row's name without its count of tests. @param {Row} row */
const keyOf = ({ name }) => name.replace(/ \(\d+ tests?\)$/, '');

/**
 * Rows of programs that were not run this time stay.
 *
 * @param {string} suite
 * @param {string} sdk
 * @param {Row[]} rows
 */
const keep = (suite, sdk, rows) => {
  const before = readRows(suite);
  const commit = findCommit(sdk) ?? before?.commit;
  const ran = new Map(rows.map(row => [keyOf(row), row]));
  const kept = values.only === undefined ? [] : (before?.rows ?? []);
  // A test that its file has no more, or not this time, goes.
  const { only = '' } = values;
  const stays = (/** @type {Row} */ { name }) => !name.split(': ')[0].includes(only);
  const others = kept.flatMap(row => ran.get(keyOf(row)) ?? (stays(row) ? row : []));
  const known = new Set(kept.map(keyOf));
  const added = rows.filter(row => !known.has(keyOf(row)));
  writeRows(suite, { ...(commit !== undefined && { commit }), rows: [...others, ...added] });
};

/**
 * @param {string} suite
 * @param {string} sdk
 * @param {readonly string[]} packages
 */
const runTests = (suite, sdk, packages) => {
  const folder = mkdtempSync(join(tmpdir(), 'swingset-runner-compatibility-'));
  try {
    const file = join(folder, 'rows.json');
    const script = join(import.meta.dirname, '../swingset-tests/main.js');
    const { only = '', timeout } = values;
    const args = ['--sdk', sdk, '--write', file, '--only', only, '--timeout', timeout];
    const named = packages.flatMap(name => ['--package', name]);
    spawnSync(process.execPath, [script, ...args, ...named], { stdio: 'inherit' });
    const found = JSON.parse(readFileSync(file, 'utf8'));
    keep(suite, sdk, suite === 'package-tests' ? groupByFile(found.rows) : found.rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Packages over SwingSet, whose tests drive it. */
const packagesOver = Object.keys(testFiles).filter(name => name !== 'SwingSet');

if (values.help) {
  console.log(usage);
  process.exit(0);
}
await ensureLockdown();
const { 'sdk-2020': sdk2020, sdk, endo } = values;
if (sdk2020 !== undefined) {
  const { runCommands2020 } = await import('./commands-2020.js');
  keep('commands-2020', sdk2020, await runCommands2020(resolve(sdk2020), tell, values.only));
}
if (sdk !== undefined) {
  const { runDemosToday, runRealDemos } = await import('./demos-today.js');
  if (values.real) runRealDemos(resolve(sdk), values.only);
  keep('demos-today', sdk, await runDemosToday(resolve(sdk), tell, values.only));
  if (values.tests) {
    runTests('swingset-tests', resolve(sdk), ['SwingSet']);
    runTests('package-tests', resolve(sdk), packagesOver);
  }
}
if (endo !== undefined) {
  const { runEndoTests } = await import('../endo-tests/run.js');
  keep('endo-tests', endo, await runEndoTests(resolve(endo), tell, values.only));
}
const sections = [
  {
    suite: 'commands-2020',
    title: 'Commands of 2020',
    about:
      'Profile `2020-09`, every counter of the kernel of 2020-09-30: the 17 commands that were published, and 21 more of its runner, real Zoe among them.',
  },
  {
    suite: 'demos-today',
    title: "Today's demos",
    about:
      "Profile `current`, against what SwingSet's kernel prints and in which order it delivers; vats are asked for dead references behind each delivery, as is its default.",
  },
  {
    suite: 'swingset-tests',
    title: "SwingSet's own tests",
    about: 'Run by `scripts/swingset-tests/main.js`; `equal` is a test that passes.',
  },
  {
    suite: 'package-tests',
    title: 'Tests of packages over SwingSet',
    about:
      'Test files of Zoe, ERTP, swing-store, cosmic-swingset and others that make a kernel, or use its store, run by the same program with these in their place. Files of these packages that use neither are left out, since nothing of this package would run in them.',
  },
  {
    suite: 'endo-tests',
    title: "Endo's own tests",
    about:
      "Test files of marshal, pass-style, eventual-send, exo and patterns, each in a vat: with our modules where those have what a file imports of its package, else with Endo's over ours. Run by `--endo DIR`, a checkout. `equal`: all tests of the file pass; where a detail of an error is redacted, any text may stand.",
  },
].map(section => ({ ...section, kept: readRows(section.suite) }));
writeFileSync(join(import.meta.dirname, '../../docs/compatibility.md'), formatPage(sections));
console.log('docs/compatibility.md is written');
