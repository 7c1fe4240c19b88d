// Saved states: read without a change, moved to another machine, damaged.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openLmdbStore } from '#store';
import { demosDir, runCli, temporaryDirectory } from './run-cli.js';

const pingpong = join(demosDir, 'pingpong');
const quiet = ['--no-graphs', '--activityhash'];

/** @param {string} output */
const hashOf = output => /^activity hash: (.*)$/m.exec(output)?.[1];

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} cwd
 * @param {string[]} args
 */
const runWell = async (t, cwd, args) => {
  const ran = await runCli(cwd, args);
  t.is(ran.code, 0, `${args.join(' ')}: ${ran.stderr}`);
  return ran;
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} cwd
 * @param {string[]} args
 * @param {RegExp} says
 */
const insistLine = async (t, cwd, args, says) => {
  const { code, stdout, stderr } = await runCli(cwd, args);
  t.regex(stderr, says, args.join(' '));
  t.is(stderr.trimEnd().split('\n').length, 1, stderr);
  t.true(code === 1 || code === 2, `exit code ${code}`);
  t.is(stdout, '');
};

test('a run that was exported and imported continues as if it had stayed', async t => {
  const cwd = temporaryDirectory(t);
  await runWell(t, cwd, [pingpong, '--benchmark', '5', ...quiet]);
  const exported = await runWell(t, cwd, ['export', 'pingpong.state']);
  t.regex(exported.stdout, /pingpong\/state: \d+ cranks, [\d,]+ bytes in pingpong\.state \(hash /);
  const elsewhere = temporaryDirectory(t);
  cpSync(join(cwd, 'pingpong.state'), join(elsewhere, 'pingpong.state'));
  await runWell(t, elsewhere, ['import', 'pingpong.state']);
  const again = await runWell(t, elsewhere, ['export', 'again.state', 'pingpong']);
  t.regex(again.stdout, /again\.state/);
  t.true(
    readFileSync(join(elsewhere, 'again.state')).equals(readFileSync(join(cwd, 'pingpong.state'))),
  );
  const more = [pingpong, '--resume', '--benchmark', '12', ...quiet];
  const [here, there] = [await runWell(t, cwd, more), await runWell(t, elsewhere, more)];
  t.is(hashOf(there.stdout), hashOf(here.stdout));
  await runWell(t, elsewhere, ['audit', 'pingpong']);
  await runWell(t, elsewhere, ['replay', 'pingpong']);
  const dumps = await Promise.all(
    [cwd, elsewhere].map(place => runWell(t, place, ['dump', 'pingpong', '--raw'])),
  );
  t.is(dumps[0].stdout, dumps[1].stdout);
});

test('equal runs make equal files, and nothing is overwritten without --force', async t => {
  const cwd = temporaryDirectory(t);
  for (const name of ['one', 'two'])
    await runWell(t, cwd, [pingpong, '--benchmark', '3', ...quiet, '--outdir', name]);
  await runWell(t, cwd, ['export', 'a.state', 'one']);
  await runWell(t, cwd, ['export', 'b.state', 'two']);
  const bytes = readFileSync(join(cwd, 'a.state'));
  t.true(bytes.equals(readFileSync(join(cwd, 'b.state'))));
  await insistLine(t, cwd, ['export', 'a.state', 'one'], /a\.state is there already; .* --force/);
  await runWell(t, cwd, ['export', 'a.state', 'one', '--force', '--local']);
  t.false(bytes.equals(readFileSync(join(cwd, 'a.state'))));
  await insistLine(t, cwd, ['import', 'b.state', '--dbdir', 'one/state'], /holds a state already/);
  await runWell(t, cwd, ['import', 'b.state', '--dbdir', 'one/state', '--force']);
  await runWell(t, cwd, ['import', 'a.state', '--dbdir', 'deep/state']);
  const used = openLmdbStore({ dir: join(cwd, 'used'), durability: 'none', create: true });
  const inUse = ['import', 'b.state', '--dbdir', 'used', '--force'];
  await insistLine(t, cwd, inUse, /used: the database is in use by process \d+/);
  await used.close();
  writeFileSync(join(cwd, 'two/state/mine'), 'mine');
  const foreign = ['import', 'b.state', '--dbdir', 'two/state', '--force'];
  await insistLine(t, cwd, foreign, /has a file "mine", which belongs to no state/);
  t.deepEqual(
    readdirSync(cwd).filter(name => /part|importing/.test(name)),
    [],
  );
});

const small = mkdtempSync(join(tmpdir(), 'state-test-'));
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', small]).status === 0;

test.after.always(() => {
  if (canMount) spawnSync('umount', ['-l', small]);
  rmSync(small, { recursive: true, force: true });
});

(canMount ? test : test.skip)('an import on a full disk leaves nothing', async t => {
  const cwd = temporaryDirectory(t);
  await runWell(t, cwd, [pingpong, '--benchmark', '3', ...quiet]);
  await runWell(t, cwd, ['export', 'pingpong.state']);
  const dir = join(small, 'db');
  for (const kilobytes of [8, 16, 24, 48, 64, 96]) {
    spawnSync('mount', ['-o', `remount,size=${kilobytes}k`, small]);
    const line = /db: the disk is full; (make room \(ENOSPC\)|nothing was kept: .* again)\n$/;
    await insistLine(t, cwd, ['import', 'pingpong.state', '--dbdir', dir], line);
    t.deepEqual(readdirSync(small), [], `${kilobytes}`);
  }
});

(canMount ? test : test.skip)('a cache on a full disk has no drafts', async t => {
  const cwd = temporaryDirectory(t);
  const cache = join(cwd, 'cache');
  mkdirSync(cache);
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', cache]);
  t.teardown(() => spawnSync('umount', ['-l', cache]));
  const { code, stderr } = await runCli(cwd, [pingpong, '--memdb', '--benchmark', '3'], {
    shell: [`export XDG_CACHE_HOME='${cache}'`],
  });
  t.is(code, 0, stderr);
  const kept = readdirSync(cache, { recursive: true }).map(String);
  t.true(kept.length > 0);
  t.deepEqual(
    kept.filter(name => name.endsWith('.draft')),
    [],
  );
});

test('an incomplete or damaged file is not imported', async t => {
  const cwd = temporaryDirectory(t);
  await runWell(t, cwd, [pingpong, '--benchmark', '3', ...quiet]);
  await runWell(t, cwd, ['export', 'pingpong.state']);
  const bytes = readFileSync(join(cwd, 'pingpong.state'));
  const flipped = Buffer.from(bytes);
  flipped[bytes.length >> 1] ^= 1;
  const older = Buffer.from(bytes.toString('latin1').replace(/schema \d+/, 'schema 1'), 'latin1');
  /** @type {[string, Buffer | string, RegExp][]} */
  const files = [
    ['flipped', flipped, /flipped is no whole state: at byte \d+/],
    ['cut', bytes.subarray(0, -40), /cut is no whole state: at byte \d+/],
    ['long', Buffer.concat([bytes, bytes]), /there are \d+ bytes behind its end/],
    ['older', older, /has schema version 1, this program reads version \d+/],
    ['text', 'a text', /is no state that swingset-runner has exported/],
    ['empty', '', /is no state that swingset-runner has exported/],
  ];
  for (const [name, content, says] of files) {
    writeFileSync(join(cwd, name), content);
    await insistLine(t, cwd, ['import', name, '--dbdir', 'new'], says);
  }
  await insistLine(t, cwd, ['import', 'nothing'], /there is no file "nothing"/);
  await insistLine(t, cwd, ['import', 'swingset-out'], /swingset-out is no file/);
  await insistLine(
    t,
    cwd,
    ['export', 'x/y.state', 'pingpong'],
    /y\.state cannot be written: its folder does not exist; name a file in one$/m,
  );
  await insistLine(t, cwd, ['export', 'swingset-out', 'pingpong'], /is no file that could be/);
  t.false(readdirSync(cwd).some(name => name.startsWith('new')));
});

test('reading a state that a crash has left does not change it', async t => {
  const cwd = temporaryDirectory(t);
  await runWell(t, cwd, [pingpong, '--benchmark', '3', ...quiet, '--outdir', 'out']);
  const dir = join(cwd, 'out/state');
  // As after a process that died: its last block is in the log.
  const store = openLmdbStore({ dir, durability: 'commit', create: false });
  store.commit({ puts: new Map([['host.mine', '1']]) });
  const crashed = join(cwd, 'crashed');
  cpSync(dir, crashed, { recursive: true });
  await store.close();
  writeFileSync(join(crashed, 'store.lock'), '999999999 5\n');
  const stamps = () =>
    ['.', ...readdirSync(crashed)].map(name => {
      const { mtimeNs, ctimeNs, size } = statSync(join(crashed, name), { bigint: true });
      return { name, mtimeNs, ctimeNs, size };
    });
  const before = stamps();
  const dumped = await runWell(t, cwd, ['dump', 'crashed', '--raw']);
  t.regex(dumped.stdout, /^host\.mine\t"1"$/m);
  await runWell(t, cwd, ['audit', 'crashed']);
  await runWell(t, cwd, ['replay', 'crashed']);
  await runWell(t, cwd, ['export', 'x.state', 'crashed']);
  await runWell(t, cwd, ['report', 'crashed']);
  await runWell(t, cwd, ['report', '--growth', 'crashed']);
  t.deepEqual(stamps(), before);
});

test('damage in a state is reported in one line by every command that reads it', async t => {
  const cwd = temporaryDirectory(t);
  await runWell(t, cwd, [pingpong, '--benchmark', '3', ...quiet, '--outdir', 'out']);
  const file = join(cwd, 'out/state/data.mdb');
  const bytes = readFileSync(file);
  const change = (/** @type {string} */ text) => {
    const changed = Buffer.from(bytes);
    let at = changed.indexOf(text);
    t.true(at > 0);
    for (; at > 0; at = changed.indexOf(text, at)) changed[at + 3] ^= 1;
    writeFileSync(file, changed);
  };
  // A bundle's text is read when its vat is made, and by commands that read everything.
  change('buildRootObject');
  const says = /data\.mdb is damaged: table state: .*"host\.bundle\.[^"]*"/;
  const resume = [pingpong, '--resume', '--benchmark', '9', ...quiet, '--outdir', 'out'];
  for (const args of [resume, ['audit', 'out'], ['replay', 'out'], ['export', 'x', 'out']])
    await insistLine(t, cwd, args, says);
  change('kernel.');
  for (const args of [resume, ['dump', 'out'], ['audit', 'out'], ['replay', 'out']])
    await insistLine(t, cwd, args, /data\.mdb is damaged: /);
  rmSync(join(cwd, 'out/state/data.mdb-lock'));
  writeFileSync(file, bytes);
  await runWell(t, cwd, ['audit', 'out']);
});
