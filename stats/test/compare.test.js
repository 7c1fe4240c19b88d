import test from 'ava';
import { compareBench, compareStats, findRegressions, isBenchRow } from '../compare.js';

/**
 * @param {Record<string, number[]>} columns
 * @returns {import('../read.js').StatsData}
 */
const stats = columns => ({
  file: 'x.tsv',
  label: 'x',
  columns: Object.keys(columns),
  rows: Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]),
  ),
  length: Object.values(columns)[0].length,
});

/** @param {number} ns @param {object} [more] */
const run = (ns, more = {}) =>
  stats({
    block: [1, 2, 3, 4, 5, 6, 7, 8],
    steps: [7, 7, 7, 7, 7, 7, 7, 7],
    btime: [0, 1, 2, 3, 4, 5, 6, 7].map(i => 7 * (ns + i)),
    rss: [5, 5, 5, 5, 5, 5, 5, 5],
    syscalls: [1, 2, 3, 4, 5, 6, 7, 8],
    ...more,
  });

/** @param {ReturnType<typeof compareStats>} comparison @param {string} name */
const figure = ({ figures }, name) => figures.find(each => each.name === name);

test('a run that takes longer is worse, and one like the other is the same', t => {
  const comparison = compareStats(run(1000), run(1200));
  const time = figure(comparison, 'time a crank');
  t.is(time?.verdict, 'worse');
  t.is(time?.left.median, 1003.5);
  t.is(time?.change.toFixed(3), '0.199');
  t.true(Number(time?.p) < 0.01);
  t.is(figure(comparison, 'rss')?.verdict, 'same');
  t.is(figure(compareStats(run(1200), run(1000)), 'time a crank')?.verdict, 'better');
  t.is(figure(compareStats(run(1000), run(1000)), 'time a crank')?.verdict, 'same');
});

test('only figures that are significantly worse exceed a threshold', t => {
  const comparison = compareStats(run(1000), run(1200));
  t.deepEqual(
    findRegressions(comparison, 0.1).map(({ name }) => name),
    ['time a crank'],
  );
  t.deepEqual(findRegressions(comparison, 0.25), []);
  t.deepEqual(findRegressions(compareStats(run(1200), run(1000)), 0), []);
  const single = { block: [1], steps: [7], btime: [70] };
  const slower = { ...single, btime: [700] };
  const untested = compareStats(stats(single), stats(slower));
  t.is(untested.figures[0].verdict, 'untested');
  t.deepEqual(findRegressions(untested, 0), [], 'one value says nothing of chance');
});

test('blocks of different size are compared per crank', t => {
  const small = run(1000);
  const large = stats({
    block: [1, 2, 3, 4, 5, 6],
    steps: [70, 70, 70, 70, 70, 70],
    btime: [0, 1, 2, 3, 4, 5].map(i => 70 * (1000 + i)),
  });
  t.is(figure(compareStats(small, large), 'time a crank')?.verdict, 'same');
});

test('counters are exact: those that differ at the end are named, and columns of one alone', t => {
  const { counters, onlyLeft, onlyRight } = compareStats(
    run(1000, { messages: [0, 0, 0, 0, 0, 0, 0, 1] }),
    run(1000, { syscalls: [1, 2, 3, 4, 5, 6, 7, 9], kernelObjects: [1, 1, 1, 1, 1, 1, 1, 1] }),
  );
  t.deepEqual(counters, [{ name: 'syscalls', left: 8, right: 9 }]);
  t.deepEqual([onlyLeft, onlyRight], [['messages'], ['kernelObjects']]);
});

test('a file without the cranks of its blocks is refused by name', t => {
  const without = stats({ block: [1, 2], btime: [70, 80] });
  for (const pair of /** @type {const} */ ([
    [without, run(1000)],
    [run(1000), without],
  ]))
    t.throws(() => compareStats(...pair), {
      message: 'x.tsv: has no column "steps"; run again with --logtimes',
    });
});

/** @param {number} median @param {object} [more] */
const row = (median, more = {}) => ({
  ...{ suite: 's', name: 'a round', unit: 'us', n: 20, median },
  ...{ p25: median * 0.98, p75: median * 1.02, ...more },
});

test('benchmarks are matched by suite, name and unit; a higher rate is better', t => {
  const rate = { name: 'calls', unit: 'calls/s' };
  const { figures, onlyLeft, onlyRight } = compareBench(
    [row(10), row(100, rate), row(5, { name: 'gone' })],
    [row(12), row(120, rate), row(5, { name: 'gone', unit: 'ms' })],
  );
  t.deepEqual(
    figures.map(({ name, verdict }) => [name, verdict]),
    [
      ['s: a round', 'worse'],
      ['s: calls', 'better'],
    ],
  );
  t.deepEqual([onlyLeft, onlyRight], [['s: gone'], ['s: gone']]);
  const slower = compareBench([row(120, rate)], [row(100, rate)]);
  t.deepEqual(
    findRegressions(slower, 0.1).map(({ name }) => name),
    ['s: calls'],
  );
  t.deepEqual(findRegressions(slower, 0.2), []);
});

test('an insignificant change counts as no change, however large', t => {
  const wide = (/** @type {number} */ median) => row(median, { n: 3, p25: 1, p75: 30 });
  t.is(compareBench([wide(10)], [wide(14)]).figures[0].verdict, 'same');
  t.is(compareBench([row(10, { n: 1 })], [row(20, { n: 1 })]).figures[0].verdict, 'untested');
});

test('a row of a benchmark needs all compared fields', t => {
  t.true(isBenchRow(row(1)));
  for (const wrong of [null, 1, {}, { ...row(1), median: 'x' }, { ...row(1), p25: NaN }])
    t.false(isBenchRow(wrong));
});
