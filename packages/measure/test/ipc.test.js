// The benchmark of messages and system calls, with few calls. The values of figures are not tested.

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { openCounters } from '#native';
import {
  formatIpc,
  formatParallel,
  measureIpc,
  measureParallel,
  publishedRows,
} from '../ipc/index.js';
import { distributionOf } from '../ipc/distribution.js';
import { joinSamples, makeInstrument } from '../ipc/instrument.js';
import { nextMessage } from '../ipc/next-message.js';
import { paths } from '../ipc/paths.js';
import { chooseTableColumns } from '../ipc/units.js';

/** @import { Counters } from '#native' */
/** @import { IpcResult } from '../ipc/index.js' */

const dir = fs.mkdtempSync(join(tmpdir(), 'swingset-ipc-test-'));
test.after.always(() => fs.rmSync(dir, { recursive: true, force: true }));

/** @type {IpcResult} */
let result;

test.serial(
  'all paths are measured, call by call, and the databases are removed afterwards',
  async t => {
    result = await measureIpc({ calls: 1_000, dir });
    t.deepEqual(
      result.paths.map(({ name }) => name),
      paths.map(({ name }) => name),
    );
    for (const { name, figures, ns } of result.paths) {
      const { timer } = figures;
      if (timer === undefined) {
        t.fail(name);
        continue;
      }
      t.true(timer.n >= 10, `${name}: ${timer.n} samples`);
      const { min, p25, median, p75, p99, max, average } = timer;
      t.true(0 <= min && min <= p25 && p25 <= median && median <= p75 && p75 <= max, name);
      t.true(p75 <= p99 && p99 <= max && min <= average && average <= max, name);
      t.true(Number.isFinite(ns.median) && Number.isFinite(ns.average), name);
    }
    t.regex(result.noise, /^(not )?idle/);
    t.true((result.markCost.timer?.median ?? 0) > 0);
    t.deepEqual(JSON.parse(JSON.stringify(result)).suite, 'ipc');
    t.deepEqual(fs.readdirSync(dir), []);
  },
);

test.serial('the table includes the published figures, as text and as Markdown', t => {
  const text = formatIpc(result, 'text');
  const markdown = formatIpc(result, 'markdown');
  for (const { platform, processor } of publishedRows) {
    t.regex(text, new RegExp(`^${platform} +${processor} `, 'm'));
    t.regex(markdown, new RegExp(`^\\| ${platform} +\\| ${processor} +\\|`, 'm'));
  }
  t.regex(text, /^x86-64 +Intel N100 +173\/622\/557 +390\/1,388\/613 +52\/188\/147$/m);
  t.regex(text, /^this machine, reactors, median .*\S +\S+$/m);
  t.regex(text, /reactors: intra is "reactor to reactor", inter is "port, memory"; objects: /);
  t.true(text.includes(result.processor));
  for (const { name } of paths) t.true(text.includes(`\n${name} `), name);
  for (const line of text.split('\n')) t.is(line, line.trimEnd());
});

test.serial('a core that does not exist is reported before the measurement', async t => {
  await t.throwsAsync(measureIpc({ calls: 1_000, dir, core: 5_000 }), {
    instanceOf: UserError,
    message:
      /^(there is no core 5000 for this process; it may use|a thread cannot be held on a core: )/,
  });
});

test.serial('the same loops run on one core and on all of them', async t => {
  const parallel = await measureParallel({ calls: 5_000, mostCores: 2 });
  const most = Math.max(...parallel.rows.map(({ cores }) => cores));
  for (const { name, cores, figures } of parallel.rows) {
    t.is(figures.n, Math.round(5_000 / (name === 'reactor to reactor' ? 64 : 1)) * cores, name);
    t.true(figures.median > 0 && Number.isFinite(figures.average), name);
  }
  t.is(parallel.rows.length, 3 * most);
  t.regex(formatParallel(parallel, 'text'), /^eventual send +1 +5,000 /m);
});

test('without the addon the clock is called a clock', async t => {
  const counters = openCounters({ level: 6 });
  const plain = await measureIpc({ calls: 1_000, dir, counters });
  const text = formatIpc(plain, 'text');
  t.regex(text, /This machine: nanoseconds of Node's clock, which are not cycles\./);
  t.regex(text, /Not available here: .*\(the addon is not loaded\)/);
  t.regex(text, /^without the addon \(this Node has level 6 /m);
  t.notRegex(text, /median, ns/);
});

/** @param {Partial<IpcResult>} changes */
const changed = changes => /** @type {IpcResult} */ ({ ...result, ...changes });
const counted = /** @type {const} */ ({
  isAvailable: true,
  readBy: 'instruction',
  countsKernel: true,
});

test.serial(
  'with hardware counters, the row of x86 has three figures, and that of ARM has cycles',
  t => {
    const withAll = result.paths.map(path => ({
      ...path,
      figures: Object.fromEntries(
        ['timer', 'referenceCycles', 'cycles', 'instructions'].map((column, i) => [
          column,
          distributionOf(Float64Array.of(1_000 * (i + 1))),
        ]),
      ),
    }));
    const all = changed({
      paths: withAll,
      columns: ['timer', 'instructions', 'cycles', 'referenceCycles'],
      timer: { name: 'tsc', hz: 2e9, hzSource: 'stated', isSteady: true },
      hardware: { instructions: counted, cycles: counted, referenceCycles: counted },
    });
    const text = formatIpc(all, 'text');
    t.regex(
      text,
      /^this machine, objects, median .* 2,000\/3,000\/4,000 +2,000\/3,000\/4,000 +2,000\/3,000\/4,000$/m,
    );
    t.regex(text, /This machine: reference cycles\/unhalted core cycles\/instructions\./);
    t.notRegex(text, /Not available/);

    const ofArm = changed({
      ...all,
      timer: { name: 'cntvct_el0', hz: 54e6, hzSource: 'stated', isSteady: true },
      columns: ['timer', 'cycles'],
      hardware: { ...all.hardware, instructions: { isAvailable: false, reason: 'others use it' } },
    });
    const armText = formatIpc(ofArm, 'text');
    t.regex(armText, /^this machine, objects, median .* 3,000 +3,000 +3,000$/m);
    t.regex(armText, /This machine: unhalted core cycles\./);
    t.regex(armText, /Not available here: instructions \(others use it\)/);
    t.regex(armText, /ticks of the generic timer, 0\.0540 GHz \(stated\)/);
  },
);

test('a timer is never shown as cycles', t => {
  t.deepEqual(chooseTableColumns('tsc', ['timer']), ['timer', undefined, undefined]);
  t.deepEqual(chooseTableColumns('cntvct_el0', ['timer']), ['timer']);
  t.deepEqual(chooseTableColumns('hrtime', ['timer']), ['timer']);
  t.deepEqual(chooseTableColumns('cntvct_el0', ['timer', 'cycles']), ['cycles']);
});

test('a distribution has the average and percentiles', t => {
  const values = Float64Array.from({ length: 101 }, (_, i) => 100 - i);
  const { n, average, median, min, max, p99 } = distributionOf(values);
  t.deepEqual(
    { n, average, median, min, max, p99 },
    { n: 101, average: 50, median: 50, min: 0, max: 100, p99: 99 },
  );
});

/** Counters with invented records: each call moves the timer by the next step. @param {number[]} steps */
const makeUp = steps => {
  let at = 0;
  let ticks = 0;
  return /** @type {Counters} */ ({
    ...openCounters({ level: 6 }),
    makeMark: array => () => {
      ticks += steps[at % steps.length];
      at += 1;
      if (array[0] < 1) return;
      array[array[0]] = ticks;
      array[0] += 1;
    },
  });
};

test('samples follow the pattern of the marks, minus the cost of a mark', t => {
  const { begin, mark, takeSamples, describe } = makeInstrument(10, makeUp([5, 100, 7, 200]));
  begin();
  for (let i = 0; i < 6; i += 1) mark();
  t.deepEqual([...(takeSamples('chain').timer ?? [])], [100, 7, 200, 5, 100]);
  t.deepEqual([...(takeSamples('pair').timer ?? [])], [100, 200, 100]);
  t.deepEqual(
    [...(takeSamples('cranks', [true, false, false, true, true, true]).timer ?? [])],
    [100, 5, 100],
  );
  const cost = { timer: distributionOf(Float64Array.of(20)) };
  const { timer } = describe(takeSamples('chain'), { cost, together: 10 });
  t.is(timer?.max, 18);
  t.is(timer?.min, 0, 'less than the reading, and not negative');
});

test('samples of rounds are joined in their order', t => {
  const joined = joinSamples([{ timer: Float64Array.of(1, 2) }, { timer: Float64Array.of(3) }]);
  t.deepEqual(joined, { timer: Float64Array.of(1, 2, 3) });
});

test('a thread is asked any number of times, and an end without an answer is told', async t => {
  const code = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', message => {
      if (message === 'end') process.exit();
      if (message === 'fail') throw Error('a fault of the thread');
      parentPort.postMessage(message);
    });`;
  const worker = new Worker(code, { eval: true });
  // A machine with four cores asks its first thread thirteen times; Node warns of the eleventh listener.
  for (let i = 0; i < 13; i += 1) {
    worker.postMessage(i);
    t.is(await nextMessage(worker), i);
    for (const name of /** @type {const} */ (['message', 'error', 'exit']))
      t.is(worker.listenerCount(name), 0, name);
  }
  worker.postMessage('end');
  await t.throwsAsync(nextMessage(worker), { message: 'a measuring thread ended early' });
  const failing = new Worker(code, { eval: true });
  failing.postMessage('fail');
  await t.throwsAsync(nextMessage(failing), { any: true, message: 'a fault of the thread' });
  t.is(failing.listenerCount('error'), 0);
});
