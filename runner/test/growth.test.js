// `report --growth` for a stats file, a database, a folder with both.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory, writeFiles } from './run-cli.js';

/** A vat that gets an object in each round and keeps it. */
const leaky = {
  'bootstrap.js': `import { E, Far } from '@endo/far';
let keeper;
export const buildRootObject = () =>
  Far('root', {
    bootstrap(vats) { keeper = vats.keeper; },
    runBenchmarkRound() { return E(keeper).keep(Far('parcel', {})); },
  });
`,
  'vat-keeper.js': `import { Far } from '@endo/far';
const kept = [];
export const buildRootObject = () => Far('root', { keep(it) { kept.push(it); } });
`,
};

test('growing counters are marked, and the vat that holds the objects is named', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'leaky'), leaky);
  const ran = await runCli(cwd, ['leaky', '--benchmark', '60', '--no-graphs', '--forcegc']);
  t.is(ran.code, 0, ran.stderr);
  const both = await runCli(cwd, ['report', '--growth', 'swingset-out/leaky']);
  t.is(both.code, 0, both.stderr);
  t.regex(both.stdout, /^fitted from round \d+ to 60, without the first tenth, in 40 stretches$/m);
  t.regex(both.stdout, /^kernelObjects +grows +6\d +1 +1 +1 /m);
  t.regex(both.stdout, /^clistEntries +grows +\d+ +2 +2 +2 /m);
  t.regex(both.stdout, /^syscalls +[\d.]+ +0 /m);
  t.regex(both.stdout, /Vats were not asked for their dead references .*: nothing was collected/);
  t.regex(both.stdout, /^keeper +bootstrap +parcel +60 +ko\d+ +ko\d+ +\d+$/m);

  const json = await runCli(cwd, ['report', 'swingset-out/leaky', '--growth', '--json']);
  const { growth, retention } = JSON.parse(json.stdout);
  t.is(growth.per, 'round');
  t.like(
    growth.trends.find((/** @type {any} */ { name }) => name === 'kernelObjects'),
    { kind: 'held', slope: 1, verdict: 'grows' },
  );
  t.is(retention.groups[0].iface, 'parcel');

  const database = await runCli(cwd, ['report', '--growth', 'swingset-out/leaky/state']);
  t.true(both.stdout.endsWith(database.stdout.slice(database.stdout.indexOf('C-lists'))));
  const file = 'swingset-out/leaky/stats-leaky.tsv';
  const alone = await runCli(cwd, ['report', '--growth', file]);
  t.true(both.stdout.startsWith(alone.stdout));
  // Without the report beside the file, the fit is against blocks.
  fs.rmSync(path.join(cwd, 'swingset-out/leaky/report.json'));
  t.regex((await runCli(cwd, ['report', '--growth', file])).stdout, /^fitted from block /m);
});

test('a pipe or a device in place of the report beside a stats file is not read', async t => {
  const cwd = temporaryDirectory(t);
  const rows = Array.from({ length: 60 }, (_, i) => `${i + 1}\t7\t5\n`);
  fs.writeFileSync(path.join(cwd, 'stats-a.tsv'), `block\tsteps\tdisk\n${rows.join('')}`);
  const report = path.join(cwd, 'report.json');
  for (const make of [
    () => fs.symlinkSync('/dev/zero', report),
    () => spawnSync('mkfifo', [report]),
  ]) {
    fs.rmSync(report, { force: true });
    make();
    const growth = await runCli(cwd, ['report', '--growth', 'stats-a.tsv']);
    t.is(growth.code, 0, growth.stderr);
    const graph = await runCli(cwd, ['graph', 'disk', 'stats-a.tsv', '-o', 'it.vl.json']);
    t.is(graph.code, 0, graph.stderr);
  }
});

test('a file that is too large for a report is refused in one line', async t => {
  const cwd = temporaryDirectory(t);
  const file = path.join(cwd, 'large.json');
  fs.writeFileSync(file, '');
  fs.truncateSync(file, 600_000_000);
  const { code, stderr } = await runCli(cwd, ['report', 'large.json']);
  t.is(code, 2);
  t.regex(
    stderr,
    /^swingset-runner: "large\.json" has 600000000 bytes, too many for a report; .*\n$/,
  );
});

test('a file that cannot be judged is refused in one line', async t => {
  const cwd = temporaryDirectory(t);
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    fs.writeFileSync(path.join(cwd, name), text);
  };
  write('short.tsv', 'block\tsteps\tdisk\n1\t7\t5\n2\t7\t5\n');
  write('wrong.tsv', 'time\tsteps\n1\t7\n');
  write('bare.tsv', 'block\tdisk\n1\t7\n');
  write('empty/readme', '');
  write('two/stats-a', '');
  write('two/stats-b', '');
  write('no database/data.mdb', 'x');
  /** @type {[string[], RegExp][]} */
  const wrong = [
    [[], /report needs a JSON report, .* with --growth, a stats file or a database/],
    [['nothing'], /there is no "nothing"; name a stats file, a database, or a directory/],
    [['short.tsv'], /short\.tsv: its 2 blocks are too few to tell what grows; run more rounds/],
    [['wrong.tsv'], /wrong\.tsv: line 1 begins with "time"; a stats file begins with/],
    [['bare.tsv'], /bare\.tsv: has no column "steps"/],
    [['empty'], /"empty" has neither a stats file nor a database/],
    [['two'], /"two" has 2 stats files; name one of them, for example "two\/stats-a"/],
    [['no database'], /no database/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await runCli(cwd, ['report', '--growth', ...args]);
    t.regex(stderr, message);
    t.is(stderr.trimEnd().split('\n').length, 1, stderr);
    t.true(code === 2 || code === 1, stderr);
    t.is(stdout, '');
  }
});
