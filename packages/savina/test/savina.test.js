import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { formatSavina, measureSavina, programs, publishedRows, summarize } from '../index.js';
import { meanOf } from '../mean.js';
import { plainPrograms } from '../plain-node.js';
import { publishedNode } from '../published.js';

/** @type {import('../index.js').SavinaResult} */
const made = {
  suite: 'savina',
  machine: 'a machine',
  node: 'v20',
  commit: 'abc',
  noise: 'idle',
  plain: {},
  scale: 2,
  failed: [],
  rows: [
    {
      ...{ id: 'count', title: 'Counting Actor', group: 'micro', mode: 'library', threads: 1 },
      ...{ iterations: 4, ms: [9, 9, 100, 100], result: 'so many', peakMb: 60 },
      ...{ n: 2, median: 100, min: 100, max: 100, p25: 100, p75: 100, mean: 100, half: 0 },
    },
  ],
};

test('every program is a folder of demos/savina, and vice versa', t => {
  const folder = fileURLToPath(new URL('../../../demos/savina/', import.meta.url));
  const folders = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'common')
    .map(({ name }) => name);
  t.deepEqual(programs.map(({ id }) => id).sort(), folders.sort());
  for (const id of Object.keys(publishedRows)) t.true(folders.includes(id), id);
});

test('the hand-written programs count correctly, and each has its published figure', t => {
  t.deepEqual(Object.keys(plainPrograms), Object.keys(publishedNode));
  for (const [name, make] of Object.entries(plainPrograms)) {
    const program = make(1_000);
    program.run();
    t.is(program.answer(), 1_000, name);
  }
});

test('a peer counts as ahead or behind by its figure on this machine', t => {
  const leads = Object.fromEntries(summarize(made).map(({ peer, ...rest }) => [peer, rest]));
  // 199 ms there are 398 here, and we take 100.
  t.like(leads.lfCpp, { count: 1, mean: 3.98, behind: [] });
  const [row] = made.rows;
  const slow = summarize({ ...made, rows: [{ ...row, median: 500 }] });
  t.deepEqual(slow.find(({ peer }) => peer === 'lfCpp')?.behind, [
    { id: 'count', threads: 1, lead: 398 / 500 },
  ]);
});

test('the table names both machines, and failed programs', t => {
  const failed = [{ id: 'big', threads: 2, message: 'no more memory' }];
  const text = formatSavina({ ...made, failed });
  t.regex(text, /^Counting Actor +library +1 +100 +0.00 +100 +60 /m);
  // One iteration that counts has no interval; "± 0.00" would call it exact.
  const single = { ...made, rows: [{ ...made.rows[0], ...meanOf([100]) }] };
  t.regex(formatSavina(single), /^Counting Actor +library +1 +100 +– +100 +60 /m);
  t.regex(text, /Times in ms, of a machine; node v20, commit abc; idle\./);
  t.regex(text, /a shared virtual machine with 2 x86-64 cores/);
  t.regex(text, /^big \(2\) failed: no more memory$/m);
  t.regex(formatSavina(made, 'markdown'), /^\| Counting Actor \| library \| +1 \|/m);
});

for (const mode of /** @type {const} */ (['library', 'vat', 'vats'])) {
  test.serial(
    `a program is measured in mode ${mode}, with other parameters than the demo's`,
    async t => {
      const { rows, failed } = await measureSavina({
        ...{ only: ['threadring'], mode, iterations: 4 },
        parameters: { hops: 503, members: 20 },
      });
      t.deepEqual(failed, []);
      t.is(rows.length, 1);
      const [{ n, ms, result }] = rows;
      t.is(n, 2);
      t.is(ms.length, 4);
      t.is(result, '503 hops, the last one to member 3');
    },
  );
}

test.serial('a program that fails is reported, and the others are measured', async t => {
  const { rows, failed } = await measureSavina({
    ...{ only: ['threadring', 'fib'], iterations: 3 },
    parameters: { hops: 10 },
  });
  t.deepEqual(
    rows.map(({ id }) => id),
    ['threadring'],
  );
  t.deepEqual(failed, [
    {
      id: 'fib',
      threads: 1,
      message: 'there is no parameter "hops"; there are n',
    },
  ]);
});

test('each program refuses impossible sizes by their names', async t => {
  /** @param {string} id @returns {Promise<{ defaults: Record<string, unknown>, makeMain: (given: object) => unknown, buildReactor: (powers: object, given: object) => unknown }>} */
  const load = id => import(`../../../demos/savina/${id}/${id}.js`);
  for (const { id } of programs) {
    const { defaults, makeMain } = await load(id);
    for (const [name, value] of Object.entries(defaults)) {
      if (typeof value !== 'number') continue;
      for (const wrong of [NaN, Infinity, '3', null, 1e12, 7n])
        t.throws(
          () => makeMain({ [name]: wrong }),
          { message: RegExp(`^parameter "${name}" is a(?: whole)? number`) },
          `${id} ${name} ${wrong}`,
        );
    }
  }
  /** @type {[id: string, given: Record<string, number>, says: RegExp][]} */
  const impossible = [
    ['sieve', { limit: 2 }, /^parameter "limit" is a whole number from 3 to 2147483647, got 2$/],
    ['filterbank', { columns: 1 }, /^parameter "columns" is a whole number from 2 /],
    ['chameneos', { chameneos: 1 }, /^parameter "chameneos" is a whole number from 2 /],
    ['apsp', { nodes: 301 }, /^"nodes" \(301\) is a multiple of "size" \(50\)$/],
    ['bitonicsort', { values: 6 }, /^"values" is a power of two, got 6$/],
    ['trapezoid', { pieces: 50 }, /^"pieces" \(50\) are at least as many as "workers" \(100\)$/],
    ['logmap', { increment: 1 }, /^the rates go from 3\.46 to 13\.46; give ones from 0 to 4$/],
    ['apsp', { nodes: 10_000, size: 5 }, /^"nodes" \(10000\) is at most 1000 times "size" \(5\)$/],
    ['recmatmul', { n: 200, threshold: 16 }, /^"n" \(200\), halved until .* is a whole number$/],
    ['fjcreate', { shares: 2 }, /^parameter "shares" is one of a part, and this is the whole /],
    ['pingpong', { iterations: 0 }, /^parameter "iterations" is a whole number from 1 /],
  ];
  /** @type {[id: string, given: Record<string, unknown>, says: RegExp][]} */
  const impossibleParts = [
    [
      'fjcreate',
      { part: 'producer', workers: 400, shares: 3 },
      /^"workers" \(400\) is a multiple /,
    ],
    ['fib', { part: 'branch', n: 5, before: 5 }, /^"before" \(5\) is less than "n" \(5\)$/],
    [
      'bitonicsort',
      { part: 'sorter', half: 'left' },
      /^parameter "half" is one of up, down, got "le/,
    ],
    ['apsp', { part: 'row', isApart: 1 }, /^parameter "isApart" is one of false, true, got 1$/],
    [
      'apsp',
      { part: 'row', slice: 2, of: 2 },
      /^parameter "slice" is a whole number from 0 to 1, /,
    ],
    ['apsp', { part: 'row' }, /^parameter "of" is a whole number from 1 /],
  ];
  for (const [id, given, says] of impossibleParts) {
    const { buildReactor } = await load(id);
    t.throws(() => buildReactor({}, given), { message: says });
  }
  for (const [id, given, says] of impossible) {
    const { makeMain } = await load(id);
    t.throws(() => makeMain(given), { message: says });
  }
});
