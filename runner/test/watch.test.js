// `--watch` runs again when a source changes, and only then.

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory, vat, writeFiles } from './run-cli.js';

test('a changed source starts a run, output of a run does not, and Ctrl-C ends it', async t => {
  const cwd = temporaryDirectory(t);
  const dir = writeFiles(join(cwd, 'mine'), { 'bootstrap.js': vat(`bootstrap: () => 'one'`) });
  const flags = ['--watch', '--memdb', '--no-graphs', '--no-stats', '--outdir', join(dir, 'out')];
  const report = join(dir, 'out', 'report.txt');
  const hasReport = (/** @type {string} */ text) =>
    fs.existsSync(report) && fs.readFileSync(report, 'utf8').includes(text);
  let isChanged = false;
  let isStopped = false;
  /** @param {import('node:child_process').ChildProcess} child @param {string} stderr */
  const onStderr = (child, stderr) => {
    if (!isChanged && /watching/.test(stderr) && /setup: /.test(stderr)) {
      isChanged = true;
      const timer = setInterval(() => {
        if (!hasReport(`bootstrap: 'one'`)) return;
        clearInterval(timer);
        fs.mkdirSync(join(dir, 'lib'));
        fs.writeFileSync(join(dir, 'lib', 'text.js'), `export const text = 'two';`);
        fs.writeFileSync(
          join(dir, 'bootstrap.js'),
          `import { text } from './lib/text.js';\n${vat('bootstrap: () => text')}`,
        );
      }, 50);
    }
    if (isStopped || !/running again[^]*setup: /.test(stderr)) return;
    isStopped = true;
    const timer = setInterval(() => {
      if (!hasReport(`bootstrap: 'two'`)) return;
      clearInterval(timer);
      child.kill('SIGINT');
    }, 50);
  };
  const { code, stderr } = await runCli(cwd, ['mine', ...flags], { onStderr });
  t.is(code, 130, stderr);
  t.regex(stderr, /watching .*mine; Ctrl-C ends/);
  t.regex(stderr, /(bootstrap\.js|lib.*) has changed; running again/);
  t.true((stderr.match(/running again/g) ?? []).length <= 2, stderr);
});

test('a run that a change has stopped gives way to the next, and a state from before is kept', async t => {
  const cwd = temporaryDirectory(t);
  const busy = (/** @type {number} */ n) =>
    vat(`bootstrap: () => ${n}, runBenchmarkRound: () => console.log('at work on ${n}')`);
  const dir = writeFiles(join(cwd, 'mine'), { 'bootstrap.js': busy(1) });
  const flags = ['--benchmark', '1000000', '--no-graphs'];
  let seen = 0;
  /** @param {import('node:child_process').ChildProcess} child @param {string} stdout */
  const onStdout = (child, stdout) => {
    if (!stdout.includes(`at work on ${seen + 1}`)) return;
    seen += 1;
    if (seen === 3) child.kill('SIGINT');
    else fs.writeFileSync(join(dir, 'bootstrap.js'), busy(seen + 1));
  };
  const watching = ['mine', '--watch', ...flags, '--vatlog', '-'];
  const { code, stderr } = await runCli(cwd, watching, { onStdout });
  t.is(code, 130, stderr);
  t.is(stderr.match(/running again/g)?.length, 2, stderr);
  t.notRegex(stderr, /discard it by --init/);

  // The state is of another command now.
  let refusals = 0;
  const refused = await runCli(cwd, ['mine', '--watch', ...flags], {
    onStderr: (child, text) => {
      const times = text.match(/discard it by --init/g)?.length ?? 0;
      if (times <= refusals) return;
      refusals = times;
      if (times === 2) child.kill('SIGINT');
      else fs.writeFileSync(join(dir, 'bootstrap.js'), busy(9));
    },
  });
  t.is(refused.code, 130, refused.stderr);
  t.is(refused.stderr.match(/discard it by --init/g)?.length, 2, refused.stderr);
});

test('a run of --watch ends with it when its terminal is closed', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(join(cwd, 'mine'), {
    'bootstrap.js': vat(`bootstrap() {}, runBenchmarkRound: () => console.log('at work')`),
  });
  const flags = ['--benchmark', '1000000', '--memdb', '--no-graphs', '--vatlog', '-'];
  let isSent = false;
  // The output is closed only when both processes have ended.
  const { code, stderr } = await runCli(cwd, ['mine', '--watch', ...flags], {
    onStdout(child, stdout) {
      if (isSent || !stdout.includes('at work')) return;
      isSent = true;
      child.kill('SIGHUP');
    },
  });
  t.is(code, 129, stderr);
});

test('--watch does not wait for changes if flags are wrong', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(join(cwd, 'x'), { 'bootstrap.js': vat('bootstrap: () => 1') });
  for (const [flags, says] of /** @type {[string[], RegExp][]} */ ([
    [['--json'], /--watch and --json exclude each other/],
    [['--memdb', '--resume'], /--memdb keeps no state that --resume could take up/],
    [['--dumptag', 'x'], /--dumptag says how dumps are written; give --dump too/],
  ])) {
    const { code, stderr } = await runCli(cwd, ['x', '--watch', ...flags]);
    t.is(code, 2);
    t.regex(stderr, says);
  }
});
