// Gives a host program the stacks of its own errors back. Lockdown hides the stacks of all errors from vats, which share
// the realm, and so from the program, its tests and Node: a slip in a test then had no line, and Node 20 shows such an
// error as `{}`.
//
// An error is the host program's if its first frame is in a file outside of this package and no frame is in code made
// from a string, as all code of vats is. So no vat sees a stack: what a vat throws has a vat's frame, and what this
// package throws begins in a file of it.

import { inspect, types } from 'node:util';
import { fileURLToPath } from 'node:url';
import { findData, readError } from '#model';

const ownFolder = new URL('../../', import.meta.url);
const ownPrefixes = [ownFolder.href, fileURLToPath(ownFolder)];

/** Whether a line of a stack names a file of this package, or a source that starts so. @param {string} text */
export const isOfThisPackage = text => ownPrefixes.some(prefix => text.includes(prefix));

/** Packages that run for vats, wherever they are installed. */
const partsOfVats = /[\\/]node_modules[\\/](?:@endo|@agoric|ses)[\\/]/;

/** @typedef {{ isEval: () => boolean, getFileName: () => string | null | undefined }} CallSite */

/**
 * Whether an error belongs to the host program.
 *
 * @param {readonly CallSite[]} sites  of the error, the innermost first
 */
const isOfHost = sites => {
  /** @type {string | undefined} */
  let first;
  for (const site of sites) {
    if (site.isEval()) return false;
    const file = site.getFileName();
    // Functions of the engine have no file, and Node's own come between.
    if (first === undefined && file && !file.startsWith('node:')) first = file;
  }
  if (first === undefined || partsOfVats.test(first)) return false;
  return !isOfThisPackage(first);
};

/** @param {unknown} error @param {readonly CallSite[]} sites @returns {string} empty if a vat might see it */
const writeStack = (error, sites) => {
  try {
    if (!isOfHost(sites)) return '';
    const { name, message } = readError(error, types.isProxy);
    const lines = sites.map(site => `\n    at ${site}`);
    return `${name}${message === '' ? '' : `: ${message}`}${lines.join('')}`;
  } catch {
    return '';
  }
};

/** An error as Node shows it where it can. @param {unknown} error */
const describeError = error => {
  const stack = findData(error, 'stack', types.isProxy);
  const { name, message } = readError(error, types.isProxy);
  const text = typeof stack === 'string' && stack !== '' ? stack : `[${name}: ${message}]`;
  const code = findData(error, 'code', types.isProxy);
  const cause = findData(error, 'cause', types.isProxy);
  return [
    text,
    ...(typeof code === 'string' && !text.includes(code) ? [`  code: ${code}`] : []),
    ...(types.isNativeError(cause) ? [`  [cause]: ${readError(cause).message}`] : []),
  ].join('\n');
};

const methods = /** @type {const} */ (['debug', 'error', 'info', 'log', 'trace', 'warn']);

/** Whether Node shows an error of a locked-down realm as an empty object, as Node 20 does. */
const losesErrors = () => !inspect(Error('probe')).includes('probe');

/** @param {unknown} value */
const standIn = value =>
  types.isNativeError(value) && !inspect(value).includes(readError(value).message)
    ? { [inspect.custom]: () => describeError(value) }
    : value;

/** Show errors whole that the program prints, or does not catch. */
const showErrors = () => {
  for (const method of methods) {
    const print = console[method];
    console[method] = (/** @type {unknown[]} */ ...values) => print(...values.map(standIn));
  }
  process.on('uncaughtExceptionMonitor', error => {
    if (process.listenerCount('uncaughtException') > 0 || standIn(error) === error) return;
    process.stderr.write(`${describeError(error)}\n`);
  });
};

/** @typedef {{ prepareStackTrace?: unknown }} HookedError */

/** SES's hook with ours behind it; undefined where the program has one of its own. @type {unknown} */
let ours;
/** SES's hook alone. @type {unknown} */
let plain;

/** Give errors of the host program their stacks, and let Node show them. To be called once, after lockdown. */
export const giveHostStacks = () => {
  const Hooked = /** @type {HookedError} */ (/** @type {unknown} */ (Error));
  plain = Hooked.prepareStackTrace;
  Hooked.prepareStackTrace = writeStack;
  ours = Hooked.prepareStackTrace;
  if (losesErrors()) showErrors();
};

/**
 * Read the stack of a vat's error without our hook, which takes six times as long as SES's and would say nothing of it.
 *
 * @template T
 * @param {() => T} read
 * @returns {T}
 */
export const withoutHostStacks = read => {
  const Hooked = /** @type {HookedError} */ (/** @type {unknown} */ (Error));
  if (ours === undefined || Hooked.prepareStackTrace !== ours) return read();
  Hooked.prepareStackTrace = plain;
  try {
    return read();
  } finally {
    Hooked.prepareStackTrace = ours;
  }
};
