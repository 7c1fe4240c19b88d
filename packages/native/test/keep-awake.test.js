// The thread that keeps a core awake: of the lowest class, on the core of the caller, asleep when nobody calls, and gone
// with the thread that it was made for.

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { cpuQuota } from '../cpu-quota.js';
import { openKeepAwake } from '../index.js';

const isLinux = process.platform === 'linux';
const ifLinux = isLinux ? test.serial : test.skip;

/** Any quota of the machine that tests is not meant. */
const unlimited = { findQuota: () => undefined };
const open = () => {
  const { keepAwake, reason } = openKeepAwake(unlimited);
  if (keepAwake === undefined) throw Error(reason);
  return keepAwake;
};

/** SCHED_IDLE of Linux. */
const lowestClass = 5;

/** The threads of this process that are of that class, with what they do: R for running, S for asleep. */
const findLowThreads = () =>
  fs.readdirSync('/proc/self/task').flatMap(id => {
    /** @param {string} name */
    const read = name => fs.readFileSync(`/proc/self/task/${id}/${name}`, 'utf8');
    try {
      // The name may hold anything; what follows are numbers.
      const stat = read('stat');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[38]) !== lowestClass) return [];
      const [, cores] = /Cpus_allowed_list:\s*(\S+)/.exec(read('status')) ?? [];
      return [{ state: fields[0], cores }];
    } catch {
      // A thread that has ended meanwhile.
      return [];
    }
  });

/** As one who comes often, however busy the machine is. @param {() => void} keepAwake */
const callTwice = keepAwake => {
  keepAwake();
  keepAwake();
};

/** @param {() => boolean} isTrue */
const until = async isTrue => {
  while (!isTrue()) await wait(1);
};

ifLinux(
  'there is a thread of the lowest class on one core, which sleeps when nobody calls, and wakes',
  async t => {
    const keepAwake = open();
    keepAwake();
    t.deepEqual(findLowThreads(), [], 'one call alone is not worth it');
    await until(() => {
      callTwice(keepAwake);
      return findLowThreads().length === 1;
    });
    // It runs for a moment before it has chosen its core.
    await until(() => {
      callTwice(keepAwake);
      const [{ state, cores = '' }] = findLowThreads();
      return state === 'R' && /^\d+$/.test(cores);
    });
    await until(() => findLowThreads()[0].state === 'S');
    await until(() => {
      callTwice(keepAwake);
      return findLowThreads()[0].state === 'R';
    });
    t.is(findLowThreads().length, 1);
  },
);

ifLinux('it ends with the thread that it was made for', async t => {
  const before = findLowThreads().length;
  const index = new URL('../index.js', import.meta.url).href;
  const program = `
    import { parentPort } from 'node:worker_threads';
    const { openKeepAwake } = await import(${JSON.stringify(index)});
    const { keepAwake } = openKeepAwake({ findQuota: () => undefined });
    const calls = setInterval(() => { keepAwake(); keepAwake(); }, 0);
    parentPort.once('message', () => clearInterval(calls));
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const ended = new Promise(resolve => {
    worker.once('exit', resolve);
  });
  await until(() => findLowThreads().length === before + 1);
  worker.postMessage('end');
  t.is(await ended, 0);
  await until(() => findLowThreads().length === before);
  t.pass();
});

test('without a core to keep awake there is a reason', t => {
  const { keepAwake, reason } = openKeepAwake({ findQuota: () => '/x/cpu.max: 50000 100000' });
  t.is(keepAwake, undefined);
  t.regex(
    reason ?? '',
    isLinux
      ? /^this process may use the processor for a part of the time only \(\/x\/cpu\.max: 50000 100000\)/
      : /on Linux, and this is/,
  );
  if (!isLinux) return;
  t.regex(
    openKeepAwake({ ...unlimited, level: 6 }).reason ?? '',
    /^without the addon \(this Node has level 6/,
  );
});

/** @param {import('ava').ExecutionContext} t @param {Record<string, string>} files */
const makeGroups = (t, files) => {
  const rootDir = fs.mkdtempSync(join(tmpdir(), 'groups-'));
  t.teardown(() => fs.rmSync(rootDir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(join(rootDir, file, '..'), { recursive: true });
    fs.writeFileSync(join(rootDir, file), text);
  }
  return rootDir;
};

test('a quota of the group, or of one above it, is found', t => {
  const groups = '0::/user/run.scope\n';
  /** @param {Record<string, string>} files @param {string} [of] */
  const find = (files, of = groups) => {
    const rootDir = makeGroups(t, files);
    return cpuQuota({ rootDir, groups: of })?.replace(rootDir, '');
  };
  t.is(find({}), undefined);
  t.is(find({}, ''), undefined);
  t.is(find({ 'user/run.scope/cpu.max': 'max 100000\n', 'cpu.max': 'max 100000\n' }), undefined);
  t.is(
    find({ 'user/run.scope/cpu.max': '50000 100000\n' }),
    '/user/run.scope/cpu.max: 50000 100000',
  );
  t.is(
    find({ 'user/run.scope/cpu.max': 'max 100000\n', 'user/cpu.max': '200000 100000\n' }),
    '/user/cpu.max: 200000 100000',
  );
  // Inside a container its own group is the root, whatever the path says.
  t.is(find({ 'cpu.max': '150000 100000\n' }, '0::/../..\n'), '/cpu.max: 150000 100000');
  const first = '4:memory:/a\n3:cpu,cpuacct:/docker/x\n';
  t.is(find({ 'cpu/docker/x/cpu.cfs_quota_us': '-1\n' }, first), undefined);
  t.is(
    find({ 'cpu/docker/x/cpu.cfs_quota_us': '50000\n' }, first),
    '/cpu/docker/x/cpu.cfs_quota_us: 50000',
  );
});
