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
    if (first !== undefined) continue;
    const file = site.getFileName();
    // Functions of the engine have no file, and Node's own come between.
    if (!file || file.startsWith('node:')) continue;
    if (partsOfVats.test(file) || isOfThisPackage(file)) return false;
    first = file;
  }
  return first !== undefined;
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

/** @typedef {(error: unknown, sites: readonly CallSite[]) => string} PrepareStack */

/** The engine's constructor, which lockdown hides behind one of its own. */
const EngineError = /** @type {{ prepareStackTrace?: PrepareStack }} */ (
  /** @type {unknown} */ (Error)
);

/**
 * Give errors of the host program their stacks, and let Node show them. To be called once, after lockdown.
 *
 * The engine's hook is set by itself, and not by SES's setter: a hook that is set there gets a copy of each frame with
 * twenty functions, which took longer than all else that an error of a vat costs. It is called for each error that is
 * hardened.
 */
export const giveHostStacks = () => {
  const { prepareStackTrace: noteFrames } = EngineError;
  if (noteFrames === undefined) return;
  EngineError.prepareStackTrace = (error, sites) => {
    const hidden = noteFrames(error, sites);
    return writeStack(error, sites) || hidden;
  };
  if (losesErrors()) showErrors();
};
