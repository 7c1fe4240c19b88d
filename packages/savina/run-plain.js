// Runs the hand-written programs in a process of their own. Started by measure.js.

import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { plainPrograms, plainSize } from './plain-node.js';

const { turns } = JSON.parse(process.argv[2]);
/** @type {Record<string, number[]>} */
const ms = {};
for (const [name, make] of Object.entries(plainPrograms)) {
  ms[name] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const program = make(plainSize(name));
    const start = performance.now();
    program.run();
    ms[name].push(performance.now() - start);
    if (program.answer() !== plainSize(name)) throw Error(`${name} counted ${program.answer()}`);
  }
}
process.send?.(ms, () => process.disconnect());
