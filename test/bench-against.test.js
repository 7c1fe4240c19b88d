// `npm run bench:against`: the ratio of two versions that ran in pairs, and what is said to wrong input. What it
// measures is not looked at.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { copyVaried, varied } from '../bench/against/copy-varied.js';
import { compareInPairs } from '../bench/against/ratio.js';

const main = join(import.meta.dirname, '../bench/against/main.js');
const checkout = join(import.meta.dirname, '..');

/** @param {string[]} args */
const run = (...args) => promisify(execFile)(process.execPath, [main, ...args]);

test('pairs with equal ratios give that ratio and an interval of width 0', t => {
  const pairs = [1, 20, 300].map(before => ({ before, after: before * 2 }));
  t.deepEqual(compareInPairs(pairs), { before: 20, after: 40, ratio: 2, low: 2, high: 2 });
});

test('the ratio lies within its interval, and the interval within the ratios', t => {
  const value = fc.double({ min: 0.5, max: 2, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.record({ before: value, after: value }), { minLength: 2, maxLength: 20 }),
      pairs => {
        const { ratio, low, high } = compareInPairs(pairs);
        const ratios = pairs.map(({ before, after }) => after / before);
        t.true(low <= ratio && ratio <= high);
        t.true(Math.min(...ratios) <= low && high <= Math.max(...ratios));
      },
    ),
    { numRuns: 20 },
  );
});

test('one slow pair of twenty does not move the ratio', t => {
  const pairs = Array.from({ length: 20 }, (_, i) => ({ before: 1, after: i === 3 ? 9 : 1 }));
  t.is(compareInPairs(pairs).ratio, 1);
});

test('two checkouts run alternately, and each demo gets its lines', async t => {
  const { stdout } = await run('--dir', checkout, '--turns', '2', '--only', 'pingpong');
  t.regex(stdout, /pingpong: a warm round, median, us( +[\d.]+){5}\n/);
  t.regex(stdout, /pingpong: a warm round, mean, us( +[\d.]+){5}\n/);
  t.regex(stdout, /pingpong: the process, processor time, ms( +[\d.]+){5}\n/);
  t.regex(stdout, /pingpong: the process, ms( +[\d.]+){5}\n/);
});

for (const name of ['pingpong', 'exchange'])
  test(`the copy of varied ${name} for old commits has all its files below it`, t => {
    const dir = temporaryDirectory(t);
    copyVaried(`${varied}/${name}`, dir);
    const config = JSON.parse(readFileSync(join(dir, 'swingset.json'), 'utf8'));
    t.false('sourceRoots' in config);
    const parts = Object.values({ ...config.vats, ...config.bundles });
    t.true(parts.length >= 3);
    for (const { sourceSpec } of parts) {
      t.false(sourceSpec.startsWith('..'));
      t.true(existsSync(join(dir, sourceSpec)), sourceSpec);
    }
  });

for (const [args, said] of /** @type {const} */ ([
  [[], /it takes one commit, or --dir/],
  [['no-such-commit'], /cannot check out "no-such-commit": .*; name a commit/],
  [['HEAD', '--turns', 'a'], /--turns is "a"; it is a whole number from 2 on/],
  [['HEAD', '--turns', '1'], /--turns is "1"/],
  [
    ['HEAD', '--only', 'pong'],
    /--only "pong": it is one of start, pingpong, pingpong-varied, exchange, exchange-varied/,
  ],
  [['HEAD', '--dir', checkout], /it takes one commit, or --dir/],
])) {
  test(`${args.join(' ') || 'no argument'}: refused in one line`, async t => {
    const error = await t.throwsAsync(run(...args));
    const { code, stderr } = /** @type {{ code: number, stderr: string }} */ (
      /** @type {unknown} */ (error)
    );
    t.is(code, 2);
    t.regex(stderr, said);
    t.is(stderr.trim().split('\n').length, 1);
  });
}
