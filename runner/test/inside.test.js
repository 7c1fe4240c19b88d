// Looking inside a run: --slog, --dump, --audit, and the commands dump, audit and replay.

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openLmdbStore } from '#store';
import { runCli, temporaryDirectory } from './run-cli.js';

const quiet = ['--no-stats', '--no-graphs', '--no-logall'];

/** Read a slog without the fields that differ from run to run. @param {string} file */
const readSlog = file =>
  fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => {
      const { ns: _ns, vatNs: _vatNs, time: _time, ...rest } = JSON.parse(line);
      return rest;
    });

test('two runs have the same slog except times, in memory and LMDB, with any blocks', async t => {
  const cwd = temporaryDirectory(t);
  /** @type {[string, string[]][]} */
  const ways = [
    ['a', ['--memdb']],
    ['b', ['--blocksize', '3']],
    ['c', ['--init', '--no-blockmode']],
    ['d', ['--init', '--durability', 'commit', '--keepawake']],
  ];
  for (const [name, flags] of ways) {
    const args = ['demos/pingpong', '--benchmark', '3', ...quiet, '--slog', name, ...flags];
    t.is((await runCli(cwd, args)).code, 0);
  }
  const [a, b, c, d] = ways.map(([name]) => readSlog(join(cwd, name)));
  const isCrank = (/** @type {{ type: string }} */ { type }) => type !== 'commit';
  t.deepEqual(a.filter(isCrank), b.filter(isCrank));
  t.deepEqual(a.filter(isCrank), c.filter(isCrank));
  t.deepEqual(a.filter(isCrank), d.filter(isCrank));
  t.is(a.filter(({ type }) => type === 'crank').length, 14 + 3 * 7);
  t.true(b.filter(({ type }) => type === 'commit').length > 10);
  const syscalls = a.flatMap(line => line.syscalls ?? []);
  const sends = syscalls.filter((/** @type {string[]} */ [kind]) => kind === 'send');
  t.true(sends.length > 9);
  t.true(
    sends.every((/** @type {string[]} */ [, target]) => /^k[op]\d+ [op][-+]\d+$/.test(target)),
  );
});

test('--trace writes a trace and names it, beside a slog, in every command; a bad path is reported at the start', async t => {
  const cwd = temporaryDirectory(t);
  for (const command of ['run', 'batch', 'step']) {
    const args = [command, 'demos/justReply', '--trace', 'trace.json', '--slog', 'slog'];
    const { code, stderr } = await runCli(cwd, [
      ...args,
      '--init',
      ...quiet.slice(command === 'run' ? 0 : 2),
    ]);
    t.is(code, 0, stderr);
    t.regex(stderr, /the trace is in trace\.json; open it with https:\/\/ui\.perfetto\.dev/);
    /** @type {{ ph: string, args?: { crank?: number } }[]} */
    const events = JSON.parse(fs.readFileSync(join(cwd, 'trace.json'), 'utf8'));
    const cranks = readSlog(join(cwd, 'slog')).filter(({ type }) => type === 'crank');
    // Once by logical and once by physical time.
    const traced = events.filter(({ ph, args: about }) => ph === 'X' && about?.crank !== undefined);
    t.is(traced.length, 2 * cranks.length);
  }
  const { code, stderr } = await runCli(cwd, [
    'demos/justReply',
    '--init',
    '--trace',
    'no/trace.json',
  ]);
  t.is(code, 1);
  t.regex(stderr, /^swingset-runner: trace "no\/trace\.json" cannot be written \(ENOENT\)/m);
});

test('--dump writes a dump after each crank, --audit checks each, and both commands read the state', async t => {
  const cwd = temporaryDirectory(t);
  const flags = ['--dump', '--dumpdir', 'dumps', '--dumptag', 'X', '--raw', '--audit'];
  const run = await runCli(cwd, ['demos/justReply', ...quiet, ...flags]);
  t.is(run.code, 0, run.stderr);
  const names = fs.readdirSync(join(cwd, 'dumps'));
  t.deepEqual(
    names,
    names.map((_, i) => `dump.X${String(i + 1).padStart(7, '0')}`),
  );
  t.is(names.length, 8);

  const raw = await runCli(cwd, ['dump', 'justReply', '--raw']);
  t.is(raw.code, 0, raw.stderr);
  const last = fs.readFileSync(join(cwd, 'dumps', names[7]), 'utf8');
  const isHost = (/** @type {string} */ line) => line.startsWith('host.');
  t.deepEqual(
    raw.stdout.split('\n').filter(line => !isHost(line)),
    last.split('\n').filter(line => !isHost(line)),
    'the last crank is what the database has',
  );
  const shown = await runCli(cwd, ['dump', 'swingset-out/justReply']);
  t.regex(
    shown.stdout,
    /^profile current, 8 cranks, 3 of them control cranks\nvats\n {2}v1 alice\n/,
  );

  const audited = await runCli(cwd, ['audit', 'swingset-out/justReply/state']);
  t.is(audited.code, 0);
  t.is(audited.stdout, 'swingset-out/justReply/state: 8 cranks, everything adds up\n');
});

test('replay runs a database again, or names the first difference', async t => {
  const cwd = temporaryDirectory(t);
  fs.cpSync(join(import.meta.dirname, '../../demos/pingpong'), join(cwd, 'pingpong'), {
    recursive: true,
  });
  await runCli(cwd, ['pingpong', '--benchmark', '3', ...quiet]);
  const same = await runCli(cwd, ['replay', 'pingpong']);
  t.is(same.code, 0, same.stderr);
  t.regex(
    same.stdout,
    /^swingset-out\/pingpong\/state: 35 cranks, 7 inputs: the same again \(hash [0-9a-f]{64}\)\n$/,
  );
  const file = join(cwd, 'pingpong/vat-alice.js');
  const source = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, `// ${source}`);
  const comment = await runCli(cwd, ['replay', 'pingpong', '--sources', 'pingpong']);
  t.is(comment.code, 0);
  t.is(comment.stdout, `vat "alice" has another source than the recorded one\n${same.stdout}`);
  fs.writeFileSync(file, source.replace('E(other).hello', 'E(other).hallo'));
  const changed = await runCli(cwd, ['replay', 'swingset-out/pingpong', '--sources', 'pingpong']);
  t.is(changed.code, 1);
  t.is(changed.stdout, 'vat "alice" has another source than the recorded one\n');
  t.regex(
    changed.stderr,
    /^swingset-runner: swingset-out\/pingpong\/state does not replay: at 0ns\.\d+, vat alice: .*\n$/,
  );
  t.is((await runCli(cwd, ['replay', 'pingpong'])).stdout, same.stdout, 'it was only read');

  fs.writeFileSync(file, source);
  const vats = Object.fromEntries(
    ['alice', 'bob', 'bootstrap'].map(name => [
      name,
      { sourceSpec: `./${name === 'bootstrap' ? name : `vat-${name}`}.js` },
    ]),
  );
  Object.assign(vats.bob, { parameters: { polite: true } });
  const config = JSON.stringify({ bootstrap: 'bootstrap', vats });
  fs.writeFileSync(join(cwd, 'pingpong/swingset.json'), config);
  const other = await runCli(cwd, ['replay', 'pingpong', '--sources', 'pingpong']);
  t.is(
    other.stdout,
    `vat "bob": parameter "polite" of pingpong/swingset.json is not in the recording; what the recording has is used\n${same.stdout}`,
  );
});

test('an audit names differences, and fails', async t => {
  const cwd = temporaryDirectory(t);
  await runCli(cwd, ['demos/justReply', ...quiet]);
  const dir = join(cwd, 'swingset-out/justReply/state');
  const store = openLmdbStore({ dir, durability: 'none', create: false });
  store.commit({
    puts: new Map([['c.v1.o-77', 'ko22']]),
    appends: new Map(),
    deleteStreams: [],
  });
  await store.close();
  const { code, stderr } = await runCli(cwd, ['audit', 'justReply']);
  t.is(code, 1);
  t.regex(stderr, /the audit of swingset-out\/justReply\/state finds:\n/);
  t.regex(stderr, /c-list of v1: o-77 was allocated/);
});

/** @param {import('ava').ExecutionContext} t @param {{ stderr: string }} found */
const isOneLine = (t, { stderr }) => {
  const told = stderr.replace(/^no directory .*; running the demo of that name from .*\n/, '');
  t.regex(told, /^swingset-runner: [^\n]*\n$/);
};

test('a file that cannot be written or is missing is one line, and leaves the state as it is', async t => {
  const cwd = temporaryDirectory(t);
  fs.writeFileSync(join(cwd, 'file'), '');
  const alone = /--\w+ says how dumps are written; give --dump too, or leave it out/;
  const run = 'demos/justReply';
  /** @type {[string[], RegExp][]} */
  const unwritable = [
    [[run, '--slog', 'no/such/folder'], /--slog cannot be written: ENOENT/],
    [[run, '--trace', 'no/such.json'], /trace "no\/such\.json" cannot be written \(ENOENT\)/],
    [[run, '--vatlog', 'file/log'], /vat log file\/log: cannot write it/],
    [[run, '--outdir', 'file'], /file: cannot make this directory \(EEXIST\)/],
    [
      [run, '--dump', '--dumpdir', 'file'],
      /file: cannot make this directory \(EEXIST\); choose a place .* with --dumpdir/,
    ],
    [
      [run, '--cpu-profile-output', 'no/such'],
      /--cpu-profile-output: no\/such cannot be written \(ENOENT.*\); name another file/,
    ],
    [[run, '--heap-profile-output', '.'], /--heap-profile-output: \. cannot be written \(EISDIR/],
  ];
  /** @type {[string[], RegExp][]} */
  const mistakes = [
    [['dump', 'nowhere'], /there is no database in "nowhere"/],
    [['audit', 'nowhere'], /there is no database in "nowhere"/],
    [[run, '--dump', '--dumptag', 'a/b'], /--dumptag is a part of a file's name/],
    [['dump', 'nowhere', '--dumptag', 'a/b'], /--dumptag is a part of a file's name/],
    [[run, '--raw'], alone],
    [[run, '--dumpdir', 'x'], alone],
    [[run, '--dumptag', 'x'], alone],
    [['batch', run, '--no-graphs'], /--graphs means nothing to this command/],
  ];
  for (const [args, says] of [...mistakes, ...unwritable]) {
    const found = await runCli(cwd, args);
    t.is(found.code, mistakes.some(([each]) => each === args) ? 2 : 1, found.stderr);
    t.regex(found.stderr, says);
    isOneLine(t, found);
  }
  t.deepEqual(fs.readdirSync(cwd), ['file']);
});

(fs.existsSync('/dev/full') ? test : test.skip)(
  'a slog on a full disk ends the run in one line, and committed blocks stay',
  async t => {
    const cwd = temporaryDirectory(t);
    const args = ['demos/pingpong', '--benchmark', '3', ...quiet];
    const full = await runCli(cwd, [...args, '--slog', '/dev/full']);
    t.is(full.code, 1);
    t.regex(full.stderr, /--slog cannot be written: ENOSPC/);
    isOneLine(t, full);
    const on = await runCli(cwd, [...args, '--resume', '--activityhash']);
    const straight = await runCli(cwd, [...args, '--activityhash', '--memdb']);
    t.is(on.code, 0, on.stderr);
    const hash = /activity hash: .*/;
    t.is(hash.exec(on.stdout)?.[0], hash.exec(straight.stdout)?.[0]);
  },
);

test('a resumed slog continues after its whole lines', async t => {
  const cwd = temporaryDirectory(t);
  const args = ['demos/pingpong', ...quiet, '--slog', 'slog'];
  t.is((await runCli(cwd, [...args, '--benchmark', '2'])).code, 0);
  fs.appendFileSync(join(cwd, 'slog'), '{"type":"crank","crankNum":');
  t.is((await runCli(cwd, [...args, '--benchmark', '4', '--resume'])).code, 0);
  const lines = readSlog(join(cwd, 'slog'));
  const heads = lines.filter(({ type }) => type === 'slog');
  t.deepEqual(
    heads.map(({ crankNum }) => crankNum),
    [0, 14 + 2 * 7],
  );
  const numbers = lines.filter(({ type }) => type === 'crank').map(({ crankNum }) => crankNum);
  t.deepEqual(
    numbers,
    numbers.map((_, i) => i + 1),
  );
  t.is(numbers.length, 14 + 4 * 7);
});

test('dump and audit of a database that is damaged, of another version, or in use', async t => {
  const cwd = temporaryDirectory(t);
  t.is((await runCli(cwd, ['demos/justReply', ...quiet])).code, 0);
  const state = join(cwd, 'swingset-out/justReply/state');
  /** @param {string} name */
  const copy = name => {
    fs.cpSync(state, join(cwd, name), { recursive: true });
    return join(cwd, name);
  };
  /** @param {string} name @param {string} key @param {string} value */
  const copyWith = async (name, key, value) => {
    const dir = copy(name);
    const store = openLmdbStore({ dir, durability: 'none', create: false });
    store.commit({ puts: new Map([[key, value]]), appends: new Map(), deleteStreams: [] });
    await store.close();
  };
  fs.truncateSync(join(copy('cut'), 'data.mdb'), 2 * 4096);
  fs.writeFileSync(join(copy('text'), 'data.mdb'), 'hello');
  const empty = join(copy('empty'), 'data.mdb');
  fs.writeFileSync(empty, fs.readFileSync(empty).fill(0, 2 * 4096));
  await copyWith('other', 'schema', '99');
  await copyWith('strange', 'device.d7', 'strange');
  copy('used');
  const holder = openLmdbStore({ dir: join(cwd, 'used'), durability: 'none', create: false });
  t.teardown(() => holder.close());
  /** @type {[string, RegExp][]} */
  const cases = [
    ['cut', /data\.mdb is damaged/],
    ['text', /is not a database, or only the beginning of one/],
    ['empty', /data\.mdb is damaged/],
    ['other', /the database has schema version 99, this program reads version 4/],
    ['strange', /strange is damaged: .*; restore a copy, or start afresh/],
    ['used', /the database is in use by process \d+/],
  ];
  for (const [name, says] of cases) {
    for (const command of ['dump', 'audit']) {
      const found = await runCli(cwd, [command, name]);
      t.regex(found.stderr, says, `${command} ${name}`);
      t.true(found.code === 1 || found.code === 2, `${command} ${name}: ${found.code}`);
      t.is(found.stdout, '');
      t.false(found.stderr.includes('    at '), 'no stack');
    }
  }
});

test('dump writes a file to the requested directory', async t => {
  const cwd = temporaryDirectory(t);
  await runCli(cwd, ['demos/justReply', ...quiet]);
  const shown = await runCli(cwd, ['dump', 'justReply']);
  t.regex(shown.stdout, /^ +kp\d+ .*, 1 reference$/m);
  const written = await runCli(cwd, ['dump', 'justReply', '--dumpdir', 'd', '--dumptag', 'X']);
  t.is(written.stdout, 'd/dump.X0000008\n');
  t.is(fs.readFileSync(join(cwd, 'd/dump.X0000008'), 'utf8'), shown.stdout);
});

test('profiles of the engine are written and named', async t => {
  const cwd = temporaryDirectory(t);
  const files = ['--cpu-profile-output', 'a.cpuprofile', '--heap-profile-output', 'b'];
  const { code, stderr } = await runCli(cwd, ['demos/justReply', ...quiet, ...files]);
  t.is(code, 0);
  t.regex(stderr, /^a\.cpuprofile: where the time went; Chrome's developer tools show it$/m);
  t.regex(stderr, /^b: what was allocated; .* if its name ends in \.heapprofile$/m);
  t.true(JSON.parse(fs.readFileSync(join(cwd, 'a.cpuprofile'), 'utf8')).nodes.length > 0);
  t.true('head' in JSON.parse(fs.readFileSync(join(cwd, 'b'), 'utf8')));
});

test('--activityhash prints the hash with --initonly, and of each block with --verbose', async t => {
  const cwd = temporaryDirectory(t);
  const made = await runCli(cwd, ['demos/justReply', ...quiet, '--initonly', '--activityhash']);
  t.regex(made.stdout, /^activity hash: [0-9a-f]{64}\n$/);
  const args = ['demos/justReply', ...quiet, '--resume', '--activityhash', '--verbose'];
  const { stdout } = await runCli(cwd, [...args, '--blocksize', '3']);
  const blocks = stdout.match(/^block \d: activity hash: [0-9a-f]{64}$/gm) ?? [];
  t.is(blocks.length, 3);
  const last = /^activity hash: (.*)$/m.exec(stdout)?.[1];
  t.is(blocks[2], `block 3: activity hash: ${last}`);
});
