// Begins a run: writes the state of a config or of a recording, or loads the stored one; then attaches devices and
// vats.

import { nameConfig } from '#config';
import { UserError } from '#model';
import { findEngineFacts, noteEngine } from '#observe/engine-facts.js';
import { notReproducible } from '../engine/engine-flags.js';
import { readBootstrapResult } from '../state/bootstrap-result.js';
import { chooseLenient, insistSameLeniency } from '../state/leniency.js';
import { readWhole } from '../state/read-whole.js';
import { beginProgram, installConfig, readProgram } from '../state/new-state.js';
import { attachDevices } from './attach-devices.js';
import { attachVats, endDiverged, makeReplay } from './vat-histories.js';

/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Assembly } from './assemble.js' */
/** @import { SimulationOptions } from './options.js' */

/**
 * Name the config with the connections of reactors; a state has it from its beginning.
 *
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @returns {string} a name for errors
 */
export const nameSource = (config, { resume, recording }) => {
  if (resume) return 'the config that the state was made from';
  return recording ? 'the recorded config' : nameConfig(config);
};

/**
 * @param {Assembly} assembly
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @param {string[]} notices  gets lines for a person
 * @throws {UserError} if there is neither a config nor a recording, or a vat's source cannot be bundled
 */
const makeState = async ({ kernel, shelf, profileName }, config, options, notices) => {
  const { recording, cacheDir } = options;
  const parts = { kernel, shelf, cacheDir, notices };
  const program = recording ? await recording.install(parts) : undefined;
  if (config === undefined && program === undefined)
    throw new UserError(
      'a new simulation needs a config, loadConfig({ baseDir: DIRECTORY }); a state is taken up with "resume: true"',
    );
  const wanted = program ?? (await installConfig(/** @type {LoadedConfig} */ (config), parts));
  if (program === undefined) wanted.strict = !chooseLenient(config, options, profileName);
  beginProgram(kernel, wanted);
};

/**
 * @param {Assembly} assembly
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options
 * @returns {Promise<{ notices: string[], countWakes: () => number }>} lines for a person; the number of devices'
 *   wake-ups in this process
 * @throws {UserError} if a vat does not evaluate, there is no state to resume, a vat does not repeat its transcript, …
 */
export const beginRun = async (assembly, config, options) => {
  const { kernel, shelf, watch, drain, places, observers, collectionFlags } = assembly;
  const { resume = false, endDiverging } = options;
  /** @type {string[]} */
  const notices = [];
  let wakes = 0;
  const onWake = () => {
    wakes += 1;
  };
  try {
    if (resume) {
      readWhole('the state is', () => kernel.load());
      insistSameLeniency(kernel, options);
    } else await makeState(assembly, config, options, notices);
    readWhole('the state is', () =>
      kernel.insistOnBootstrap(readProgram(kernel).bootstrap, readBootstrapResult(kernel)),
    );
    const another = noteEngine(kernel, findEngineFacts(collectionFlags));
    if (another !== undefined) notices.push(another);
    if (collectionFlags === 'not set') notices.push(notReproducible);
    observers.guard('onKernel', options.onKernel)?.(kernel);
    await attachDevices({ kernel, shelf, watch, onWake }, options.deviceEndowments);
    const replay = makeReplay({ kernel, drain, endDiverging });
    const diverged = await attachVats({ kernel, places, drain, resume, replay });
    watch.goLive();
    // Behind all queued items.
    endDiverged(kernel, watch, diverged);
  } catch (error) {
    watch.stop();
    throw watch.explain(error, nameSource(config, options));
  }
  return { notices, countWakes: () => wakes };
};
