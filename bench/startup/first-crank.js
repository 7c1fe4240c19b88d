// Loaded into the runner before anything else: tells when the first crank begins. It hooks the class that runs
// cranks, whose module the runner would load anyway.

import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { CrankRunner } from '../../packages/kernel/crank/runner.js';

const { pump } = CrankRunner.prototype;

CrankRunner.prototype.pump = function pumpFirst(...args) {
  CrankRunner.prototype.pump = pump;
  const atMs = performance.timeOrigin + performance.now();
  process.once('exit', () => {
    writeFileSync(/** @type {string} */ (process.env.BENCH_FIRST_CRANK), String(atMs));
  });
  return pump.apply(this, args);
};
