import test from 'ava';

import { loadConformance, loadPublished } from '../load.js';
import { compareReport } from '../report.js';

/** @typedef {import('../report.js').Expected} Expected */
/** @typedef {import('../report.js').Report} Report */

/**
 * The report of a run that met the expectation.
 *
 * @param {Expected} expected
 * @returns {Report}
 */
const toReport = ({ cranks, totalCranks, finishedCranks, counters, benchmark, bootstrapResult }) =>
  structuredClone({
    cranks,
    totalCranks: totalCranks ?? finishedCranks ?? cranks,
    counters: Object.fromEntries(
      Object.entries(counters).map(([name, { value, incs, decs, max }]) => [
        name,
        {
          value,
          ...(incs === undefined || incs === null ? {} : { up: incs }),
          ...(decs === undefined || decs === null ? {} : { down: decs }),
          ...(max === undefined || max === null ? {} : { max }),
        },
      ]),
    ),
    ...(benchmark ? { benchmark } : {}),
    ...(bootstrapResult === undefined ? {} : { bootstrapResult }),
  });

/** The published runs that were whole runs, named. */
const published = () => {
  const { demos, benchmarks } = loadPublished();
  return [
    ...demos.map(demo => ({ name: demo.command, expected: demo })),
    ...Object.entries(benchmarks).map(([name, { setup, benchmark, finishedCranks }]) => ({
      name,
      expected: { ...setup, benchmark, finishedCranks },
    })),
    ...loadConformance().map(program => ({ name: program.id, expected: program })),
  ];
};

/**
 * The path to each number and text in a value.
 *
 * @param {any} value
 * @param {string[]} [path]
 * @returns {string[][]}
 */
const leaves = (value, path = []) =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]))
    : [path];

test('a run that met its table differs in nothing, for every table there is', t => {
  for (const { name, expected } of published()) {
    t.deepEqual(compareReport(toReport(expected), expected), [], name);
  }
});

test('each single number or text changed is found and named', t => {
  for (const { name, expected } of published().filter((_, i) => i % 5 === 0)) {
    const paths = leaves(toReport(expected));
    t.true(paths.length > 40);
    for (const path of paths) {
      const report = toReport(expected);
      /** @type {any} */
      let holder = report;
      for (const key of path.slice(0, -1)) holder = holder[key];
      const last = /** @type {string} */ (path.at(-1));
      if (typeof holder[last] === 'number') holder[last] += 1;
      else holder[last] = 'fulfilled: {"body":"\\"changed\\"","slots":[]}';
      const differences = compareReport(report, expected);
      t.true(differences.length > 0, `${name}: ${path.join('.')}`);
      const subject = path[0] === 'counters' ? path[1] : path[0];
      t.true(
        differences.some(line => line.includes(subject)),
        differences.join('\n'),
      );
    }
  }
});

test('a missing counter, a surplus counter and a missing benchmark are differences', t => {
  const expected = { ...loadPublished().benchmarks.pingpong };
  const whole = { ...expected.setup, benchmark: expected.benchmark };
  const report = toReport(whole);
  delete report.counters.syscalls;
  report.counters.syscallResolve = { value: 3 };
  delete report.benchmark;
  t.deepEqual(compareReport(report, whole), [
    'syscalls: expected 17, got no such counter',
    'counters: not in the expected table: syscallResolve',
    'benchmark: expected 100 rounds, got none',
  ]);
});

test('a counter whose value is not up less down is a difference even where the table has blanks', t => {
  const [expected] = loadConformance();
  const report = toReport(expected);
  report.counters.runQueueLength.down = 4;
  t.deepEqual(compareReport(report, expected), ['runQueueLength: value 0 is not up 5 − down 4']);
});
