// Locks the realm down, once, and does what the host needs since vats share its process: it keeps a vat's rejected
// promise from ending the process, and reads the stacks that lockdown hides from vats.

import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { types } from 'node:util';
import { UserError } from '#model';
import { inspectValue } from './compartment/inspect-value.js';
import { replaceDifferingBuiltins, replaceFreeze } from './differing-builtins.js';
import { noteConstructedErrors, tameLeftConstructors } from './engine-errors.js';
import { checkRegExps, raiseLoaderWall } from './evaluation/index.js';
import { giveHostStacks } from './host-stacks.js';
import { keptFrames } from './kept-frames.js';
import { removeNewerBuiltins, removeNewerSymbols } from './newer-builtins.js';
import { quietLibraries } from './quiet-libraries.js';
import { replaceArrayMethods } from './stable-sort.js';

/**
 * `severe` allows code that assigns to inherited names; `safe` hides stacks from vats, since file names and line
 * numbers differ between machines. The traps are off, since SES would print and exit by itself: unhandled rejections
 * and the exit code are decided by `installRejectionPolicy` and the runner.
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

/** Whether this realm is hardened, by us or by another program. */
export const isLockedDown = () =>
  typeof (/** @type {any} */ (globalThis).harden) === 'function' &&
  Object.isFrozen(Object.prototype) &&
  Object.isFrozen(Promise.prototype);

/**
 * Refuse a realm other than Node's: its lockdown would leave Node's own objects unchanged.
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

/** @param {() => unknown} check @returns {boolean} */
const holds = check => {
  try {
    return check() === true;
  } catch {
    return false;
  }
};

/**
 * Flags of Node under which vats cannot run or would run differently, and how to recognise each.
 *
 * @type {[flag: string, isOff: () => boolean][]}
 */
const refusedFlags = [
  ['--frozen-intrinsics', () => !Object.isFrozen(TypeError.prototype)],
  [
    '--disallow-code-generation-from-strings',
    () => Reflect.apply(Function, null, ['return true'])(),
  ],
  ['--disable-proto', () => Reflect.get({}, '__proto__') === Object.prototype],
];

/** @throws {UserError} */
const insistWholeLanguage = () => {
  for (const [flag, isOff] of refusedFlags) {
    if (holds(isOff)) continue;
    throw new UserError(
      `vats need the whole language, which Node's flag ${flag} restricts; start Node without it (NODE_OPTIONS has flags, too)`,
    );
  }
};

/**
 * A packed module gets a function that compiles a script with the runner's cache of compiled code (packages/packed): as
 * Node loads it, the engine compiles all of SES in each process, some 10 ms.
 *
 * @type {{ compile?: (filename: string, text: string) => { runInThisContext: () => unknown } }}
 */
const { compile } = /** @type {any} */ (import.meta);

/**
 * Load SES, unless an embedding program has. The package's one file for CommonJS loads faster than its 60 modules.
 */
const loadSes = () => {
  if (typeof globalThis.repairIntrinsics === 'function') return;
  const require = createRequire(import.meta.url);
  if (compile === undefined) {
    require('ses');
    return;
  }
  const filename = require.resolve('ses');
  // It takes nothing of Node's and exports nothing, so it need not be a function as Node would make of it.
  compile(filename, readFileSync(filename, 'utf8')).runInThisContext();
  const loaded = new Module(filename);
  loaded.filename = filename;
  loaded.loaded = true;
  // A later `require` in the same process gets it, too.
  require.cache[filename] = loaded;
};

/** @type {<T>(value: T) => T} */
let hardenForLibraries = value => harden(value);

/**
 * Give the copies of `@endo/harden` in this realm, in vats too, a quicker `harden`. Without effect in a realm that another
 * program has locked down.
 *
 * @param {<T>(value: T) => T} quick  hardens what SES's would harden
 */
export const setLibraryHarden = quick => {
  hardenForLibraries = quick;
};

/** Where `@endo/harden` looks for a hardener; SES puts its own there. */
const hardenKey = Symbol.for('harden');

/**
 * Put a hardener where libraries look for one, which uses that of `setLibraryHarden` once the realm is hardened. To be
 * called before it is.
 *
 * @returns {() => void} to be called afterwards
 */
const lendHarden = () => {
  /** @type {any} */
  const shared = Object;
  const slow = shared[hardenKey];
  if (typeof slow !== 'function') return () => {};
  let isHardened = false;
  // Vats see its name, which is that of SES's.
  const named = {
    harden: (/** @type {unknown} */ value) =>
      isHardened ? hardenForLibraries(value) : slow(value),
  };
  shared[hardenKey] = named.harden;
  return () => {
    isHardened = true;
  };
};

const hardenRealm = async () => {
  if (!isLockedDown()) {
    insistOwnRealm(globalThis);
    insistWholeLanguage();
    noteConstructedErrors();
    // This must precede loadSes(), since SES keeps the built-ins that it finds.
    const giveBack = removeNewerBuiltins();
    const giveRegExpBack = checkRegExps();
    replaceArrayMethods();
    replaceDifferingBuiltins();
    loadSes();
    replaceFreeze();
    repairIntrinsics(lockdownOptions);
    removeNewerSymbols();
    const lend = lendHarden();
    hardenIntrinsics();
    lend();
    Reflect.deleteProperty(globalThis, 'hardenIntrinsics');
    giveRegExpBack();
    giveBack();
    giveHostStacks();
  }
  quietLibraries();
  raiseLoaderWall();
  tameLeftConstructors();
  // A host program that wants fewer of its own errors sets the limit later.
  if (Error.stackTraceLimit < keptFrames) Error.stackTraceLimit = keptFrames;
};

/** @type {Promise<void> | undefined} */
let hardening;

/**
 * Harden this realm, once. A realm that another program (a test, an embedding program) has hardened is used as it is.
 *
 * @returns {Promise<void>}
 */
export const ensureLockdown = async () => {
  // Keep the promise, since two simulations may be made at once.
  hardening ??= hardenRealm();
  await hardening;
};

/** The engine's getter of `stack`, in engines where it is an accessor of each error. */
const engineStackGetter = Object.getOwnPropertyDescriptor(Error('any'), 'stack')?.get;

/**
 * Whether reading the stack of a value runs no code of a vat, which could define a getter of its own.
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
 * The frames of an error's stack, one `  at …` a line; empty if there is none. Lockdown hides the stack from all other
 * code. It runs no code of the error's maker.
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
 * Handles an unhandled rejection. It returns `false` if the promise is not of its vats.
 *
 * @callback OnUnhandled
 * @param {unknown} reason
 * @param {Promise<unknown>} promise
 * @returns {boolean | void}
 */

/** Called in the order of their installation. @type {Set<OnUnhandled>} */
const policies = new Set();

const ignore = () => {};

/** Promises of vats that nobody listened to. @type {WeakSet<Promise<unknown>>} */
const unheard = new WeakSet();

/** @type {(reason: unknown, promise: Promise<unknown>) => boolean} */
const isOfVats = (reason, promise) => {
  for (const policy of policies) {
    if (policy(reason, promise) !== false) {
      unheard.add(promise);
      return true;
    }
  }
  return false;
};

/**
 * Whether an event of the process is about a promise of a vat. Listeners of the host program must not get it: whoever looks at
 * the reason, or at the promise, runs the vat's code outside of its cranks.
 *
 * @param {unknown} event
 * @param {any[]} args
 */
const isKeptBack = (event, args) => {
  if (event === 'unhandledRejection') return isOfVats(args[0], args[1]);
  return event === 'rejectionHandled' && unheard.has(args[0]);
};

/**
 * Keep back the events of vats' promises. The process's `emit` is replaced, since a listener cannot stop the others.
 *
 * @returns {() => void}  undoes it
 */
const keepBackEvents = () => {
  const { emit } = process;
  /** @type {any} */
  const emitted = function emitUnlessOfVats(
    /** @type {any} */ event,
    /** @type {any[]} */ ...args
  ) {
    return isKeptBack(event, args) || Reflect.apply(emit, process, [event, ...args]);
  };
  process.emit = emitted;
  return () => {
    // Somebody else may have replaced it since, and calls this one.
    if (process.emit === emitted) process.emit = emit;
  };
};

/** @param {unknown} reason  of a rejection of the host's own */
const onUnhandledRejection = reason => {
  // It is a bug and ends the process, as without a policy, unless another listener (a test runner's) handles it.
  if (process.listenerCount('unhandledRejection') > 1) return;
  throw types.isNativeError(reason)
    ? reason
    : Error(`a promise was rejected with ${inspectValue(reason)} and nobody listened`);
};

/** @type {() => void} */
let giveBackEvents = ignore;

/**
 * Send unhandled rejections of vats to `onUnhandled`, and keep the process alive. Node reports them when the jobs of a
 * crank are drained, within `drain()`. The caller knows whose crank it is, and returns `false` outside of its cranks.
 *
 * @param {OnUnhandled} onUnhandled
 * @returns {() => void}  removes the policy
 */
export const installRejectionPolicy = onUnhandled => {
  // A new function for each installation, so that one handler may be installed twice.
  /** @type {OnUnhandled} */
  const policy = (reason, promise) => onUnhandled(reason, promise);
  if (policies.size === 0) {
    process.on('unhandledRejection', onUnhandledRejection);
    // Without a listener Node prints a warning when a rejection is handled a crank later.
    process.on('rejectionHandled', ignore);
    giveBackEvents = keepBackEvents();
  }
  policies.add(policy);
  return () => {
    if (!policies.delete(policy) || policies.size > 0) return;
    process.off('unhandledRejection', onUnhandledRejection);
    process.off('rejectionHandled', ignore);
    giveBackEvents();
  };
};
