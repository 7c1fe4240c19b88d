// The flag --workers.

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openPack } from '#packed';
import { runCli, temporaryDirectory } from './run-cli.js';

test('a run on threads has the same hash, and the report has a line for each thread', async t => {
  const cwd = temporaryDirectory(t);
  const args = ['demos/pingpong', '--benchmark', '3', '--memdb', '--no-graphs'];
  const alone = await runCli(cwd, args);
  const beside = await runCli(cwd, [...args, '--workers', '2']);
  t.is(beside.code, 0, beside.stderr);
  const hashOf = (/** @type {string} */ text) => /activity hash: (\w{64})/.exec(text)?.[1];
  t.is(typeof hashOf(alone.stdout), 'string');
  t.is(hashOf(beside.stdout), hashOf(alone.stdout));
  const lines = beside.stdout.split('\n').filter(line => line.startsWith('worker '));
  t.is(lines.length, 2);
  for (const line of lines)
    t.regex(
      line,
      /^worker \d: \d vats?, \d+ cranks in \d+ batches, busy [\d.]+ \S+, waiting [\d.]+ \S+$/,
    );
  t.regex(
    beside.stdout,
    /^(gained about \S+ \S+|nothing gained, about \S+ \S+ lost): workers were busy \S+ \S+, the kernel waited for them \S+ \S+$/m,
  );
  t.false(alone.stdout.includes('worker '));
  t.false(alone.stdout.includes('gained'));
  const report = JSON.parse(
    fs.readFileSync(join(cwd, 'swingset-out', 'pingpong', 'report.json'), 'utf8'),
  );
  t.is(report.workers.length, 2);
  t.true(report.workersWaitNs > 0);
});

test('compiled code is kept of the modules that are loaded behind the start of threads', async t => {
  const cwd = temporaryDirectory(t);
  const cache = join(cwd, 'cache');
  const run = async () => {
    const args = ['demos/justReply', '--memdb', '--no-graphs', '--workers', '1'];
    const { code, stderr } = await runCli(cwd, args, {
      shell: [`export XDG_CACHE_HOME='${cache}'`],
    });
    t.is(code, 0, stderr);
    const files = fs.readdirSync(join(cache, 'swingset-runner/node'));
    const packed = files.filter(name => name.startsWith('packed-'));
    return packed;
  };
  const kept = await run();
  const digests = kept.map(name => name.split('-').at(-1));
  const isPacked = openPack('command', undefined) !== undefined;
  // The command's under the flags before and behind it, and the thread's.
  t.is(kept.length, isPacked ? 3 : 0, kept.join());
  t.is(new Set(digests).size, isPacked ? 2 : 0);
  t.deepEqual(await run(), kept);
});

test('a wrong number of threads is reported in one line', async t => {
  const cwd = temporaryDirectory(t);
  for (const wrong of ['-1', 'a', '65', '1.5', '0x2']) {
    const { code, stderr } = await runCli(cwd, [
      'demos/justReply',
      `--workers=${wrong}`,
      '--memdb',
    ]);
    t.is(code, 2);
    t.is(
      stderr,
      `swingset-runner: --workers must be "auto" or a whole number from 0 to 64, got "${wrong}"\n`,
    );
  }
});
