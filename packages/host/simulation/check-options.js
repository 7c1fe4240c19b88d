// Checks the options of `makeSimulation` by name and type before anything is opened or run.

import { describeGiven, insistOptions, quote, UserError } from '#model';
import { insistCount, insistMethods } from '../insist.js';

/** @import { CapData, OptionRule } from '#model' */
/** @import { CallOptions } from '../calls/index.js' */
/** @import { VatObserver } from '../vats/vats.js' */
/** @import { SimulationOptions } from './options.js' */

/**
 * Every option; `tsc` reports a missing one. Numbers and strings are checked where they are used.
 *
 * @type {Readonly<Record<keyof SimulationOptions, OptionRule>>}
 */
const rules = Object.freeze({
  store: 'object',
  profile: ['current', '2020-09'],
  resume: 'boolean',
  lenient: 'boolean',
  endDiverging: 'boolean',
  cacheDir: 'string',
  observer: 'object',
  deviceEndowments: 'object',
  onHandOut: 'function',
  clock: 'object',
  recording: 'object',
  crankObserver: 'object',
  onObserverError: 'function',
  observeReactions: 'function',
  observeWorkers: 'object',
  onKernel: 'function',
  engineFlags: ['collections', 'speed', 'none'],
  calls: 'object',
  drain: 'object',
  workers: 'any',
  openPool: 'function',
  workerDelays: 'number',
  lookahead: 'number',
  wrapTransport: 'function',
  vatPowers: 'object',
});

/** @type {Readonly<Record<keyof CallOptions, OptionRule>>} */
const callRules = Object.freeze({ maxCalls: 'any', timeoutMs: 'any' });

/** @type {Readonly<Record<keyof VatObserver, OptionRule>>} */
const observerRules = Object.freeze({
  onConsole: 'function',
  onTestLog: 'function',
  onVatError: 'function',
});

const maker = 'makeSimulation()';

/** Tell whether a store was given instead of an object with a store. @param {unknown} options */
const isStore = options =>
  typeof options === 'object' &&
  options !== null &&
  'commit' in options &&
  typeof options.commit === 'function';

/**
 * Tell whether it has the parts of a result of `loadConfig`, which has checked their contents.
 *
 * @param {unknown} config
 */
const isLoaded = config =>
  typeof config === 'object' &&
  config !== null &&
  ['vats', 'bundles', 'devices'].every(part => {
    const value = /** @type {Record<string, unknown>} */ (config)[part];
    return typeof value === 'object' && value !== null;
  });

/**
 * @param {unknown} config  undefined to resume
 * @param {unknown} options
 * @throws {TypeError} if an option has an unknown name or a wrong type, the store is missing, or `config` is not a
 *   loaded config
 */
export const insistSimulationOptions = (config, options) => {
  if (config !== undefined && !isLoaded(config))
    throw TypeError(
      `the config of ${maker} is not one that was loaded, got ${describeGiven(config)}; give loadConfig({ baseDir: 'DIRECTORY' }), or undefined to resume`,
    );
  if (isStore(options))
    throw TypeError(
      `the options of ${maker} are not an object of options, got a store; give { store: … }`,
    );
  insistOptions(maker, options, rules);
  const given = /** @type {SimulationOptions} */ (options);
  const {
    store,
    workers,
    clock,
    recording,
    lookahead,
    calls = {},
    observer = {},
    deviceEndowments = {},
  } = given;
  if (workers !== undefined && workers !== 'auto' && typeof workers !== 'number')
    throw TypeError(
      `the option "workers" must be "auto" or a whole number from 0 to 64, got ${describeGiven(workers)}`,
    );
  if (store === undefined)
    throw TypeError(
      `option "store" of ${maker} is missing, got undefined; give makeMemoryStore(), or openLmdbStore({ dir, durability, create })`,
    );
  if (!isStore(store))
    throw TypeError(
      `option "store" of ${maker} is not a store, got ${describeGiven(store)}; give makeMemoryStore(), or openLmdbStore({ dir, durability, create })`,
    );
  if (clock !== undefined)
    insistMethods(
      `option "clock" of ${maker}`,
      clock,
      ['nowNs', 'isLate'],
      'the "clock" of makeRealTime()',
    );
  for (const [name, endowments] of Object.entries(deviceEndowments))
    if (typeof endowments !== 'object' || endowments === null)
      throw TypeError(
        `the endowments of device ${quote(name)} for ${maker} are not an object, got ${describeGiven(endowments)}; give the object that its buildRootDeviceNode() receives as "endowments"`,
      );
  if (recording !== undefined)
    insistMethods(
      `option "recording" of ${maker}`,
      recording,
      ['install'],
      'none: replayRecording() repeats a run',
    );
  if (lookahead !== undefined) insistCount('the option "lookahead"', lookahead, 0);
  insistOptions(`"calls" of ${maker}`, calls, callRules);
  insistOptions(`"observer" of ${maker}`, observer, observerRules);
};

/**
 * @param {string} call  for the message
 * @param {unknown} result
 * @throws {UserError} if it is not a string
 */
export const insistResult = (call, result) => {
  if (typeof result !== 'string')
    throw new UserError(
      `${call} takes a result as queueToVatRoot() gives it, got ${describeGiven(result)}`,
    );
};

/**
 * @param {string} call  for the message
 * @param {unknown} error
 * @returns {{ name: string, message: string } | CapData}
 * @throws {UserError} if it is neither an error nor capdata
 */
export const insistError = (call, error) => {
  const { name, message, body, slots } = Object(error);
  if (typeof body === 'string' && Array.isArray(slots)) return { body, slots };
  if (typeof name !== 'string' || typeof message !== 'string')
    throw new UserError(
      `${call} takes an error with name and message, got ${describeGiven(error)}`,
    );
  return { name, message };
};
