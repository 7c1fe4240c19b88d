// A thread of `bench ipc --parallel`: opens a kernel with vats, and makes calls on command, at the
// same time as the other threads.

import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '#model';
import { openBench } from './bench.js';
import { joinSamples, makeInstrument } from './instrument.js';
import { paths } from './paths.js';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { Samples } from './instrument.js' */
/** @import { Path } from './paths.js' */

const port = /** @type {MessagePort} */ (parentPort);
const { core, gate } = /** @type {{ core: number, gate: Int32Array }} */ (workerData);

/** The number of calls of a round. */
const callsOfRound = 5_000;

const warmupRounds = 6;

const instrument = makeInstrument(2 * callsOfRound + 64);

/** @returns {string | undefined} */
const pinHere = () => {
  try {
    instrument.counters.pin(core);
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
};
const pinProblem = pinHere();
const bench = await openBench(instrument, 'memory');

/** @param {Path} path @param {number} rounds */
const goRounds = async (path, rounds) => {
  /** @type {Samples[]} */
  const parts = [];
  for (let i = 0; i < rounds; i += 1) {
    instrument.begin();
    await path.go(bench, callsOfRound);
    parts.push(instrument.takeSamples(path.pattern));
  }
  return joinSamples(parts);
};

/** Wait until all threads are ready. @param {number} active */
const meet = active => {
  Atomics.add(gate, 0, 1);
  while (Atomics.load(gate, 0) < active);
};

port.on('message', async ({ path: name, calls, active }) => {
  const path = paths.find(each => each.name === name);
  if (path === undefined) throw Error(`there is no path ${name}`);
  const { together = 1 } = path;
  await goRounds(path, warmupRounds);
  const cost = instrument.measureCost().timer?.median ?? 0;
  meet(active);
  const { timer = new Float64Array() } = await goRounds(path, Math.ceil(calls / callsOfRound));
  const values = timer.map(value => Math.max(0, value - cost) / together);
  port.postMessage({ values, together }, [/** @type {ArrayBuffer} */ (values.buffer)]);
});
port.postMessage({ pinProblem });
