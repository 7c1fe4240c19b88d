// `--json` of each command: one value of JSON, alone on standard output; `--quiet`; colours.

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { hasColors, makePaint, paintReport } from '../color.js';
import { demosDir, runCli, temporaryDirectory } from './run-cli.js';

/** @import { ExecutionContext } from 'ava' */

/** @param {ExecutionContext} t @param {string} cwd @param {string[]} args @param {number} [code] */
const ask = async (t, cwd, args, code = 0) => {
  const ran = await runCli(cwd, [...args, '--json']);
  t.is(ran.code, code, `${args.join(' ')}: ${ran.stderr}`);
  t.notThrows(() => JSON.parse(ran.stdout), `${args.join(' ')}: ${ran.stdout}`);
  return JSON.parse(ran.stdout);
};

test('every command prints its result as one value of JSON', async t => {
  const cwd = temporaryDirectory(t);
  const demo = join(demosDir, 'pingpong');
  const run = await ask(t, cwd, [
    demo,
    '--benchmark',
    '3',
    '--no-graphs',
    '--slog',
    'a.slog',
    '--verbose',
  ]);
  t.like(run, { outcome: 'finished', exitCode: 0, problems: [], isQuiet: true });
  t.is(run.report.activityHash, run.activityHash);
  t.true(run.files.includes('report.json'));
  const out = join('swingset-out', 'pingpong');

  const step = await ask(t, cwd, ['step', demo, '--quiet']);
  t.like(step, { ran: 0, activityHash: run.activityHash });
  const dump = await ask(t, cwd, ['dump', out]);
  t.is(dump.cranks.all, run.cranks);
  t.true(dump.vats.some((/** @type {any} */ { name }) => name === 'bob'));
  t.true(dump.clists.v1.length > 0 && dump.objects.length > 0);
  t.like(await ask(t, cwd, ['audit', out]), { cranks: run.cranks, differences: [] });
  t.like(await ask(t, cwd, ['replay', out]), { activityHash: run.activityHash, difference: null });
  const exported = await ask(t, cwd, ['export', 'p.state', out]);
  t.like(exported, { file: 'p.state', cranks: run.cranks, activityHash: run.activityHash });
  t.like(await ask(t, cwd, ['import', 'p.state', 'elsewhere']), { cranks: run.cranks });
  t.is((await ask(t, cwd, ['report', out])).activityHash, run.activityHash);
  t.like(await ask(t, cwd, ['compare', out, out]), { kind: 'state', difference: null });
  const stats = join(out, 'stats-pingpong.tsv');
  const figures = await ask(t, cwd, ['compare', stats, stats, '--threshold', '0']);
  t.like(figures, { kind: 'stats', counters: [], failed: [] });
  const slog = await ask(t, cwd, ['slog', 'a.slog', '--method', 'ping', '--cranks', '10-']);
  t.true(slog.cranks.length > 0);
  t.true(slog.cranks.every((/** @type {any} */ { crankNum }) => crankNum >= 10));
  t.like(await ask(t, cwd, ['init', 'mine']), {
    template: 'vats',
    next: ['cd mine', 'npm install', 'npm start'],
  });
  t.like(await ask(t, cwd, ['graph', 'time', stats, '-o', 'x.vl.json']), { out: 'x.vl.json' });
});

test('a failure is printed as JSON', async t => {
  const cwd = temporaryDirectory(t);
  const told = await ask(t, cwd, ['audit', 'nothing'], 2);
  t.is(told.error.exitCode, 2);
  t.regex(told.error.message, /nothing/);
  t.regex((await ask(t, cwd, ['--nosuch'], 2)).error.message, /there is no flag --nosuch/);
  fs.mkdirSync(join(cwd, 'bad'));
  fs.writeFileSync(
    join(cwd, 'bad', 'bootstrap.js'),
    `import { Far } from '@endo/far';
     export const buildRootObject = () => Far('r', { bootstrap: () => new Promise(() => {}) });`,
  );
  const pending = await ask(t, cwd, ['bad', '--memdb', '--no-graphs'], 1);
  t.is(pending.exitCode, 1);
  t.regex(pending.problems.join(), /bootstrap\(\) never settles/);
  const both = await runCli(cwd, ['bad', '--json', '--statsfile', '-']);
  t.is(both.code, 2);
  t.regex(both.stderr, /--json and --statsfile - exclude each other/);
});

test('--quiet prints nothing unless there is a problem', async t => {
  const cwd = temporaryDirectory(t);
  const demo = join(demosDir, 'justReply');
  const fine = await runCli(cwd, [demo, '--memdb', '--no-graphs', '--quiet']);
  t.deepEqual([fine.code, fine.stdout, fine.stderr], [0, '', '']);
  const hash = await runCli(cwd, [demo, '--memdb', '--no-graphs', '--quiet', '--activityhash']);
  t.regex(hash.stdout, /^activity hash: [0-9a-f]{64}\n$/);
  const wrong = await runCli(cwd, ['nothing', '--quiet']);
  t.regex(wrong.stderr, /^swingset-runner: there is no directory and no command "nothing"/);
});

test('only terminals get colours, unless the environment overrides it', t => {
  const terminal = { isTTY: true };
  t.true(hasColors(terminal, {}));
  t.false(hasColors({}, {}));
  t.false(hasColors(terminal, { NO_COLOR: '1' }));
  t.true(hasColors(terminal, { NO_COLOR: '' }));
  t.false(hasColors(terminal, { TERM: 'dumb' }));
  t.true(hasColors({}, { FORCE_COLOR: '1', NO_COLOR: '1' }));
  t.false(hasColors(terminal, { FORCE_COLOR: '0' }));
  t.is(makePaint({}, {})('red', 'x'), 'x');
  t.is(makePaint(terminal, {})('red', 'x'), '\u001b[31mx\u001b[39m');
});

test('heads of tables and results of a report have colours', t => {
  const paint = (/** @type {unknown} */ format, /** @type {string} */ text) => `<${format}>${text}`;
  const text =
    'Stat  Value\n----  -----\nx         1\nrounds: 2 fulfilled, 1 rejected\nbootstrap: 5\n';
  t.is(
    paintReport(text, paint),
    '<bold>Stat  Value\n<dim>----  -----\nx         1\n<red>rounds: 2 fulfilled, 1 rejected\n<green>bootstrap: 5\n',
  );
});
