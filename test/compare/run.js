// Drives the library as the runner does, and hands over what the comparisons need.

import os from 'node:os';
import path from 'node:path';

import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { audit } from '#kernel';
import { storeDigest } from '#store';

import { observeCranks } from './observe.js';

/** @typedef {import('#host').Simulation} Simulation */
/** @typedef {import('#kernel').Transport} Transport */
/** @typedef {import('#store').Store} Store */
/** @typedef {import('./report.js').Report} Report */

/** Compiled sources are kept between runs: most of these programs share their vats. */
const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/**
 * @typedef {object} Program
 * @property {string} directory  or the path of a config
 * @property {'current' | '2020-09'} profile
 * @property {string[]} [argv]
 * @property {number} [rounds]  of the benchmark, after bootstrap
 * @property {boolean} [indirect]  whether a launcher makes its vats
 */

/**
 * How a program is run. None of this may make a difference to what it does.
 *
 * @typedef {object} Way
 * @property {number} [blockSize]  cranks
 * @property {(isNew: boolean) => Store} [openStore]  default: in memory
 * @property {boolean} [reopen]  after each block, close the store, open it again and resume
 * @property {number} [lookahead]  items that may begin early
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]
 */

/**
 * The outcome of a program.
 *
 * @typedef {object} Outcome
 * @property {Report} report
 * @property {string[]} log  every line that a vat printed
 * @property {string} activityHash
 * @property {string} digest  of the store
 * @property {string[]} differences  what an audit finds wrong in the state that it leaves
 */

/**
 * Run a program to its end.
 *
 * @param {Program} program
 * @param {Way} [way]
 * @returns {Promise<Outcome>}
 */
export const runProgram = async (program, way = {}) => {
  const run = await startRun(program, way);
  try {
    await run.toEnd();
    const report = reportRun(run.simulation);
    if (program.rounds !== undefined) Object.assign(report, await runRounds(run, program.rounds));
    if (run.simulation.hasPrograms) {
      run.simulation.stopPrograms();
      await run.toEnd();
      Object.assign(report, reportRun(run.simulation));
    }
    await run.simulation.commit();
    const { kernel } = run.simulation;
    return {
      report,
      log: run.log,
      activityHash: run.simulation.activityHash(),
      digest: storeDigest(run.store),
      differences: audit(kernel.state),
    };
  } finally {
    await run.simulation.close();
  }
};

/**
 * Run a program crank by crank.
 *
 * @param {Program} program
 */
export const traceProgram = async program => {
  const { simulation } = await startRun(program, {});
  try {
    return await observeCranks(simulation.kernel, () => simulation.runCranks(1));
  } finally {
    await simulation.close();
  }
};

/**
 * @param {Program} program
 * @param {Way} way
 */
const startRun = async ({ directory, profile, argv = [], indirect = false }, way) => {
  const { blockSize = 200, reopen = false, openStore = () => makeMemoryStore() } = way;
  const config = loadConfig({ baseDir: directory, argv, indirect });
  /** @type {string[]} */
  const log = [];

  /** @param {boolean} isNew */
  const open = async isNew => {
    const store = openStore(isNew);
    const simulation = await makeSimulation(isNew ? config : undefined, {
      store,
      ...(isNew ? { profile } : { resume: true }),
      cacheDir,
      observer: { onConsole: (_vatName, _level, text) => void log.push(text) },
      ...(way.lookahead !== undefined && { lookahead: way.lookahead }),
      ...(way.wrapTransport && { wrapTransport: way.wrapTransport }),
    });
    return { store, simulation };
  };

  const run = {
    ...(await open(true)),
    bootstrap: config.bootstrap,
    log,
    async toEnd() {
      while (!run.simulation.isQuiet) {
        await run.simulation.run({ blockSize, maxCranks: blockSize });
        if (reopen) {
          await run.simulation.close();
          Object.assign(run, await open(false));
        }
      }
    },
  };
  return run;
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
 * Each round is one message to bootstrap's root, run until nothing is queued; then its result is let go.
 *
 * @param {Awaited<ReturnType<typeof startRun>>} run
 * @param {number} rounds
 */
const runRounds = async (run, rounds) => {
  const before = run.simulation.counters.toRecord();
  const firstCrank = countCranks(run.simulation);
  /** @type {string[]} */
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const result = run.simulation.queueToVatRoot(run.bootstrap, 'runBenchmarkRound');
    await run.toEnd();
    results.push(describeResult(run.simulation, result, 'did not finish'));
    run.simulation.release(result);
  }
  const after = run.simulation.counters.toRecord();
  const totalCranks = countCranks(run.simulation);
  /** @type {Record<string, number>} */
  const delta = {};
  /** @type {Record<string, number>} */
  const perRound = {};
  for (const [name, { value }] of Object.entries(after)) {
    delta[name] = value - before[name].value;
    perRound[name] = delta[name] / rounds;
  }
  const cranks = totalCranks - firstCrank;
  return { totalCranks, benchmark: { rounds, cranks, delta, perRound, results } };
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
