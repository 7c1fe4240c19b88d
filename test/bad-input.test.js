// Mistakes of a person, a program or a disk: each gets one clear line that names the place and the remedy, and the right
// exit code, and leaves what was committed as it is.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { mainFile, runCli, temporaryDirectory, vat, writeFiles } from '../runner/test/run-cli.js';
import { quiet, pingpong, isOneLine } from './bad-input.js';

/** Messages about vats are equal for both profiles. */
const profiles = ['current', '2020-09'];

/** @type {[title: string, args: string[], says: RegExp][]} */
const usage = [
  [
    'a directory that is not there',
    ['demos/pingpon'],
    /no directory "demos\/pingpon"; did you mean "demos\/pingpong"\?/,
  ],
  [
    'a demo of reactors that is not there',
    ['reactors/timelimt'],
    /no directory "reactors\/timelimt"; did you mean "demos\/reactors\/timelimit"\?/,
  ],
  [
    'a folder of demos',
    ['demos/reactors'],
    /"demos\/reactors" holds several folders that can be run; name one of them: "demos\/reactors\/account", /,
  ],
  [
    'reactors that a launcher would have to join',
    ['reactors/timelimit', '--indirect'],
    /"connections" and "reactors" of a config need vats that exist when the run starts, .* leave --indirect out/,
  ],
  [
    'a command that is not there',
    ['federate'],
    /no directory and no command "federate"; the commands are init, run, batch, step/,
  ],
  ['an audit of nothing', ['audit'], /audit needs a database, the output directory of a run/],
  ['a command with a slip', ['grahp'], /no command "grahp"; did you mean "graph"\?/],
  [
    'a flag that is not there',
    [pingpong, '--benchmrk', '3'],
    /no flag --benchmrk; did you mean --benchmark\?/,
  ],
  ['a flag of another command', ['report', 'x', '--init'], /--init means nothing to this command/],
  [
    'a number that is none',
    [pingpong, '--blocksize', 'few'],
    /--blocksize must be a whole number from 1, got few/,
  ],
  [
    'a profile that is not there',
    [pingpong, '--profile', '2021'],
    /--profile is one of "current", "2020-09", got "2021"/,
  ],
  ['a flag without its value', [pingpong, '--dbdir'], /--dbdir needs a value/],
  [
    'flags that exclude each other',
    [pingpong, '--init', '--resume'],
    /--init and --resume exclude each other/,
  ],
  [
    'a second directory',
    [pingpong, 'x'],
    /one directory at most, and "x" is one more; .* go behind "--"/,
  ],
  ['a tag with a directory', [pingpong, '--logtag', 'a/b'], /a part of a file's name, got "a\/b"/],
  ['a replay of nothing', ['replay'], /replay needs a database, the output directory of a run/],
  [
    'a directory below a file',
    [`${pingpong}/bootstrap.js/x`],
    /no directory ".*\/bootstrap\.js\/x"/,
  ],
  [
    'nothing to resume',
    [pingpong, '--resume'],
    /no state to resume in swingset-out\/pingpong\/state; leave --resume out/,
  ],
  [
    'a command that is not quite one',
    ['runn', pingpong],
    /there is no directory and no command "runn"; did you mean "run"\?/,
  ],
  [
    'an unknown command with arguments',
    ['paint', 'time', 'x'],
    /: there is no directory and no command "paint"; the commands are init, run, .*--help$/m,
  ],
  [
    'a second and a third directory',
    [pingpong, 'x', 'y'],
    /: there is one directory at most, and "x", "y" are more; arguments of the vats go behind "--"$/m,
  ],
  [
    'no flag of that name to turn off',
    [pingpong, '--no-graph'],
    /no flag --no-graph; did you mean --no-graphs\?/,
  ],
  [
    'a "no" without its dash',
    [pingpong, '--nographs'],
    /no flag --nographs; did you mean --no-graphs\?/,
  ],
  ['a slip in --version', ['--verison'], /no flag --verison; did you mean --version\?/],
  [
    'a "no" before a flag with a value',
    [pingpong, '--no-benchmark'],
    /there is no flag --no-benchmark: --benchmark takes a value; leave it out, or give one/,
  ],
  [
    'a divisor of a graph of memory',
    ['graph', 'memory', mainFile, '--per', 'crank', '-o', 'x.png'],
    /--per divides times and cycles, not memory; leave it out/,
  ],
  [
    'a depth of no causes',
    ['slog', 'x', '--depth', '3'],
    /--depth says how far --follow goes; give --follow too, or leave it out/,
  ],
  [
    'a number of cores for calls of one',
    ['bench', 'ipc', '--cores', '2'],
    /--cores says on how many --parallel makes calls; give --parallel too, or leave it out/,
  ],
  ['nothing to run', [], /has neither .*; or run a demo: swingset-runner demos\/pingpong/],
  ['a letter that is no flag', [pingpong, '-k'], /there is no flag -k; see/],
  [
    'a value of a flag that is on or off',
    [pingpong, '--resume=yes'],
    /--resume takes no value, got "yes"; write --resume or --no-resume/,
  ],
  ['a config that is not there', ['--config', 'none.json'], /no config file "none\.json"/],
  ['a graph of no file', ['graph', 'time', '-o', 'x.png'], /graph needs a kind and a stats file/],
  [
    'a graph without a place',
    ['graph', 'time', mainFile],
    /graph needs a file to write: -o time\.png/,
  ],
  [
    'a stats file that is not there',
    ['graph', 'time', 'none.tsv', '-o', 'x.png'],
    /no stats file "none\.tsv"/,
  ],
  ['a report that is not there', ['report', 'none'], /there is no "none"; name a report/],
];

for (const [title, args, says] of usage) {
  test(`${title} gives an error of one line and exit code 2`, async t => {
    const { code, stderr, stdout } = await runCli(temporaryDirectory(t), args);
    t.regex(stderr, says);
    t.true(isOneLine(stderr), stderr);
    t.is(stdout, '');
    t.is(code, 2);
  });
}

test('errors for a config that is not JSON, or has unknown or contradictory fields, give the place', async t => {
  const cwd = temporaryDirectory(t);
  const write = (/** @type {string} */ text) => writeFiles(cwd, { 'swingset.json': text });
  /** @type {[string, RegExp][]} */
  const configs = [
    ['{"vats": {', /swingset\.json:1:11: not JSON: expected/],
    ['{"bootstrap": "b", "vatz": {}}', /unknown field "vatz"; did you mean "vats"\?/],
    [
      '{"bootstrap": "b", "vats": {"b": {"sourceSpec": "x.js", "bundleName": "y"}}}',
      /vats\.b has both "sourceSpec" and "bundleName"; it takes one/,
    ],
  ];
  for (const [text, says] of configs) {
    write(text);
    const { code, stderr } = await runCli(cwd, ['.']);
    t.regex(stderr, says);
    t.true(isOneLine(stderr), stderr);
    t.is(code, 2);
  }
});

/** A vat of reactors that passes on what it is given. @param {string} [input]  its name */
const reactor = (input = 'in') => `
  import { Reactor } from 'swingset-runner/reactor';
  class Pass extends Reactor {
    ${input} = this.input();
    out = this.output();
    wide = this.outputs(2);
    r = this.reaction({ triggers: this.${input}, effects: this.out }, () => this.out.set(1));
  }
  export const buildReactor = () => new Pass();
`;

/** @param {object} more  beside three vats of reactors, the first of which is sent bootstrap */
const threeVats = more =>
  JSON.stringify({
    bootstrap: 'a',
    vats: Object.fromEntries(['a', 'b', 'c'].map(name => [name, { sourceSpec: `${name}.js` }])),
    ...more,
  });

const aToB = { from: 'a.out', to: 'b.in' };

/** @type {[title: string, config: object, says: RegExp][]} */
const wirings = [
  [
    'a vat that is not there',
    { connections: [aToB, { from: 'b.out', to: 'cc.in' }] },
    /connections\[1\]\.to is "cc\.in", but there is no vat "cc"; those with reactors are "a", "b", "c"; did you mean "c"\?$/m,
  ],
  [
    'a port that is not there',
    { connections: [{ from: ['a.out', 'a.otu'], to: ['b.in', 'c.in'] }] },
    /connections\[0\]\.from\[1\] is "a\.otu", but vat "a" has no output "otu"; its outputs are "out", "wide"; did you mean "out"\?$/m,
  ],
  [
    'a connection from an input',
    { connections: [{ from: 'a.in', to: 'b.in' }] },
    /connections\[0\]\.from is "a\.in", an input of vat "a" \(its outputs are "out", "wide"\);/,
  ],
  [
    'widths that differ',
    { connections: [{ from: 'a.wide', to: 'b.in' }] },
    /connections\[0\]: "from" has 2 channels, of "a\.wide" \(2\); "to" has 1 channel, of "b\.in" \(1\);/,
  ],
  [
    'two sources of an input',
    { connections: [aToB, { from: 'c.out', to: 'b.in' }] },
    /connections\[1\]\.to: b\.in has two sources, a\.out \(connections\[0\]\) and c\.out;/,
  ],
  [
    'a cycle without delay through three vats',
    { connections: [aToB, { from: 'b.out', to: 'c.in' }, { from: 'c.out', to: 'a.in' }] },
    /connections\[0\], connections\[1\], connections\[2\]: zero-delay cycle through vats: a\.in → a\.out → b\.in/,
  ],
  [
    'a delay without a unit',
    { connections: [{ ...aToB, after: 5 }] },
    /connections\[0\]\.after is 5, without a unit; write "5 ms"/,
  ],
  [
    'an unknown unit',
    { connections: [{ ...aToB, after: '3 fortnights' }] },
    /connections\[0\]\.after: "3 fortnights" is not a duration;/,
  ],
  [
    'a timeout that is none',
    { reactors: { timeout: 'soon' } },
    /reactors\.timeout: "soon" is not a duration;/,
  ],
];

for (const [title, config, says] of wirings) {
  test(`errors for invalid connections of reactors give the place: ${title}`, async t => {
    const cwd = temporaryDirectory(t);
    writeFiles(path.join(cwd, 'work'), {
      'swingset.json': threeVats(config),
      'a.js': reactor(),
      'b.js': reactor(),
      'c.js': reactor(),
    });
    for (const args of [
      ['work', ...quiet],
      ['diagram', 'work'],
    ]) {
      const { code, stderr, stdout } = await runCli(cwd, args);
      t.regex(stderr, says);
      t.true(stderr.startsWith('swingset-runner: work/swingset.json: '), stderr);
      t.true(isOneLine(stderr), stderr);
      t.is(stdout, '');
      t.is(code, 2);
    }
    // Nothing is left behind that would have to be resumed or thrown away.
    const replayed = await runCli(cwd, ['replay', 'work']);
    t.regex(replayed.stderr, /there is no database in "work"/);
    t.is(replayed.code, 2);
  });
}

test('a replay with other ports than the connected ones names them', async t => {
  const cwd = temporaryDirectory(t);
  const work = path.join(cwd, 'work');
  writeFiles(work, {
    'swingset.json': threeVats({ connections: [aToB] }),
    'a.js': reactor(),
    'b.js': reactor(),
    'c.js': reactor(),
  });
  const ran = await runCli(cwd, ['work', ...quiet]);
  t.is(ran.code, 0, ran.stderr);
  writeFiles(work, { 'b.js': reactor('inn') });
  const { code, stderr } = await runCli(cwd, ['replay', 'work', '--sources', 'work']);
  t.regex(
    stderr,
    /does not replay: at 0ns\.0, the recorded config: connections\[0\]\.to is "b\.in", but vat "b" has no input "in"; its inputs are "inn"; did you mean "inn"\?/,
  );
  t.true(isOneLine(stderr), stderr);
  t.is(code, 1);
});

test('an error for a vat that does not evaluate gives file and line, and the state is kept', async t => {
  const cwd = temporaryDirectory(t);
  writeFiles(path.join(cwd, 'work'), { 'bootstrap.js': vat('bootstrap() { return 7; }') });
  const ran = await runCli(cwd, ['work', ...quiet]);
  t.is(ran.code, 0, ran.stderr);
  /** @type {[string, RegExp, number][]} */
  const mistakes = [
    [
      '\nexport const x = null.foo;',
      /vat bootstrap did not start: work\/bootstrap\.js:2:23: TypeError/,
      1,
    ],
    ['export const x = {;', /work\/bootstrap\.js:1:\d+: Unexpected token/, 2],
    [
      'export const x = 1;',
      /vat bootstrap did not start: .* vat source bundle lacks buildRootObject/,
      1,
    ],
    [
      'import "./none.js";',
      /work\/bootstrap\.js:1: cannot import "\.\/none\.js": there is no file/,
      2,
    ],
  ];
  for (const [source, says, exitCode] of mistakes) {
    writeFiles(path.join(cwd, 'work'), { 'bootstrap.js': source });
    const { code, stderr } = await runCli(cwd, ['work', '--init', ...quiet]);
    t.regex(stderr, says);
    t.true(isOneLine(stderr), stderr);
    t.is(code, exitCode);
  }
  const { stdout } = await runCli(cwd, ['report', 'swingset-out/work/state']);
  t.regex(stdout, /^bootstrap: 7$/m);
});

for (const profile of profiles) {
  test(`${profile}: if bootstrap throws, the run fails, and the report is written`, async t => {
    const cwd = temporaryDirectory(t);
    writeFiles(path.join(cwd, 'work'), {
      'bootstrap.js': vat("bootstrap() { throw Error('no'); }"),
    });
    const { code, stderr } = await runCli(cwd, ['work', '--memdb', '--profile', profile, ...quiet]);
    t.is(code, 1);
    t.regex(stderr, /^bootstrap failed: vat bootstrap: work\/bootstrap\.js:2:\d+: Error: no$/m);
    const report = JSON.parse(
      fs.readFileSync(path.join(cwd, 'swingset-out/work/report.json'), 'utf8'),
    );
    t.regex(report.bootstrapResult, /^rejected: /);
  });

  test(`${profile}: a bootstrap that never settles fails the run`, async t => {
    const cwd = temporaryDirectory(t);
    const source = vat('bootstrap() { return new Promise(() => {}); }');
    writeFiles(path.join(cwd, 'work'), { 'bootstrap.js': source });
    const { code, stderr } = await runCli(cwd, ['work', '--memdb', '--profile', profile, ...quiet]);
    t.is(code, 1);
    t.regex(stderr, /^bootstrap\.bootstrap\(\) never settles: nothing is left to run/m);
    t.regex(stderr, /^ {2}vat bootstrap waits for no other vat: it awaits a promise of its own$/m);
  });

  test(`${profile}: an error in a vat is reported with its place, and other vats continue`, async t => {
    const cwd = temporaryDirectory(t);
    writeFiles(path.join(cwd, 'work'), {
      'bootstrap.js': vat(`async bootstrap(vats) {
        const dead = E(vats.bob).fail();
        await E(dead).more().catch(() => {});
        E(vats.bob).unpassable().catch(() => {});
        return E(vats.bob).fine();
      }`),
      'vat-bob.js': vat(`
        fail() { throw RangeError('too far'); },
        unpassable() { return new Map(); },
        fine() { return 'still here'; },
      `),
    });
    const { code, stderr } = await runCli(cwd, ['work', '--memdb', '--profile', profile, ...quiet]);
    t.is(code, 0, stderr);
    const lines = stderr.split('\n').filter(line => line.startsWith('vat '));
    t.regex(lines[0], /^vat bob: work\/vat-bob\.js:3:\d+: RangeError: too far$/);
    t.regex(lines[1], /^vat bob: .*[Mm]ap/);
    t.is(lines.length, 2, stderr);
    const { bootstrapResult } = JSON.parse(
      fs.readFileSync(path.join(cwd, 'swingset-out/work/report.json'), 'utf8'),
    );
    t.regex(bootstrapResult, /^fulfilled: .*still here/);
  });

  test(`${profile}: only the vat that uses a slot which it does not hold is ended`, async t => {
    const cwd = temporaryDirectory(t);
    writeFiles(cwd, {
      'bootstrap.js': vat(
        "bootstrap(vats) { return E(vats.bob).go().catch(() => 'bob is gone'); }",
      ),
      'vat-bob.js': vat('go() {}'),
    });
    /** @type {string[]} */
    const told = [];
    const simulation = await makeSimulation(loadConfig({ baseDir: cwd }), {
      store: makeMemoryStore(),
      profile: /** @type {'current' | '2020-09'} */ (profile),
      cacheDir: path.join(os.tmpdir(), 'swingset-runner-test-cache'),
      observer: { onVatError: (_name, error) => told.push(String(error)) },
      wrapTransport: (transport, vatId) => ({
        ...transport,
        finish() {
          const result = transport.finish();
          // Vat 1 is bob; it speaks when it is spoken to.
          if (vatId !== 'v1' || result instanceof Promise || result.syscalls.length === 0)
            return result;
          const methargs = { body: '#["go",[]]', slots: [] };
          result.syscalls.unshift(['send', 'o-999', methargs, null]);
          return result;
        },
      }),
    });
    await simulation.run();
    t.is(told.length, 1, told.join('\n'));
    t.regex(told[0], /vat bob was ended: .*o-999/);
    const { data } = simulation.status(simulation.bootstrapResult);
    t.regex(String(data?.body), /bob is gone/);
    await simulation.close();
  });
}

test('failed rounds are counted, and reported once', async t => {
  const cwd = temporaryDirectory(t);
  const source = vat("bootstrap() {}, runBenchmarkRound() { throw Error('each time'); }");
  writeFiles(path.join(cwd, 'work'), { 'bootstrap.js': source });
  const { code, stderr } = await runCli(cwd, ['work', '--memdb', '--benchmark', '9', ...quiet]);
  t.is(code, 1);
  t.is(stderr.match(/^vat bootstrap: work\/bootstrap\.js:2:\d+: Error: each time$/gm)?.length, 1);
  t.regex(stderr, /^9 times: vat bootstrap: .*each time$/m);
  t.regex(stderr, /^9 of 9 rounds were rejected; report\.json has their errors$/m);
});
