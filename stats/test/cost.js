// Measures the cost of recording: `node stats/test/cost.js`. Prints the median of some rounds, in
// nanoseconds.

import os from 'node:os';
import path from 'node:path';
import fs from 'node:fs';
import {
  counterColumns,
  makeStatsRecorder,
  readMemory,
  readStatsFile,
  summarise,
} from '../index.js';

const rowsOfRound = 10_000;
const rounds = 9;

/**
 * @param {string} name
 * @param {() => void} action
 */
const measure = (name, action) => {
  const took = Array.from({ length: rounds }, () => {
    const start = process.hrtime.bigint();
    for (let i = 0; i < rowsOfRound; i += 1) action();
    return Number(process.hrtime.bigint() - start) / rowsOfRound;
  });
  const { median, min, max } = summarise(took);
  console.log(
    `${name.padEnd(44)} ${median.toFixed(0)} ns (${min.toFixed(0)} to ${max.toFixed(0)})`,
  );
};

const columns = [
  ...Array.from({ length: 9 }, (_, i) =>
    counterColumns(`held${i}`, { up: true, down: true, max: true }),
  ).flat(),
  ...Array.from({ length: 36 }, (_, i) => `counted${i}`),
];
const file = path.join(os.tmpdir(), `stats-cost-${process.pid}.tsv`);
const recorder = makeStatsRecorder({ path: file, columns });
const counters = new Float64Array(columns.length);
let block = 0;
const record = (/** @type {import('../index.js').MemoryReading | undefined} */ memory) => {
  block += 1;
  for (let i = 0; i < counters.length; i += 1) counters[i] += i % 7;
  recorder.row({
    block,
    steps: 7,
    btimeNs: 312_456,
    ctimeNs: 98_123,
    memory,
    diskBytes: 4096 * block,
    counters,
  });
};

measure('process.memoryUsage()', () => process.memoryUsage());
measure('process.memoryUsage.rss()', () => process.memoryUsage.rss());
measure('readMemory()', () => readMemory());
measure(`row of ${columns.length + 9} columns, memory not measured`, () => record(undefined));
measure(`row of ${columns.length + 9} columns with readMemory()`, () => record(readMemory()));
recorder.close();
const start = performance.now();
const { length } = readStatsFile(file);
console.log(`${length} rows read back in ${(performance.now() - start).toFixed(0)} ms`);
fs.rmSync(file);
