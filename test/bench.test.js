// Every suite of the benchmarks works, in its small form: its rows are whole and its figures numbers. What they say
// is not looked at: a busy machine may say anything.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { suiteNames } from '../bench/suite.js';

const main = join(import.meta.dirname, '../bench/main.js');
const temporary = fs.mkdtempSync(join(tmpdir(), 'swingset-bench-'));
test.after.always(() => fs.rmSync(temporary, { recursive: true, force: true }));

/** @param {string[]} args */
const bench = (...args) =>
  promisify(execFile)(process.execPath, [main, ...args], {
    cwd: temporary,
    env: { ...process.env, BENCH_DIR: temporary },
  });

const fields = [
  ...['suite', 'name', 'unit', 'n', 'median', 'min', 'max', 'p25', 'p75'],
  ...['machine', 'node', 'commit', 'params'],
];

for (const suite of suiteNames()) {
  test.serial(`the suite ${suite} gives complete rows`, async t => {
    const file = join(temporary, `${suite}.json`);
    const { stdout } = await bench(suite, '--small', '--json', file);
    const rows = JSON.parse(fs.readFileSync(file, 'utf8'));
    t.true(rows.length > 0);
    for (const row of rows) {
      t.deepEqual(Object.keys(row), fields);
      t.is(row.suite, suite);
      for (const name of ['n', 'median', 'min', 'max', 'p25', 'p75']) {
        t.true(Number.isFinite(row[name]), `${row.name}: ${name} is ${row[name]}`);
      }
      t.true(Number.isInteger(row.n) && row.n >= 1);
      t.true(row.min <= row.median && row.median <= row.max);
      for (const name of ['name', 'unit', 'machine', 'node', 'commit'])
        t.true(row[name].length > 0);
      t.regex(row.params.noise, /^(not )?idle/);
      t.true(stdout.includes(row.name));
    }
    t.is(new Set(rows.map((/** @type {any} */ { name }) => name)).size, rows.length);
    const [, digest] = /results (\S+)\)/.exec(stdout) ?? [];
    t.log(`results ${digest}`);
    t.regex(digest, /^\S{8,16}$/);
    t.deepEqual(
      fs.readdirSync(temporary).filter(name => name.startsWith('bench-')),
      [],
    );
  });
}

test('errors for an unknown suite and an unknown flag have one line', async t => {
  const names = suiteNames().join(', ');
  const usage = `npm run bench -- [SUITE...] [--json FILE] [--keep] [--small] [--dir DIR], where a suite is one of ${names}`;
  for (const [args, what] of /** @type {[string[], string][]} */ ([
    [['pingpon'], 'there is no suite "pingpon", did you mean pingpong?'],
    [['--fast'], "Unknown option '--fast'"],
    [['store', '--small', '--keep'], '--small measures nothing that is worth keeping'],
    [['store', '--dir', 'nowhere'], '--dir nowhere does not exist'],
  ])) {
    const error = await t.throwsAsync(bench(...args), { any: true, code: 2 });
    t.is(/** @type {any} */ (error).stderr, `bench: ${what}; ${usage}\n`);
  }
});
