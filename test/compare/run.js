// Drives the library as the runner does, and hands over what the comparisons need.

import os from 'node:os';
import path from 'node:path';

import { loadConfig, makeMemoryStore, makeSimulation } from '#host';

import { observeCranks } from './observe.js';

/** @typedef {import('#host').Simulation} Simulation */
/** @typedef {import('./report.js').Report} Report */

/** Compiled sources are kept between runs: most of these programs share their vats. */
const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/**
 * @typedef {object} Program
 * @property {string} directory
 * @property {'current' | '2020-09'} profile
 * @property {string[]} [argv]
 * @property {number} [rounds]  of the benchmark, after bootstrap
 */

/**
 * @param {Program} program
 * @returns {Promise<{ simulation: Simulation, bootstrap: string, log: string[] }>} `log` grows as vats print
 */
export const startProgram = async ({ directory, profile, argv = [] }) => {
  const config = loadConfig({ baseDir: directory, argv });
  /** @type {string[]} */
  const log = [];
  const simulation = await makeSimulation(config, {
    store: makeMemoryStore(),
    profile,
    cacheDir,
    observer: { onConsole: (_vatName, _level, text) => void log.push(text) },
  });
  return { simulation, bootstrap: config.bootstrap, log };
};

/**
 * Run a program to its end.
 *
 * @param {Program} program
 * @returns {Promise<{ report: Report, log: string[], activityHash: string }>}
 */
export const runProgram = async program => {
  const { simulation, bootstrap, log } = await startProgram(program);
  try {
    await simulation.run();
    const report = reportRun(simulation);
    if (program.rounds !== undefined) {
      Object.assign(report, await runRounds(simulation, bootstrap, program.rounds));
    }
    return { report, log, activityHash: simulation.activityHash() };
  } finally {
    await simulation.close();
  }
};

/**
 * Run a program crank by crank.
 *
 * @param {Program} program
 */
export const traceProgram = async program => {
  const { simulation } = await startProgram(program);
  try {
    return await observeCranks(simulation.kernel, () => simulation.runCranks(1));
  } finally {
    await simulation.close();
  }
};

/** @param {Simulation} simulation */
const countCranks = ({ cranks }) => cranks.all - cranks.control;

/**
 * @param {Simulation} simulation
 * @returns {Report}
 */
const reportRun = simulation => ({
  profile: simulation.profile,
  cranks: countCranks(simulation),
  controlCranks: simulation.cranks.control,
  totalCranks: countCranks(simulation),
  counters: simulation.counters.toRecord(),
  bootstrapResult: describeResult(simulation, simulation.bootstrapResult, 'still pending'),
});

/**
 * @param {Simulation} simulation
 * @param {string} bootstrap  name of the vat
 * @param {number} rounds
 */
const runRounds = async (simulation, bootstrap, rounds) => {
  const before = simulation.counters.toRecord();
  const firstCrank = countCranks(simulation);
  /** @type {string[]} */
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const result = simulation.queueToVatRoot(bootstrap, 'runBenchmarkRound');
    await simulation.run();
    results.push(describeResult(simulation, result, 'did not finish'));
    simulation.release(result);
  }
  const after = simulation.counters.toRecord();
  /** @type {Record<string, number>} */
  const delta = {};
  /** @type {Record<string, number>} */
  const perRound = {};
  for (const [name, { value }] of Object.entries(after)) {
    delta[name] = value - before[name].value;
    perRound[name] = delta[name] / rounds;
  }
  return {
    totalCranks: countCranks(simulation),
    benchmark: {
      rounds,
      cranks: countCranks(simulation) - firstCrank,
      delta,
      perRound,
      results,
    },
  };
};

/**
 * @param {Simulation} simulation
 * @param {string} result
 * @param {string} unsettled  what to say of one that is not settled
 */
const describeResult = (simulation, result, unsettled) => {
  const { state, data } = simulation.status(result);
  if (data === null) return unsettled;
  return `${state === 'rejected' ? 'rejected' : 'fulfilled'}: ${JSON.stringify(data)}`;
};
