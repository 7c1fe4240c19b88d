// Exit codes of promises that never settle, differences of a resumed state from its directory, long
// cranks.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runCli, temporaryDirectory } from './run-cli.js';

const quiet = ['--no-graphs', '--no-stats'];

/** @param {string} folder @param {Record<string, string>} files */
const write = (folder, files) => {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  return folder;
};

const waiting = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () =>
      Far('bootstrap', { bootstrap: vats => E(vats.bob).never() });`,
  'vat-bob.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () => Far('bob', { never: () => new Promise(() => {}) });`,
};

test('a bootstrap that never settles fails the run, which names the decider', async t => {
  const cwd = temporaryDirectory(t);
  const folder = write(path.join(cwd, 'waits'), waiting);
  const failed = await runCli(cwd, [folder, ...quiet]);
  t.is(failed.code, 1);
  t.regex(failed.stderr, /^bootstrap\.bootstrap\(\) never settles: nothing is left to run/m);
  t.regex(
    failed.stderr,
    /waits for kp41, the result of never\(\), sent at .*bootstrap\.js:4:57, to be decided by vat bob$/m,
  );
  const allowed = await runCli(cwd, [folder, ...quiet, '--allow-pending']);
  t.is(allowed.code, 0, allowed.stderr);
  t.regex(allowed.stderr, /never settles/);
});

test('a bootstrap that throws what is no error is told how to show its place', async t => {
  const cwd = temporaryDirectory(t);
  const folder = write(path.join(cwd, 'throws'), {
    'bootstrap.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('bootstrap', { async bootstrap() { throw { code: 5 }; } });`,
  });
  const { code, stderr } = await runCli(cwd, [folder, '--memdb', ...quiet]);
  t.is(code, 1);
  t.regex(stderr, /^bootstrap failed: rejected with \{ code: 5 \}; to see where, throw an Error$/m);
});

test('a round that never settles fails the run', async t => {
  const cwd = temporaryDirectory(t);
  const folder = write(path.join(cwd, 'rounds'), {
    'bootstrap.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('bootstrap', { bootstrap() {}, runBenchmarkRound: () => new Promise(() => {}) });`,
  });
  const failed = await runCli(cwd, [folder, '--benchmark', '2', '--memdb', ...quiet]);
  t.is(failed.code, 1);
  t.regex(failed.stderr, /^2 of 2 rounds left their result pending$/m);
  t.regex(failed.stderr, /kp\d+ is to be decided by vat bootstrap$/m);
  t.regex(failed.stderr, /give --allow-pending$/m);
});

test('a resumed state lists its differences from the directory, and reports that it is finished', async t => {
  const cwd = temporaryDirectory(t);
  const files = {
    'bootstrap.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('bootstrap', { bootstrap() {} });`,
    'vat-bob.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('bob', {});`,
  };
  const folder = write(path.join(cwd, 'edited'), files);
  t.is((await runCli(cwd, [folder, ...quiet, '--', 'a'])).code, 0);
  const same = await runCli(cwd, [folder, ...quiet, '--resume']);
  t.is(same.code, 0);
  t.notRegex(same.stderr, /differs from its directory/);
  t.regex(same.stderr, /^the run in .* is finished, and nothing is left to do/m);
  write(folder, {
    'bootstrap.js': files['bootstrap.js'].replace('bootstrap() {}', 'bootstrap() { return 2; }'),
    'vat-bob.js': 'this is no module',
    'vat-carol.js': files['vat-bob.js'],
  });
  const edited = await runCli(cwd, [folder, ...quiet, '--resume', '--', 'b']);
  t.is(edited.code, 0, edited.stderr);
  t.regex(edited.stderr, /^the state differs from its directory; the state's values are used/m);
  t.regex(edited.stderr, /^ {2}vat "bootstrap" has another source$/m);
  t.regex(edited.stderr, /^ {2}vat "bob" has another source, which cannot be read: /m);
  t.regex(edited.stderr, /^ {2}vat "carol" of .* is not in the state$/m);
  t.regex(edited.stderr, /^ {2}the arguments are \["b"\], and were \["a"\]$/m);
});

test('the same command works twice after --until', async t => {
  const cwd = temporaryDirectory(t);
  const folder = write(path.join(cwd, 'ticks'), {
    'swingset.json': JSON.stringify({
      bootstrap: 'bootstrap',
      vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
      devices: { timer: {} },
    }),
    'bootstrap.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('bootstrap', {
          async bootstrap(vats, devices) {
            const timer = await E(vats.timer).createTimerService(devices.timer);
            await E(timer).repeatAfter(1n, 1n, Far('waker', { wake() {} }));
          },
        });`,
  });
  for (let i = 0; i < 2; i += 1) {
    const run = await runCli(cwd, [folder, ...quiet, '--until', '5 s']);
    t.is(run.code, 0, run.stderr);
  }
});

// On other systems no handler can run during a crank: only the vat is named.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a crank that takes too long ends the run, which names vat, method and crank', async t => {
  const cwd = temporaryDirectory(t);
  const folder = write(path.join(cwd, 'spins'), {
    ...waiting,
    'vat-bob.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('bob', { never() { for (;;); } });`,
  });
  const ended = await runCli(cwd, [folder, ...quiet, '--max-crank-time', '1 s']);
  t.is(ended.code, 1);
  t.regex(
    ended.stderr,
    /^swingset-runner: --max-crank-time: crank \d+ of vat bob, never\(\), has been running for [\d.]+ s, which ends the run/m,
  );
  const wrong = await runCli(cwd, [folder, '--max-crank-time', 'soon']);
  t.is(wrong.code, 2);
});

test('an object without a Far declaration is refused with file and line, except with --lenient, and a state keeps its choice', async t => {
  const cwd = temporaryDirectory(t);
  const folder = write(path.join(cwd, 'undeclared'), {
    'bootstrap.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('bootstrap', { bootstrap: vats => E(vats.bob).counter() });`,
    'vat-bob.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('bob', { counter: () => ({ inc() {} }) });`,
  });
  t.is((await runCli(cwd, [folder, ...quiet, '--memdb', '--lenient'])).code, 0);
  const refused = await runCli(cwd, [folder, ...quiet]);
  t.is(refused.code, 1);
  t.regex(
    refused.stderr,
    /vat bob: .*vat-bob\.js:3:\d+: counter\(\) returned .*declared by Far\(name, \{methods\}\).*Remotables must be explicitly declared/,
  );
  const elsewhere = await runCli(cwd, [folder, ...quiet, '--memdb', '--workers', '1']);
  t.is(elsewhere.code, 1, elsewhere.stderr);
  const replayed = await runCli(cwd, ['replay', folder]);
  t.is(replayed.code, 0, replayed.stderr);
  const changed = await runCli(cwd, [folder, ...quiet, '--resume', '--lenient']);
  t.is(changed.code, 2);
  t.regex(changed.stderr, /the state was made strict, and stays so; leave --lenient .* out/);
  const old = await runCli(cwd, [
    folder,
    ...quiet,
    '--profile',
    '2020-09',
    '--no-lenient',
    '--memdb',
  ]);
  t.is(old.code, 2);
  t.regex(old.stderr, /profile 2020-09 always passes objects that nobody declared Far\(\)/);
});

test('the config may allow objects without a Far declaration', async t => {
  const cwd = temporaryDirectory(t);
  const folder = write(path.join(cwd, 'old'), {
    'swingset.json': JSON.stringify({
      bootstrap: 'bootstrap',
      lenient: true,
      vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
    }),
    'bootstrap.js':
      'export const buildRootObject = () => harden({ bootstrap: () => ({ m() {} }) });',
  });
  t.is((await runCli(cwd, [folder, ...quiet])).code, 0);
  t.is((await runCli(cwd, [folder, ...quiet, '--memdb', '--no-lenient'])).code, 1);
});

/** Root objects of bootstrap and of vat bob. @param {string} bootstrap @param {string} bob @param {object} [options] of bob */
const twoVats = (bootstrap, bob, options = {}) => ({
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    vats: {
      bootstrap: { sourceSpec: 'bootstrap.js' },
      bob: { sourceSpec: 'vat-bob.js', creationOptions: options },
    },
  }),
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => Far('bootstrap', { async bootstrap(vats) { ${bootstrap} } });`,
  'vat-bob.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = ({ exitVat, exitVatWithFailure }) => { ${bob} };`,
});

const lost = /^vat bob of the config has failed: it runs no more/m;

test('a run that lost a vat of its config has failed, also when it is taken up again, unless the vat may fail', async t => {
  const cwd = temporaryDirectory(t);
  const throws = "throw Error('no');";
  const folder = write(path.join(cwd, 'loses'), twoVats('', throws));
  const failed = await runCli(cwd, [folder, ...quiet]);
  t.is(failed.code, 1);
  t.regex(failed.stderr, lost);
  t.regex(failed.stderr, /give --allow-failed-vats, or "mayFail": true/);
  const again = await runCli(cwd, [folder, ...quiet, '--resume']);
  t.is(again.code, 1, 'a state forgot what it had lost');
  t.regex(again.stderr, lost);
  const allowed = await runCli(cwd, [folder, ...quiet, '--resume', '--allow-failed-vats']);
  t.is(allowed.code, 0, allowed.stderr);
  t.regex(allowed.stderr, lost);

  const means = write(path.join(cwd, 'means'), twoVats('', throws, { mayFail: true }));
  const meant = await runCli(cwd, [means, ...quiet]);
  t.is(meant.code, 0, meant.stderr);
  t.notRegex(meant.stderr, lost);
});

test('an indirect run that lost a vat of its config has failed, too', async t => {
  const cwd = temporaryDirectory(t);
  const end = (/** @type {string} */ how) => `return Far('bob', { end: () => ${how} });`;
  const bootstrap = 'await E(vats.bob).end().catch(() => {});';
  const fails = end("exitVatWithFailure(Error('tired'))");
  /** @type {[folder: string, bob: string, options: object, code: number][]} */
  const cases = [
    ['fails', fails, {}, 1],
    ['exits', end("exitVat('done')"), {}, 0],
    ['may', fails, { mayFail: true }, 0],
  ];
  for (const [name, bob, options, code] of cases) {
    const folder = write(path.join(cwd, name), twoVats(bootstrap, bob, options));
    for (const profile of ['current', '2020-09']) {
      const ran = await runCli(cwd, [
        ...[folder, '--indirect', '--memdb', '--profile', profile, ...quiet],
      ]);
      t.is(ran.code, code, `${name} under ${profile}: ${ran.stderr}`);
      t.is(lost.test(ran.stderr), code === 1);
    }
  }
  const allowed = await runCli(cwd, [
    ...[path.join(cwd, 'fails'), '--indirect', '--memdb', '--allow-failed-vats', ...quiet],
  ]);
  t.is(allowed.code, 0, allowed.stderr);
});

test('an indirect state is resumed without the flag, and says that sources are not compared', async t => {
  const cwd = temporaryDirectory(t);
  const bob = "return Far('bob', {});";
  const folder = write(path.join(cwd, 'plain'), twoVats('', bob));
  const made = await runCli(cwd, [folder, '--indirect', ...quiet]);
  t.is(made.code, 0, made.stderr);
  const resumed = await runCli(cwd, [folder, '--resume', ...quiet]);
  t.is(resumed.code, 0, resumed.stderr);
  t.notRegex(resumed.stderr, /differs/);
  t.regex(resumed.stderr, /^the state was made with --indirect: it is not compared/m);
  const { 'swingset.json': config, ...sources } = twoVats('', bob);
  const { vats, ...rest } = JSON.parse(config);
  const more = { ...vats, carol: vats.bob };
  write(folder, { ...sources, 'swingset.json': JSON.stringify({ ...rest, vats: more }) });
  const added = await runCli(cwd, [folder, '--resume', ...quiet]);
  t.regex(added.stderr, /^the state differs from its directory/m);
});

test('a vat that ends itself is lost only if it says that it failed', async t => {
  const cwd = temporaryDirectory(t);
  const bootstrap = 'await E(vats.bob).end().catch(() => {});';
  const ends = (/** @type {string} */ how) => `return Far('bob', { end: () => ${how} });`;
  const fails = write(
    path.join(cwd, 'fails'),
    twoVats(bootstrap, ends("exitVatWithFailure(Error('tired'))")),
  );
  const failed = await runCli(cwd, [fails, '--memdb', ...quiet]);
  t.is(failed.code, 1);
  t.regex(failed.stderr, lost);
  const exits = write(path.join(cwd, 'exits'), twoVats(bootstrap, ends("exitVat('done')")));
  const exited = await runCli(cwd, [exits, '--memdb', ...quiet]);
  t.is(exited.code, 0, exited.stderr);
});
