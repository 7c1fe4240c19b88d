// Checks the options of a new vat, as today's vatAdmin does. The check is here and not in the device, whose errors do
// not reach the caller.

import { isRecord, isVatLimits, quote, vatLimitsExpected } from '#model';
import { managerTypes } from '#config';

/** Characters of a name, which may become part of a command line. */
const longestName = 199;

/**
 * Options whose type is checked. Falsy values count as not set.
 *
 * @type {Readonly<Record<string, string>>}
 */
const types = {
  name: 'string',
  description: 'string',
  managerType: 'string',
  enableSetup: 'boolean',
  enablePipelining: 'boolean',
  enableDisavow: 'boolean',
  useTranscript: 'boolean',
  metered: 'boolean',
  neverReap: 'boolean',
};

/** Options whose values are checked at their use. */
const others = [
  'vatParameters',
  'limits',
  'nodeOptions',
  'reapInterval',
  'reapGCKrefs',
  'critical',
  'meter',
];

/** @param {string} problem @returns {never} */
const fail = problem => {
  throw Error(`CreateVatOptions: ${problem}`);
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

/** @param {string} name */
const checkName = name => {
  if (name.length > longestName) fail(`oversized vat name ${quote(name)}`);
  if (!/^[A-Za-z0-9._-]+$/.test(name)) fail(`bad vat name ${quote(name)}`);
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
 * @param {(meter: any) => boolean} isUnlimited
 * @returns {Record<string, any>} for the device
 * @throws {Error} an option is unknown, or not what it has to be
 */
export const convertOptions = (options = {}, criticalVatKey, isUnlimited) => {
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
  if (reapInterval !== undefined && !isReapInterval(reapInterval))
    fail(`reapInterval must be a whole number, or "never", got ${quote(reapInterval)}`);
  if (limits !== undefined && !isVatLimits(limits))
    fail(`limits must be ${vatLimitsExpected}, got ${quote(limits)}`);
  if (unknown.length > 0) fail(`unknown options ${quote(unknown.join(','))}`);
  if (meter && !isUnlimited(meter))
    fail('vats are not metered here, so a vat takes no meter but an unlimited one');
  if (critical && critical !== criticalVatKey) throw Error('invalid criticalVatKey');
  return {
    ...given,
    ...(name !== undefined && { name }),
    ...(managerType && { managerType }),
    ...(critical && { critical: true }),
  };
};
