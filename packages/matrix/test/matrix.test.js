// The jobs, the published figures, and runs that fail. The commands are tested in runner/test/matrix.test.js.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import {
  demoJobs,
  formatTextTable,
  loadPublished,
  openFolder,
  runMatrix,
  snapshotJobs,
} from '../index.js';
import { drawOverlays, drawSparkline } from '../overlay.js';
import { formatMarkdownTable } from '../tables.js';

const root = path.join(import.meta.dirname, '../../..');
const reference = JSON.parse(
  fs.readFileSync(path.join(root, 'test/reference/swingset-2020-09-30.json'), 'utf8'),
);

test('the figures that are shown are those that were published', t => {
  const { demos, benchmarks } = loadPublished();
  t.deepEqual(
    demos.map(({ cranks, ns }) => ({ cranks, ns })),
    reference.demos.map((/** @type {any} */ { cranks, ns }) => ({ cranks, ns })),
  );
  t.deepEqual(Object.keys(benchmarks), Object.keys(reference.benchmarks).sort());
  for (const [name, { rounds, cranks, ns, perRound }] of Object.entries(benchmarks)) {
    const theirs = reference.benchmarks[name];
    t.deepEqual([rounds, cranks], [theirs.benchmark.rounds, theirs.benchmark.cranks]);
    t.is(ns, theirs.ns);
    t.like(theirs.benchmark.perRound, perRound);
  }
});

test('the matrix is the published one, and parts of it can be chosen', t => {
  const all = snapshotJobs();
  t.deepEqual(all.map(({ name }) => name).sort(), Object.keys(reference.benchmarks).sort());
  for (const { name, rounds, forceGc } of all) {
    t.is(rounds, reference.benchmarks[name].benchmark.rounds);
    t.is(forceGc, name.endsWith('gc'));
  }
  const names = (/** @type {Parameters<typeof snapshotJobs>[0]} */ selection) =>
    snapshotJobs(selection).map(({ name }) => name);
  t.deepEqual(names({ demos: ['swap'], forceGc: false }), ['swap', 'swap1k']);
  t.deepEqual(names({ rounds: [4_250] }), ['exchange4k', 'exchange4kgc']);
  t.deepEqual(snapshotJobs({ demos: ['exchange'] })[0].argv, ['--prime']);
});

test('runs with and without collections and the means of 2020 are on one scale, each with its name', t => {
  /** @param {string} name @param {boolean} forceGc */
  const row = (name, forceGc) =>
    /** @type {any} */ ({
      name,
      demo: 'ping<b>',
      rounds: 100,
      forceGc,
      published: { ns: 4e8, cranks: 1_000 },
    });
  const rows = [row('one', false), row('onegc', true), { ...row('once', false), rounds: 0 }];
  const curves = new Map([
    ['one', [20_000, 10_000, 10_000]],
    ['onegc', [2e6, 1e6]],
  ]);
  const [chart, ...more] = drawOverlays(rows, curves);
  t.deepEqual(more, []);
  t.false(chart.includes('<b>'));
  t.true(
    chart.includes(
      'medians: here 10 µs, 2020, mean 400 µs, here, forced collections 2 ms, 2020, mean, forced collections 400 µs',
    ),
  );
  const heights = [...chart.matchAll(/<path d="M64 ([\d.]+)L[^"]*" class="(?:ours|theirs)"/g)].map(
    ([, y]) => Number(y),
  );
  t.is(heights.length, 4);
  // A hundred times as long is two decades higher on a scale from 10 µs to 10 ms.
  const [one, theirs, gc] = heights;
  t.true(gc < theirs && theirs < one);
  const names = [...chart.matchAll(/<text x="508" y="([\d.]+)"/g)]
    .map(([, y]) => Number(y))
    .sort((a, b) => a - b);
  t.true(names.every((y, i) => i === 0 || y - names[i - 1] >= 15));
  t.regex(
    drawSparkline('one', [1, 2, 1]),
    /^<svg role="img" aria-label="one: time of a crank over the run, up to 2 ns"/,
  );
  t.is(drawSparkline('one', [1]), '');
});

test('demos run with the arguments with which they were published', t => {
  const [megaPong, timer] = demoJobs(['megaPong', 'timer', 'pingpong'], ['timer', 'megaPong']);
  t.deepEqual(megaPong.argv, ['20']);
  t.is(megaPong.published?.cranks, 55);
  t.deepEqual([timer.name, timer.argv, timer.published], ['timer', [], undefined]);
  const cases = demoJobs(['vatFailure']).map(({ name, argv }) => [name, ...argv]);
  t.deepEqual(cases, [['vatFailure'], ['vatFailure-bedynamic', '--bedynamic']]);
});

test('a failed run is reported with its last line, and the others run', async t => {
  const dir = temporaryDirectory(t);
  const demosDir = path.join(dir, 'demos');
  /** @param {string} name @param {string} body */
  const writeDemo = (name, body) => {
    fs.mkdirSync(path.join(demosDir, name), { recursive: true });
    const text = `import { Far } from '@endo/far';\nexport const buildRootObject = () => { ${body} };\n`;
    fs.writeFileSync(path.join(demosDir, name, 'bootstrap.js'), text);
  };
  writeDemo('bad', `throw Error('no such luck');`);
  writeDemo('good', `return Far('root', { bootstrap() {} });`);
  const jobs = demoJobs(['bad', 'good']);
  const folder = openFolder(path.join(dir, 'out'), {
    identity: { matrix: 'demos' },
    discards: false,
  });
  /** @type {string[]} */
  const told = [];
  const settings = {
    ...{ mainFile: path.join(root, 'runner/main.js'), demosDir },
    ...{ profile: 'current', blockSize: 1, durability: 'none' },
  };
  const { failed } = await runMatrix(jobs, {
    matter: { title: 'Two', kind: 'demos', jobs },
    settings,
    folder,
    signal: new AbortController().signal,
    events: {
      onProgress() {},
      onResult: ({ name }) => told.push(name),
      onFailure: ({ name }, message) => told.push(`${name}: ${message}`),
    },
  });
  t.is(failed, 1);
  t.regex(told[0], /^bad: vat bootstrap did not start: .*Error: no such luck/);
  t.is(told[1], 'good');
  t.regex(fs.readFileSync(folder.at('bad-benchmark.log'), 'utf8'), /no such luck/);
  t.is(folder.find('bad'), undefined);
  t.is(folder.find('good')?.setupCranks, 1);
  t.true(folder.readSummary().includes('1 of 2 runs; the others have not been run'));
});

test('tables stand in columns, as text and as Markdown', t => {
  const table = {
    title: 'Two',
    notes: ['A note.'],
    columns: [{ head: 'name', isText: true }, { head: 'n' }],
    rows: [
      ['a|b', '1'],
      ['c', '1,000'],
    ],
  };
  t.is(
    formatTextTable(table),
    'Two:\n\nname      n\n----  -----\na|b       1\nc     1,000\n\n  A note.\n\n',
  );
  t.is(
    formatMarkdownTable(table),
    '## Two\n\n| name |     n |\n| ---- | ----: |\n| a\\|b |     1 |\n| c    | 1,000 |\n\nA note.\n\n',
  );
});
