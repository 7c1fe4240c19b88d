// `report --parallelism` for a slog and for a folder with one.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory, vat, writeFiles } from './run-cli.js';

/** Bootstrap sends one message to a hub, which sends one to each of four vats. */
const star = {
  'bootstrap.js': vat(`bootstrap({ hub, a, b, c, d }) { E.sendOnly(hub).go([a, b, c, d]); },`),
  'vat-hub.js': vat(`go(others) { for (const other of others) E.sendOnly(other).work(); },`),
  ...Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`vat-${name}.js`, vat('work() {},')])),
};

test('the possible gain of threads is computed, and printed as text and as JSON', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'star'), star);
  const out = 'swingset-out/star';
  fs.mkdirSync(path.join(cwd, out), { recursive: true });
  const ran = await runCli(cwd, ['star', '--memdb', '--no-graphs', '--slog', 'run.slog']);
  t.is(ran.code, 0, ran.stderr);
  const json = await runCli(cwd, ['report', 'run.slog', '--parallelism', '--json']);
  t.is(json.code, 0, json.stderr);
  const found = JSON.parse(json.stdout);
  t.is(found.file, 'run.slog');
  const lines = fs
    .readFileSync(path.join(cwd, 'run.slog'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  const cranks = lines.filter(({ delivery }) => delivery !== undefined);
  t.is(found.cranks, cranks.length);
  const starts = cranks.filter(({ kind }) => kind === 'start').length;
  t.is(starts, 6);
  // Starts and bootstrap; the hub; four vats and bootstrap's answer; the hub's four answers.
  t.is(found.cranks, 6 + 1 + 1 + (4 + 1) + 4);
  t.is(found.tags, 4);
  t.is(found.cranksPerTag.max, 7);
  t.is(found.waits.device, 0, 'bootstrap has devices, and calls none');
  t.is(found.waits.vat, 1 + 3, 'bootstrap after its start, answers to the hub but the first');
  t.deepEqual(
    found.threads.map((/** @type {{ threads: number | null }} */ row) => row.threads),
    [1, 2, 4, 8, null],
  );
  t.is(found.threads[0].cranks, found.cranks);
  t.is(found.span.cranks, found.threads[4].cranks);
  // All starts at once, then bootstrap; the hub; the four and bootstrap at once; the hub's four.
  t.is(found.span.cranks, 2 + 1 + 1 + 4);

  const text = await runCli(cwd, ['report', 'run.slog', '--parallelism']);
  t.is(text.code, 0, text.stderr);
  t.true(text.stdout.startsWith(`run.slog: ${found.cranks} cranks in 6 vats at 4 tags\n`));
  t.regex(text.stdout, /^as many as could run +8 +\d+\.\d\d /m);
  t.regex(text.stdout, /^a crank of its vat +4 /m);

  // A folder is searched for a slog.
  fs.renameSync(path.join(cwd, 'run.slog'), path.join(cwd, out, 'run.slog'));
  const ofFolder = await runCli(cwd, ['report', 'star', '--parallelism']);
  t.is(ofFolder.stdout, text.stdout.replace('run.slog', `${out}/run.slog`));
});

test('the gain of a run on threads comes from its report', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'star'), star);
  const out = 'swingset-out/star';
  fs.mkdirSync(path.join(cwd, out), { recursive: true });
  const flags = ['--memdb', '--no-graphs', '--workers', '2', '--slog', `${out}/run.slog`];
  const ran = await runCli(cwd, ['star', ...flags]);
  t.is(ran.code, 0, ran.stderr);
  const json = await runCli(cwd, ['report', 'star', '--parallelism', '--json']);
  t.is(json.code, 0, json.stderr);
  const { gained } = JSON.parse(json.stdout);
  t.is(gained.report, `${out}/report.json`);
  t.deepEqual(
    gained.workers.map((/** @type {{ number: number }} */ { number }) => number),
    [1, 2],
  );
  t.true(gained.workers.every((/** @type {{ busyNs: number }} */ { busyNs }) => busyNs > 0));
  t.true(gained.workersWaitNs > 0);
  const text = await runCli(cwd, ['report', 'star', '--parallelism']);
  const [, table = ''] = text.stdout.split(`What threads gained (${out}/report.json):\n`);
  t.regex(
    table,
    /^worker +vats +cranks +batches +busy +waiting\n[- ]+\n +1 +2 +\d+ .*\n +2 +2 +\d+ /m,
  );
  t.regex(
    table,
    /^ +(gained about|nothing gained, about) .*workers were busy .*, the kernel waited/m,
  );
});

test('without a slog, a line says how to write one', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'out'), { 'report.json': '{}' });
  const none = await runCli(cwd, ['report', 'out', '--parallelism']);
  t.is(none.code, 2);
  t.is(
    none.stderr.trimEnd(),
    'swingset-runner: "out" has no file NAME.slog; write one with --slog FILE, and name it here',
  );
  const absent = await runCli(cwd, ['report', 'nowhere', '--parallelism']);
  t.is(absent.code, 2);
  t.regex(absent.stderr, /there is no "nowhere"; name a file that --slog has written/);
  writeFiles(path.join(cwd, 'out'), { 'a.slog': '', 'b.slog': '' });
  const two = await runCli(cwd, ['report', 'out', '--parallelism']);
  t.regex(two.stderr, /"out" has 2 slogs; name one of them, for example "out\/a\.slog"/);
  const both = await runCli(cwd, ['report', 'out', '--parallelism', '--growth']);
  t.is(both.code, 2);
  t.regex(both.stderr, /report takes one of --growth and --parallelism, not both/);
});
