// `bench snapshot` and `demo-reports`: files, tables, continuing an incomplete matrix, and
// refusals.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { demosDir, runCli, temporaryDirectory } from './run-cli.js';

const published = JSON.parse(
  fs.readFileSync(path.join(demosDir, '../test/reference/swingset-2020-09-30.json'), 'utf8'),
);

/** @param {string} file */
const read = file => fs.readFileSync(file, 'utf8');

/** @param {string} file @param {number} length */
const firstBytes = (file, length) => fs.readFileSync(file).subarray(0, length).toString('latin1');

const smallest = ['bench', 'snapshot', '--demo', 'pingpong', '--rounds', '100'];

test('bench snapshot writes each run under the published names, and goes on where it was', async t => {
  const cwd = temporaryDirectory(t);
  const out = path.join(cwd, 'swingset-out/bench-snapshot');
  const at = (/** @type {string} */ name) => path.join(out, name);
  const first = await runCli(cwd, [...smallest, '--gc', 'without']);
  t.is(first.code, 0, first.stderr);
  t.regex(first.stderr, /^pingpong: .* 100 rounds, .* each$/m);
  t.regex(first.stdout, /^1 of 16 runs; the others have not been run$/m);
  t.true(first.stdout.includes(read(at('summary.txt'))));

  const second = await runCli(cwd, smallest);
  t.is(second.code, 0, second.stderr);
  t.regex(second.stderr, /^pingpong: .* \(kept\)$/m);
  t.notRegex(second.stderr, /^pingponggc: .* \(kept\)$/m);

  for (const name of ['pingpong', 'pingponggc']) {
    t.is(
      read(at(`stats-${name}`))
        .split('\n')[0]
        .split('\t')[0],
      'block',
    );
    t.regex(read(at(`${name}-benchmark.report`)), /^Stat +Delta +PerRound$/m);
    t.regex(
      read(at(`${name}-benchmark.log`)),
      /^\$ swingset-runner run .*\n(.*\n)*rounds: 100 of 100/,
    );
    for (const kind of ['Time', 'Mem', 'Disk']) {
      t.is(firstBytes(at(`${name}${kind}.png`), 4).slice(1), 'PNG');
      t.is(firstBytes(at(`${name}${kind}.pdf`), 4), '%PDF');
    }
  }
  t.deepEqual(
    fs.readdirSync(out).filter(name => name.startsWith('.')),
    [],
  );

  const { runs } = JSON.parse(read(at('summary.json')));
  t.deepEqual(
    runs.map((/** @type {any} */ { name, rounds, roundCranks, forced }) => [
      ...[name, rounds, roundCranks, forced.count],
    ]),
    [
      ['pingpong', 100, 7, 0],
      ['pingponggc', 100, 7, 101],
    ],
  );
  t.is(runs[0].activityHash, runs[1].activityHash);
  t.false(runs[0].grows.includes('clistEntries'));
  t.is(runs[1].published.ns, published.benchmarks.pingponggc.ns);
  t.regex(read(at('pingponggc-benchmark.report')), /^--forcegc: 101 full collections, /m);
  t.regex(read(at('summary.md')), /^\| pingponggc +\| +100 \|/m);

  const page = read(at('index.html'));
  const files = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file]) => file);
  t.true(files.length > 20);
  for (const file of files) t.true(fs.existsSync(at(decodeURIComponent(file))), file);
  const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  for (const id of anchors) t.true(page.includes(`id="${id}"`), id);

  const other = await runCli(cwd, [...smallest, '--profile', '2020-09']);
  t.is(other.code, 2);
  t.is(
    other.stderr,
    'swingset-runner: swingset-out/bench-snapshot holds the results of another matrix (profile current, not 2020-09); choose another folder with --outdir, or discard them with --init\n',
  );
  t.true(fs.existsSync(at('pingpongTime.png')));

  // An incomplete result is run again.
  fs.rmSync(at('pingpongMem.pdf'));
  const args = [...smallest, '--gc', 'without', '--profile', '2020-09', '--init'];
  const anew = await runCli(cwd, args);
  t.is(anew.code, 0, anew.stderr);
  t.notRegex(anew.stderr, /\(kept\)/);
  t.false(fs.existsSync(at('pingponggcTime.png')));
  t.regex(anew.stdout, /^profile: 2020-09$/m);
  t.is(JSON.parse(read(at('summary.json'))).runs.length, 1);
});

test('a stopped matrix keeps its complete runs', async t => {
  const cwd = temporaryDirectory(t);
  const args = [
    'bench',
    'snapshot',
    '--demo',
    'pingpong',
    '--gc',
    'without',
    '--rounds',
    '100,10000',
  ];
  let isStopped = false;
  const ran = await runCli(cwd, args, {
    onStderr(child, stderr) {
      if (isStopped || !stderr.includes('pingpong: ')) return;
      isStopped = true;
      child.kill('SIGINT');
    },
  });
  t.is(ran.code, 130, ran.stderr);
  t.regex(
    ran.stderr,
    /^stopped; complete results are in swingset-out\/bench-snapshot, and the same command continues/m,
  );
  const names = fs.readdirSync(path.join(cwd, 'swingset-out/bench-snapshot'));
  t.true(names.includes('stats-pingpong'));
  t.false(names.includes('stats-pingpong10k'));
  t.deepEqual(
    names.filter(name => name.startsWith('.')),
    [],
  );
  const { results } = JSON.parse(read(path.join(cwd, 'swingset-out/bench-snapshot/matrix.json')));
  t.deepEqual(Object.keys(results), ['pingpong']);
});

test('demo-reports runs demos with the published arguments, and shows them on one page', async t => {
  const cwd = temporaryDirectory(t);
  const ran = await runCli(cwd, ['demo-reports', 'megaPong', 'justReply', '--outdir', 'all demos']);
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stdout, /^justReply +5 +5 /m);
  t.regex(ran.stdout, /^megaPong +20 +55 +55 /m);
  const reports = read(path.join(cwd, 'all demos/demo-reports'));
  t.regex(
    reports,
    /^\$ swingset-runner justReply\nIn 5 cranks.*\n(.*\n)*\$ swingset-runner megaPong -- 20\nIn 55 cranks/,
  );
  t.regex(
    read(path.join(cwd, 'all demos/index.html')),
    /<img loading="lazy" src="megaPongTime.png"/,
  );
  // A row for each crank: the two vats and the bootstrap are started by one each.
  t.is(read(path.join(cwd, 'all demos/stats-megaPong')).trimEnd().split('\n').length, 1 + 55 + 3);
});

test('a matrix that cannot be run is refused in one line', async t => {
  const cwd = temporaryDirectory(t);
  fs.mkdirSync(path.join(cwd, 'taken'));
  fs.writeFileSync(path.join(cwd, 'taken/thesis.txt'), 'x');
  fs.mkdirSync(path.join(cwd, 'broken'));
  fs.writeFileSync(path.join(cwd, 'broken/matrix.json'), '{');
  fs.mkdirSync(path.join(cwd, 'foreign'));
  fs.writeFileSync(path.join(cwd, 'foreign/matrix.json'), '[1, 0]');
  fs.writeFileSync(path.join(cwd, 'file'), '');
  /** @type {[string[], RegExp][]} */
  const wrong = [
    [['bench'], /bench needs to know which benchmark: bench snapshot/],
    [
      ['bench', 'snapshots'],
      /there is no benchmark "snapshots"; there are snapshot, ipc and savina/,
    ],
    [
      ['bench', 'snapshot', 'twice'],
      /bench takes the name of one benchmark, and "twice" is one more/,
    ],
    [['bench', 'snapshot', '--benchmark', '5'], /--benchmark means nothing to this command/],
    [
      ['bench', 'snapshot', '--demo', 'swp'],
      /--demo "swp" is not in the snapshot; it has pingpong, exchange, swap/,
    ],
    [['bench', 'snapshot', '--rounds', '1e'], /--rounds must be a whole number from 1, got 1e/],
    [
      ['bench', 'snapshot', '--demo', 'swap', '--rounds', '10000'],
      /the snapshot has no run of --rounds 10000; it has swap of 100, 1000 rounds/,
    ],
    [[...smallest, '--gc', 'maybe'], /--gc is one of "with", "without", "both", got "maybe"/],
    [
      [...smallest, '--outdir', '/proc/here'],
      /\/proc\/here: cannot write there \(E\w+\); choose a folder .* --outdir/,
    ],
    [[...smallest, '--outdir', 'file'], /file: cannot write there \(ENOTDIR\)/],
    [
      [...smallest, '--outdir', 'taken'],
      /taken holds other things \("thesis\.txt"\) and no matrix\.json/,
    ],
    [[...smallest, '--outdir', 'taken', '--init'], /taken holds other things/],
    [[...smallest, '--outdir', 'broken'], /matrix\.json: cannot be read as JSON/],
    [[...smallest, '--outdir', 'foreign'], /matrix\.json: is no list of results of this version/],
    [['demo-reports', 'justRepl'], /there is no demo "justRepl"; did you mean "justReply"\?/],
    [['demo-reports', '--rounds', '4'], /--rounds means nothing to this command/],
    [
      ['demos/justReply', '--benchmark', '5', '--memdb'],
      /has no method runBenchmarkRound\(\), so that it cannot run 5 rounds; leave --benchmark out/,
    ],
  ];
  for (const [args, message] of wrong) {
    const { code, stderr, stdout } = await runCli(cwd, args);
    const line = stderr.split('\n').find(each => each.startsWith('swingset-runner: ')) ?? stderr;
    t.regex(line, message);
    t.is(code, /cannot write there/.test(message.source) ? 1 : 2, args.join(' '));
    t.is(stdout, '');
  }
  t.is(read(path.join(cwd, 'taken/thesis.txt')), 'x');
});
