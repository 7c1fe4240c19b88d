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

test('--watch and --json exclude each other', async t => {
  const { code, stderr } = await runCli(temporaryDirectory(t), ['x', '--watch', '--json']);
  t.is(code, 2);
  t.regex(stderr, /--watch and --json exclude each other/);
});
