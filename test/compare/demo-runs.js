// Every demo as tests run it: with its arguments and rounds, and once more for each thing that its arguments make of it.

import { listDemos } from './load.js';

/** @type {Record<string, { argv?: string[], rounds?: number }>} */
const options = {
  megaPong: { argv: ['20'] },
  pingpong: { rounds: 100 },
  promiseChainBenchmark: { rounds: 100 },
  resolveChain: { argv: ['10'] },
};

/** Demos that do more than one thing, by what their arguments make of them. @type {Record<string, string[]>} */
const modes = {
  meterExhaustion: ['--allocate'],
  terminateVat: ['happy', 'exceptionallyHappy', 'sad', 'exceptionallySad'],
  vatFailure: ['--bedynamic'],
};

/**
 * @typedef {object} DemoRun
 * @property {string} title
 * @property {string} demo
 * @property {string[]} [argv]
 * @property {number} [rounds]
 */

/** @returns {DemoRun[]} */
export const listDemoRuns = () =>
  listDemos().flatMap(demo => [
    { title: demo, demo, ...options[demo] },
    ...(modes[demo] ?? []).map(mode => ({ title: `${demo} ${mode}`, demo, argv: [mode] })),
  ]);
