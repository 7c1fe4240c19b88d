// Linux on ARM, emulated where this machine is another: the addon, and a run with LMDB, which must be the same run as on
// this processor. It needs a Node for ARM: scripts/prepare-arm64.sh makes one, and SWINGSET_RUNNER_ARM64_NODE names it.
// How long anything takes there says nothing.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const root = join(import.meta.dirname, '..');
const given = process.env.SWINGSET_RUNNER_ARM64_NODE;
const node =
  given ?? (process.arch === 'arm64' && process.platform === 'linux' ? process.execPath : '');
const ifArm = node === '' ? test.skip : test.serial;

if (node === '')
  test.skip('there is no Node for ARM here (scripts/prepare-arm64.sh makes one)', () => {});

const temporary = fs.mkdtempSync(join(tmpdir(), 'swingset-arm64-'));
test.after.always(() => fs.rmSync(temporary, { recursive: true, force: true }));

/** @param {string} command @param {string[]} args */
const run = async (command, ...args) => {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: temporary,
    maxBuffer: 1 << 26,
    env: { ...process.env, SWINGSET_RUNNER_CACHE_DIR: join(temporary, 'cache') },
  });
  return stdout;
};

ifArm(
  'the addon for ARM is loaded, reads the generic timer, and says why it counts nothing',
  async t => {
    const program = `
    const { openCounters } = await import(${JSON.stringify(join(root, 'packages/native/index.js'))});
    const counters = openCounters();
    const array = Float64Array.of(1, 0, 0);
    const mark = counters.makeMark(array);
    mark();
    mark();
    if (counters.cores.length > 0) counters.pin(counters.cores[0]);
    const { origin, timer, hardware } = counters;
    console.log(JSON.stringify({ arch: process.arch, origin, timer, hardware, array: [...array] }));
  `;
    const said = JSON.parse(await run(node, '--input-type=module', '-e', program));
    t.is(said.arch, 'arm64');
    t.is(said.origin, 'prebuilt');
    t.is(said.timer.name, 'cntvct_el0');
    t.is(said.timer.hzSource, 'stated');
    t.true(said.timer.hz >= 1e6 && said.timer.hz <= 1e10, String(said.timer.hz));
    const [next, first, second] = said.array;
    t.is(next, 3);
    t.true(second >= first);
    for (const [name, counter] of Object.entries(said.hardware)) {
      t.true(counter.isAvailable || counter.reason.length > 10, name);
      t.log(`${name}: ${counter.isAvailable ? counter.readBy : counter.reason}`);
    }
  },
);

/** @param {string} command @param {string} name */
const pingpong = (command, name) => {
  const args = ['--benchmark', '5', '--profile', '2020-09', '--no-graphs', '--activityhash'];
  const out = ['--outdir', join(temporary, name), '--statsfile', join(temporary, `${name}.json`)];
  return run(command, join(root, 'runner/main.js'), join(root, 'demos/pingpong'), ...args, ...out);
};

ifArm(
  'the PingPong demo with LMDB is the same run on ARM: activity hash, counters, results',
  async t => {
    const read = (/** @type {string} */ name) => {
      const {
        machine: _,
        ns: __,
        clock: ___,
        benchmark,
        ...report
      } = JSON.parse(fs.readFileSync(join(temporary, `${name}.json`), 'utf8'));
      return { ...report, benchmark: { ...benchmark, ns: undefined } };
    };
    await Promise.all([pingpong(node, 'arm'), pingpong(process.execPath, 'here')]);
    const here = read('here');
    t.regex(here.activityHash, /^[0-9a-f]{64}$/);
    t.is(here.benchmark.rounds, 5);
    t.deepEqual(read('arm'), here);
    t.true(fs.existsSync(join(temporary, 'arm/state/data.mdb')));
  },
);
