// The command reports files that cannot be used: databases, statistics.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { openLmdbStore } from '#host';
import { runCli, temporaryDirectory, writeFiles } from '../runner/test/run-cli.js';
import { quiet, pingpong, isOneLine } from './bad-input.js';

test('a database of another version, in use, or damaged stays as it is', async t => {
  const cwd = temporaryDirectory(t);
  const dir = path.join(cwd, 'db');
  const args = [pingpong, '--dbdir', 'db', '--resume', ...quiet];
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  store.commit({ puts: new Map([['schema', '99']]) });
  const inUse = await runCli(cwd, args);
  t.regex(inUse.stderr, new RegExp(`db: the database is in use by process ${process.pid}; wait`));
  t.true(isOneLine(inUse.stderr), inUse.stderr);
  t.is(inUse.code, 2);
  t.notRegex(inUse.stderr, /--init/, 'that would not help');
  await store.close();

  const before = fs.readFileSync(path.join(dir, 'data.mdb'));
  const other = await runCli(cwd, args);
  t.regex(
    other.stderr,
    /db: the database has schema version 99, this program reads version \d+; .*--init/,
  );
  t.true(isOneLine(other.stderr), other.stderr);
  t.is(other.code, 2);
  t.deepEqual(fs.readFileSync(path.join(dir, 'data.mdb')), before);

  fs.writeFileSync(path.join(dir, 'data.mdb'), 'no database');
  const damaged = await runCli(cwd, args);
  t.regex(damaged.stderr, /data\.mdb is not a database.*--init/);
  t.true(isOneLine(damaged.stderr), damaged.stderr);
  t.is(damaged.code, 2);
});

test('an error for missing columns in a stats file names the flags that record them', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(cwd, {
    'short.tsv': 'block\tsteps\n1\t2\n',
    'broken.tsv': 'block\tsteps\tbtime\tctime\n1\t2\n',
    'words.tsv': 'block\tsteps\tbtime\tctime\n1\t2\tlong\t3\n',
  });
  /** @type {[string, RegExp][]} */
  const files = [
    ['short.tsv', /short\.tsv: has no column "btime", "ctime"; run again with --logtimes/],
    ['broken.tsv', /broken\.tsv: line 2 has 2 of the 4 cells/],
    ['words.tsv', /words\.tsv: line 2, column "btime": "long" is not a number/],
  ];
  for (const [file, says] of files) {
    const { code, stderr } = await runCli(cwd, ['graph', 'time', file, '-o', 'x.png']);
    t.regex(stderr, says);
    t.true(isOneLine(stderr), stderr);
    t.is(code, 2);
  }
  const report = await runCli(cwd, ['report', 'short.tsv']);
  t.regex(report.stderr, /is a stats file: draw it with graph/);
});

const limitsFiles = process.platform !== 'win32';

(limitsFiles ? test : test.skip)(
  'a full disk ends the run at a committed block, from which it goes on',
  async t => {
    const cwd = temporaryDirectory(t);
    const args = [pingpong, '--durability', 'none', ...quiet];
    // A limit on the size of files stands for the disk's.
    const full = await runCli(cwd, [...args, '--benchmark', '20000'], {
      shell: ['trap', "''", 'XFSZ', ';', 'ulimit', '-f', '1500'],
    });
    t.is(full.code, 1);
    t.regex(
      full.stderr,
      /state: .*(disk is full|size limit).*last committed block is safe: .*resume/m,
    );
    const kept = await runCli(cwd, args);
    const done = Number(/has done (\d+) of 20000 rounds/.exec(kept.stderr)?.[1]);
    t.true(done > 0, kept.stderr);
    const rounds = ['--benchmark', String(done + 3)];
    const resumed = await runCli(cwd, [...args, '--resume', ...rounds]);
    t.is(resumed.code, 0, resumed.stderr);
    const reportOf = () => {
      const text = fs.readFileSync(path.join(cwd, 'swingset-out/pingpong/report.json'), 'utf8');
      const { ns: _, machine: _machine, benchmark, ...report } = JSON.parse(text);
      return { ...report, benchmark: { ...benchmark, ns: 0 } };
    };
    const expected = reportOf();
    await runCli(cwd, [pingpong, '--memdb', ...rounds, ...quiet]);
    t.deepEqual(reportOf(), expected);
  },
);

test('a run that cannot open the database leaves the stats file unchanged', async t => {
  const cwd = temporaryDirectory(t);
  const args = [pingpong, '--outdir', 'out', ...quiet];
  const ran = await runCli(cwd, [...args, '--benchmark', '5', '--logall']);
  t.is(ran.code, 0, ran.stderr);
  const file = path.join(cwd, 'out/stats-pingpong.tsv');
  const before = fs.readFileSync(file, 'utf8');
  const store = openLmdbStore({
    ...{ dir: path.join(cwd, 'out/state'), durability: 'none', create: false },
  });
  const second = await runCli(cwd, [...args, '--init', '--logall']);
  await store.close();
  t.regex(second.stderr, /the database is in use by process/);
  t.is(second.code, 2);
  t.is(fs.readFileSync(file, 'utf8'), before);
});

test('an error names a file that cannot be written', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(cwd, { taken: 'a file' });
  const out = await runCli(cwd, [pingpong, '--outdir', 'taken/out', '--memdb', '--no-stats']);
  t.regex(out.stderr, /taken\/out: cannot make this directory \(ENOTDIR\).* --outdir/);
  t.is(out.code, 1);
  fs.mkdirSync(path.join(cwd, 'swingset-out/pingpong/report.txt'), { recursive: true });
  const report = await runCli(cwd, [pingpong, '--memdb', ...quiet]);
  t.regex(report.stderr, /report\.txt: cannot write it \(EISDIR\); name another file/);
  t.is(report.code, 1);
  const log = await runCli(cwd, [pingpong, '--vatlog', 'taken/x.log', '--memdb', ...quiet]);
  t.regex(log.stderr, /vat log taken\/x\.log: cannot write it .*name another file with --vatlog/);
  t.is(log.code, 1);
  const state = await runCli(cwd, [pingpong, '--dbdir', 'taken', ...quiet]);
  t.regex(state.stderr, /taken: not a directory; a database needs a directory of its own/);
  t.is(state.code, 1);
});
