// What marshalling costs: ours beside @endo/marshal, in one run, on the bodies that vats mostly send.
//
//   node bench/marshal/main.js [--json FILE]
//
// Each figure is the median of `rounds` timed loops that take turns, so that a noisy neighbour hits both sides.

import '#testkit/lockdown.js';

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import process from 'node:process';

const ours = await import('../../packages/vat/marshal/index.js');
const { libraryFar, libraryRemotable } = await import('../../packages/vat/marshal/pass-style.js');
const { makeMarshal } = await import('@endo/marshal');

const rounds = 15;
/** Nanoseconds that a loop should take. */
const loopNs = 4_000_000;
/** Values are prepared, since making them is not what is measured; enough of them that caches see no repeats. */
const prepared = 512;

/** @type {Map<unknown, string>} */
const slots = new Map();
/** @type {Map<string, unknown>} */
const values = new Map();
const slotOf = (/** @type {any} */ value) => {
  let slot = slots.get(value);
  if (slot === undefined) {
    slot = `${value instanceof Promise ? 'p' : 'o'}+${slots.size}`;
    slots.set(value, slot);
    values.set(slot, value);
  }
  return slot;
};
const valOf = (/** @type {string} */ slot) => /** @type {any} */ (values.get(slot));

const smallcaps = ours.makeSmallcapsMarshal(slotOf, valOf, { lenient: true });
const library = makeMarshal(slotOf, valOf, {
  serializeBodyFormat: 'smallcaps',
  marshalSaveError: () => {},
});

const alice = ours.Far('alice', { hello() {} });
const bob = ours.Far('bob', { hello() {} });

/** @type {Record<string, (i: number) => any>} */
const shapes = {
  undefined: () => undefined,
  '[]': () => [],
  '["ping",["0"]]': i => ['ping', [String(i)]],
  '["hello",[remotable]]': () => ['hello', [alice]],
  '["hello",[promise,3]]': i => ['hello', [Promise.resolve(), i]],
  '{a:1n,b:remotable}': i => ({ a: BigInt(i), b: bob }),
  'a record of 8 texts': i =>
    Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`key${k}`, `some text ${i} ${k}`])),
  'an array of 100 numbers': i => Array.from({ length: 100 }, (_, k) => k * i),
};

/** @param {number[]} sorted */
const median = sorted => sorted[sorted.length >> 1];

/** @type {{ suite: string, name: string, unit: string, n: number, median: number, min: number, max: number }[]} */
const rows = [];
const hash = createHash('sha256');

/** Results are looked at, so that no loop is optimised away. */
let sink = 0;

/**
 * @param {string} name
 * @param {Record<string, (i: number) => unknown>} sides  each does the thing once, with the i-th prepared value
 */
const compare = (name, sides) => {
  const contestants = Object.entries(sides).map(([side, run]) => {
    const time = (/** @type {number} */ n) => {
      const start = process.hrtime.bigint();
      for (let i = 0; i < n; i += 1) sink += run(i % prepared) === null ? 1 : 0;
      return Number(process.hrtime.bigint() - start);
    };
    time(2000);
    const n = Math.max(prepared, Math.ceil((loopNs * 1000) / time(1000)));
    return { side, time, n, samples: /** @type {number[]} */ ([]) };
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const { time, n, samples } of contestants) samples.push(time(n) / n);
  }
  for (const { side, n, samples } of contestants) {
    samples.sort((left, right) => left - right);
    rows.push({
      suite: 'marshal',
      name: `${name}, ${side}`,
      unit: 'ns',
      n: n * rounds,
      median: median(samples),
      min: samples[0],
      max: samples[samples.length - 1],
    });
  }
  const shown = contestants.map(({ side, samples }) => `${side} ${median(samples).toFixed(0)} ns`);
  console.log(`${name.padEnd(44)} ${shown.join('   ')}`);
};

for (const [name, make] of Object.entries(shapes)) {
  const hardened = Array.from({ length: prepared }, (_, i) => harden(make(i)));
  const datas = hardened.map(value => smallcaps.toCapData(value));
  for (const { body, slots: listed } of datas) hash.update(`${body} ${listed.length}\n`);
  compare(`encode ${name}`, {
    ours: i => smallcaps.toCapData(hardened[i]),
    library: i => library.toCapData(hardened[i]),
  });
  compare(`decode ${name}`, {
    ours: i => smallcaps.fromCapData(datas[i]),
    library: i => library.fromCapData(datas[i]),
  });
}

{
  // A send as the supervisor does it: the arguments are new, hardened and encoded.
  compare('send ping("0")', {
    ours: i => smallcaps.messageToCapData('ping', [String(i)]),
    library: i => library.toCapData(harden(['ping', [String(i)]])),
  });
  compare('send hello({a: [i], b: remotable})', {
    ours: i => smallcaps.messageToCapData('hello', [{ a: [i], b: alice }]),
    library: i => library.toCapData(harden(/** @type {any} */ (['hello', [{ a: [i], b: alice }]]))),
  });
  const datas = Array.from({ length: prepared }, (_, i) =>
    smallcaps.messageToCapData('ping', [String(i)]),
  );
  compare('receive ping("0")', {
    ours: i => smallcaps.messageFromCapData(datas[i]),
    library: i => library.fromCapData(datas[i]),
  });
}

compare('Far of 2 methods', {
  ours: () => ours.Far('thing', { foo() {}, bar() {} }),
  library: () => libraryFar('thing', { foo() {}, bar() {} }),
});
compare('a presence', {
  ours: i => ours.Remotable(`Alleged: presence o-${i}`),
  library: i => libraryRemotable(`Alleged: presence o-${i}`),
});
compare('harden ["ping",["0"]]', {
  ours: i => ours.hardenData(['ping', [String(i)]]),
  library: i => harden(['ping', [String(i)]]),
});

console.log(`bodies ${hash.digest('hex').slice(0, 16)}${sink < 0 ? '!' : ''}`);

const where = process.argv.indexOf('--json');
if (where > 0) {
  const context = {
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${arch()}`,
    node: process.version,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    params: { rounds, prepared },
  };
  const text = JSON.stringify(
    rows.map(row => ({ ...row, ...context })),
    undefined,
    1,
  );
  writeFileSync(process.argv[where + 1], `${text}\n`);
}
