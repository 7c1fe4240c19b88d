// PingPong and TimeLimit in the compiler's form, over reactor-ts and over this package, turn by turn, each in a process of
// its own: `node scripts/reactor-ts-tests/speed.js --reactor-ts DIR [--turns N]`. It prints the processor time of each
// event and the ratio.

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantileSorted } from '#model';
import { makePingPong } from '../../packages/reactor-ts/examples/ping-pong.js';
import { makeTimeLimit } from '../../packages/reactor-ts/examples/time-limit.js';

const { values } = parseArgs({
  options: {
    'reactor-ts': { type: 'string' },
    turns: { type: 'string', default: '5' },
    run: { type: 'string' },
    of: { type: 'string' },
  },
});
if (values['reactor-ts'] === undefined) {
  console.error('usage: node scripts/reactor-ts-tests/speed.js --reactor-ts DIR [--turns N]');
  process.exit(2);
}
const folder = resolve(values['reactor-ts']);

/** Events of a run: reactor-ts is slow, so it has fewer. */
const sizes = { ours: 1_000_000, theirs: 100_000 };

/**
 * Processor time of a program, in ns an event, after two runs that do not count.
 *
 * @param {string} program
 * @param {'ours' | 'theirs'} which
 */
const measure = async (program, which) => {
  const print = console.log;
  console.log = () => {};
  const names =
    which === 'ours'
      ? await import('#reactor-ts')
      : createRequire(join(folder, 'package.json'))('./lib/index.js');
  names.Log.setLevel('error');
  const size = sizes[which];
  const runOnce = () =>
    new Promise((settle, fail) => {
      const before = process.cpuUsage();
      const done = () => {
        const { user, system } = process.cpuUsage(before);
        settle(((user + system) * 1000) / size);
      };
      const timeout = program === 'PingPong' ? undefined : names.TimeValue.usec(size - 1);
      const Main = program === 'PingPong' ? makePingPong(names) : makeTimeLimit(names);
      const app = /** @type {any} */ (Main);
      new app(timeout, false, true, '', size, done, fail)._start();
    });
  await runOnce();
  await runOnce();
  const ns = await runOnce();
  console.log = print;
  console.log(JSON.stringify(ns));
  process.exit(0);
};

/** @param {number[]} list */
const median = list => quantileSorted(Float64Array.from(list).sort(), 0.5);

if (values.run !== undefined) {
  await measure(values.run, /** @type {'ours' | 'theirs'} */ (values.of));
} else {
  console.log('| program | reactor-ts, ns an event | here | ratio, median | least | most |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const program of ['PingPong', 'TimeLimit']) {
    /** @type {{ theirs: number, ours: number }[]} */
    const turns = [];
    for (let turn = 0; turn < Number(values.turns); turn += 1) {
      const [theirs, ours] = ['theirs', 'ours'].map(of => {
        const script = fileURLToPath(import.meta.url);
        const args = [script, '--reactor-ts', folder, '--run', program, '--of', of];
        return Number(
          execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n').at(-1),
        );
      });
      turns.push({ theirs, ours });
    }
    const ratios = turns.map(({ theirs, ours }) => theirs / ours);
    const cells = [
      median(turns.map(({ theirs }) => theirs)).toFixed(0),
      median(turns.map(({ ours }) => ours)).toFixed(0),
      ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map(ratio => ratio.toFixed(1)),
    ];
    console.log(`| ${program} | ${cells.join(' | ')} |`);
  }
}
