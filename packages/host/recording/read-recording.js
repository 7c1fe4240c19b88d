// Reads the recorded run of a store: the inputs of the host, and recorded answers to vats.

import { quote, UserError } from '#model';
import { readDeviceRecord } from '../state/device-records.js';
import { readWhole } from '../state/read-whole.js';
import { loadStoredKernel } from '../reports/report.js';

/** @import { Input, Kernel } from '#kernel' */
/** @import { Store } from '#store' */

/**
 * @typedef {object} Recording
 * @property {Store} store
 * @property {Kernel} kernel  at the end of the run, for reading
 * @property {Input[]} given  the host's inputs between cranks, in order
 * @property {Input[]} answers  physical time and dead references, in order
 */

/** Kinds of inputs that answer a vat inside its crank. @type {ReadonlySet<string>} */
const answerKinds = new Set(['clock', 'deadline', 'dead']);

/** @type {ReadonlySet<string>} */
const givenKinds = new Set([
  ...['message', 'release', 'hold', 'physical', 'stop', 'diverged', 'refused'],
  ...['end', 'reap', 'interval', 'krefs', 'bundle', 'device', 'cleanup', 'limit'],
]);

const advice = 'replay a whole copy of the database';

/**
 * @param {Store} store
 * @returns {Recording}
 * @throws {UserError} if it has no run, an incomplete one, or one that depends on unrecorded facts
 */
export const readRecording = store => {
  const kernel = readWhole('the recording is', () => loadStoredKernel(store), advice);
  const inputs = readWhole("the recording's inputs are", kernel.inputs, advice);
  const { inputCount, profile } = kernel;
  if (inputs.length !== inputCount) {
    const last = inputs.at(-1);
    throw new UserError(
      `the recording is cut short: it has ${inputs.length} inputs${last === undefined ? '' : `, the last of kind ${quote(last.kind)}`}, and the run had ${inputCount}; replay a whole copy of the database`,
      { exitCode: 1 },
    );
  }
  const [start] = inputs;
  if (start?.kind !== 'start' || start.data !== profile.name) {
    throw new UserError(
      `the recording does not begin with the input "start" of profile ${profile.name}, but with ${start === undefined ? 'nothing' : `${quote(start.kind)} of ${quote(start.data)}`}; the database is damaged`,
      { exitCode: 1 },
    );
  }
  for (const { name } of kernel.devices()) {
    if (readDeviceRecord(kernel, name).isEndowed) {
      throw new UserError(
        `the run cannot be replayed: device ${quote(name)} was given endowments by a host program, and what they did is not recorded; give the device what it needs by deviceInput(), which is`,
        { exitCode: 1 },
      );
    }
  }
  return {
    store,
    kernel,
    given: inputs.filter(({ kind }) => givenKinds.has(kind)),
    answers: inputs.filter(({ kind }) => answerKinds.has(kind)),
  };
};
