// The realm's one lockdown, and what the host must do because vats share its process: keep a rejected promise of a
// vat from ending it, and read the stacks that lockdown hides from vats.

import { createRequire } from 'node:module';
import { types } from 'node:util';
import { UserError } from '#model';
import { inspectValue } from './compartment/inspect-value.js';
import { noteConstructedErrors, tameLeftConstructors } from './engine-errors.js';
import { checkRegExps, raiseLoaderWall } from './evaluation/index.js';
import { removeNewerBuiltins, removeNewerSymbols } from './newer-builtins.js';

/**
 * `severe` lets code written with assignments to inherited names run; `safe` hides stacks from vats, since file
 * names and line numbers differ between machines. The traps are off because both are the host's decision
 * (`installRejectionPolicy` here, the exit code in the runner); SES would print and exit by itself.
 */
const lockdownOptions = /** @type {const} */ ({
  overrideTaming: 'severe',
  errorTaming: 'safe',
  consoleTaming: 'unsafe',
  domainTaming: 'unsafe',
  localeTaming: 'safe',
  stackFiltering: 'verbose',
  errorTrapping: 'none',
  unhandledRejectionTrapping: 'none',
  reporting: 'none',
});

/** True if this realm is hardened already, by whomever. */
export const isLockedDown = () =>
  typeof (/** @type {any} */ (globalThis).harden) === 'function' &&
  Object.isFrozen(Object.prototype) &&
  Object.isFrozen(Promise.prototype);

/**
 * A realm that Node's own objects do not belong to cannot be locked down: they would stay as they are beside it.
 *
 * @param {typeof globalThis} realm
 * @throws {UserError}
 */
export const insistOwnRealm = realm => {
  if (Object.getPrototypeOf(process.argv) === realm.Array.prototype) return;
  throw new UserError(
    'vats cannot run in a realm of its own, as jest and node:vm make one for each file, for it cannot be locked down; run the tests by node:test, ava or vitest, or give jest the runner jest-light-runner (npm install --save-dev jest-light-runner; jest --runner=jest-light-runner)',
  );
};

/**
 * SES, unless a program that embeds us has loaded it: from the one file that its package has for CommonJS. Its modules are
 * 60 files with the same code, which take longer to load.
 */
const loadSes = () => {
  if (typeof globalThis.repairIntrinsics !== 'function') createRequire(import.meta.url)('ses');
};

const hardenRealm = async () => {
  if (!isLockedDown()) {
    insistOwnRealm(globalThis);
    noteConstructedErrors();
    // Before SES is loaded, since it keeps what it finds.
    const giveBack = removeNewerBuiltins();
    const giveRegExpBack = checkRegExps();
    loadSes();
    repairIntrinsics(lockdownOptions);
    removeNewerSymbols();
    hardenIntrinsics();
    Reflect.deleteProperty(globalThis, 'hardenIntrinsics');
    giveRegExpBack();
    giveBack();
  }
  raiseLoaderWall();
  tameLeftConstructors();
};

/** @type {Promise<void> | undefined} */
let hardening;

/**
 * Harden this realm, once. A realm that someone else has hardened (a test, an embedding program) is used as it is.
 *
 * @returns {Promise<void>}
 */
export const ensureLockdown = async () => {
  // Kept, since two simulations may be made at once.
  hardening ??= hardenRealm();
  await hardening;
};

/** The engine's own getter of a stack, where that is an accessor of each error. */
const engineStackGetter = Object.getOwnPropertyDescriptor(Error('any'), 'stack')?.get;

/**
 * Whether reading the stack of a value runs nothing but the engine: a vat can put a getter of its own in its place.
 *
 * @param {unknown} error
 * @returns {error is Error}
 */
const hasEngineStack = error => {
  if (!types.isNativeError(error)) return false;
  const found = Object.getOwnPropertyDescriptor(error, 'stack');
  return found !== undefined && ('value' in found || found.get === engineStackGetter);
};

/**
 * The frames of an error's stack, one `  at …` a line, empty if there is none. Lockdown hides it from everyone
 * else; before lockdown it is the error's own text. Runs no code of whoever made the error.
 *
 * @param {unknown} error
 * @returns {string}
 */
export const getStackFrames = error => {
  if (!hasEngineStack(error)) return '';
  const { getStackString } = /** @type {{ getStackString?: (error: Error) => string }} */ (
    globalThis
  );
  if (getStackString) return getStackString(error).replace(/^\n/, '');
  const stack = typeof error.stack === 'string' ? error.stack : '';
  return stack
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .join('\n');
};

/**
 * Handles a promise that was rejected while nobody listened. It returns `false` for promises that are not its vats'.
 *
 * @callback OnUnhandled
 * @param {unknown} reason
 * @param {Promise<unknown>} promise
 * @returns {boolean | void}
 */

/** Asked in the order of their installation. @type {Set<OnUnhandled>} */
const policies = new Set();

const promiseThen = Promise.prototype.then;
const ignore = () => {};

/**
 * Mark a promise as handled, so that other listeners of the process (a test runner's) see that somebody cared.
 *
 * @param {Promise<unknown>} promise
 */
const markHandled = promise => {
  // `then` asks a promise for its constructor. One that a vat has given its own stays unhandled, which ends nothing.
  const isPlain =
    Object.getPrototypeOf(promise) === Promise.prototype && !Object.hasOwn(promise, 'constructor');
  if (isPlain) promiseThen.call(promise, ignore, ignore);
};

/** @type {OnUnhandled} */
const onUnhandledRejection = (reason, promise) => {
  for (const policy of policies) {
    if (policy(reason, promise) !== false) {
      markHandled(promise);
      return;
    }
  }
  // A rejection of the host's own is a bug, and ends the process as it would have without any policy. Another
  // listener (a test runner's) may have its own idea of that.
  if (process.listenerCount('unhandledRejection') > 1) return;
  throw types.isNativeError(reason)
    ? reason
    : Error(`a promise was rejected with ${inspectValue(reason)} and nobody listened`);
};

/**
 * Route promises that are rejected inside vats, with nobody listening, to `onUnhandled`, and keep the process alive.
 * Node reports such promises when a crank's jobs are drained, so within `settle()`; whose crank it is, is known to
 * the caller, which answers `false` outside of its cranks.
 *
 * @param {OnUnhandled} onUnhandled
 * @returns {() => void}  takes the policy away again
 */
export const installRejectionPolicy = onUnhandled => {
  // Each installation is its own entry, even of one function.
  /** @type {OnUnhandled} */
  const policy = (reason, promise) => onUnhandled(reason, promise);
  if (policies.size === 0) {
    process.on('unhandledRejection', onUnhandledRejection);
    // Without a listener Node prints a warning when a rejected promise finds its listener a crank later.
    process.on('rejectionHandled', ignore);
  }
  policies.add(policy);
  return () => {
    if (!policies.delete(policy) || policies.size > 0) return;
    process.off('unhandledRejection', onUnhandledRejection);
    process.off('rejectionHandled', ignore);
  };
};
