// Checks the options of a new vat, as today's vatAdmin does. The check is here and not in the device, whose errors do
// not reach the caller.

import {
  isRecord,
  isVatLimits,
  isVatName,
  isVatNameTooLong,
  quote,
  vatLimitsExpected,
} from '#model';
import { managerTypes } from '#config';

/**
 * Options whose type is checked. Falsy values count as not set.
 *
 * @type {Readonly<Record<string, string>>}
 */
const types = {
  name: 'string',
  managerType: 'string',
  enableSetup: 'boolean',
  enablePipelining: 'boolean',
  useTranscript: 'boolean',
  reapInterval: 'number',
};

/** Options whose values are checked at their use, or ignored. */
const others = ['vatParameters', 'limits', 'nodeOptions', 'critical', 'meter'];

/** @param {string} problem @returns {never} */
const fail = problem => {
  throw Error(`CreateVatOptions: ${problem}`);
};

/**
 * The interval after which SwingSet would ask the vat: it compares the number as it is, and takes what is no finite
 * number, or falsy, as never.
 *
 * @param {unknown} value  a number, or falsy
 * @returns {number} 0 for never
 */
const wholeInterval = value => {
  const number = Number(value);
  if (!value || !Number.isFinite(number)) return 0;
  return Math.min(Math.max(Math.ceil(number), 1), Number.MAX_SAFE_INTEGER);
};

/** An interval of 0 means never, as in SwingSet. @param {unknown} value */
export const isReapInterval = value =>
  value === 'never' ||
  ((typeof value === 'bigint' || Number.isSafeInteger(value)) && Number(value) >= 0);

/**
 * Check the options that may be changed while a vat runs.
 *
 * @param {Record<string, unknown>} options
 * @throws {Error} an option is unknown, or not what it has to be
 */
export const checkVatOptions = options => {
  if (!isRecord(options)) throw Error(`options must be an object, got ${quote(options)}`);
  for (const [option, value] of Object.entries(options)) {
    if (option !== 'reapInterval') throw Error(`invalid option ${quote(option)}`);
    if (!isReapInterval(value)) throw Error('invalid reapInterval value');
  }
};

/** @param {unknown} name */
const checkName = name => {
  if (typeof name !== 'string') return fail(`name must be a string, got ${quote(name)}`);
  if (isVatNameTooLong(name)) fail(`oversized vat name ${quote(name)}`);
  if (!isVatName(name)) fail(`bad vat name ${quote(name)}`);
};

/**
 * @param {unknown} nodeOptions
 * @param {unknown} managerType
 */
const checkNodeOptions = (nodeOptions, managerType) => {
  if (!nodeOptions) return;
  if (managerType !== 'node-subprocess') fail("nodeOptions requires managerType='node-subprocess'");
  if (!Array.isArray(nodeOptions) || nodeOptions.some(option => typeof option !== 'string'))
    fail('nodeOptions must be a list of strings');
};

/**
 * @param {Record<string, any> | undefined} options
 * @param {object} criticalVatKey
 * @param {(meter: object) => string | undefined} idOfMeter
 * @returns {Record<string, any>} for the device
 * @throws {Error} an option is unknown, or not what it has to be
 */
export const convertOptions = (options = {}, criticalVatKey, idOfMeter) => {
  if (typeof options !== 'object' || options === null)
    fail(`options must be an object, got ${quote(options)}`);
  for (const [option, type] of Object.entries(types)) {
    const value = options[option];
    if (value && typeof value !== type) fail(`${option} must be a ${type}, got ${quote(value)}`);
  }
  const { name, managerType, nodeOptions, critical, meter, ...given } = options;
  if (name !== undefined) checkName(name);
  if (managerType && !managerTypes.includes(managerType))
    fail(`bad managerType ${quote(managerType)}`);
  checkNodeOptions(nodeOptions, managerType);
  const unknown = Object.keys(given).filter(
    option => !Object.hasOwn(types, option) && !others.includes(option),
  );
  const { reapInterval, limits } = given;
  if (limits !== undefined && !isVatLimits(limits))
    fail(`limits must be ${vatLimitsExpected}, got ${quote(limits)}`);
  if (unknown.length > 0) fail(`unknown options ${quote(unknown.join(','))}`);
  if (critical && critical !== criticalVatKey) throw Error('invalid criticalVatKey');
  const set = Object.entries(given).filter(
    ([option, value]) => !Object.hasOwn(types, option) || value || value === false,
  );
  // SwingSet ignores what is no meter.
  const meterID = meter ? idOfMeter(meter) : undefined;
  return {
    ...Object.fromEntries(set),
    ...(meterID !== undefined && { meterID }),
    ...(reapInterval !== undefined && { reapInterval: wholeInterval(reapInterval) }),
    ...(name !== undefined && { name }),
    ...(managerType && { managerType }),
    ...(critical && { critical: true }),
  };
};
