// Turns async hooks off while vats run. Hooks of the host program (`async_hooks.createHook`, `AsyncLocalStorage` before
// Node 24, a test runner, a profiler) mark every promise of the thread with properties of Node: ids, and values of the
// host program. A vat would see them on its own promises, so it could detect its environment and reach these values; by
// changing them it could end the process. So the engine calls no hooks for promises while vats run; they are restored
// before the host program goes on.
//
// Node has no API for that. The inspector finds the engine's switch in Node's module; this is done only if hooks are
// on. If it is not found, the run is refused with an error.

import { AsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { promiseHooks } from 'node:v8';
import { UserError } from '#model';

/** @import { Drain } from './drain-jobs.js' */

const require = createRequire(import.meta.url);

/** @typedef {(init?: unknown, before?: unknown, after?: unknown, settled?: unknown) => void} SetHooks */

const ignore = () => {};

const resolved = Promise.resolve();

/** Whether the job of the last probe has run. */
let hasRun = false;

const noteRun = () => {
  hasRun = true;
};

/** A global through which values go to and from the inspector, while `findSwitch` runs. */
const meetingPoint = 'swingset-runner: promise hooks';

/**
 * Find Node's function that sets the engine's promise hooks.
 *
 * @returns {SetHooks | undefined}
 */
const findSwitch = () => {
  const { Session } = require('node:inspector');
  const session = new Session();
  const met = /** @type {any} */ ({ createHook: promiseHooks.createHook });
  /** @param {string} method @param {object} parameters */
  const post = (method, parameters) => {
    /** @type {any} */
    let answer;
    session.post(
      method,
      parameters,
      (/** @type {Error | null} */ error, /** @type {any} */ found) => {
        if (error !== null) throw error;
        answer = found;
      },
    );
    return answer;
  };
  /** @param {string} objectId */
  const look = objectId => post('Runtime.getProperties', { objectId, ownProperties: true });
  session.connect();
  try {
    Object.defineProperty(globalThis, meetingPoint, { value: met, configurable: true });
    const expression = `globalThis[${JSON.stringify(meetingPoint)}]`;
    const { objectId } = post('Runtime.evaluate', { expression }).result;
    const known = post('Runtime.evaluate', { expression: `${expression}.createHook` }).result;
    const scopes = look(known.objectId).internalProperties.find(
      (/** @type {any} */ { name }) => name === '[[Scopes]]',
    );
    for (const { value: scope } of look(scopes.value.objectId).result) {
      if (scope?.objectId === undefined) continue;
      const found = look(scope.objectId).result.find(
        (/** @type {any} */ { name }) => name === 'setPromiseHooks',
      );
      if (found === undefined) continue;
      const functionDeclaration = 'function (found) { this.found = found; }';
      const given = [{ objectId: found.value.objectId }];
      post('Runtime.callFunctionOn', { objectId, functionDeclaration, arguments: given });
      break;
    }
  } finally {
    Reflect.deleteProperty(globalThis, meetingPoint);
    session.disconnect();
  }
  return typeof met.found === 'function' ? met.found : undefined;
};

/** @type {SetHooks | undefined} */
let setHooks;

/** Whether vats run, and hooks are off. */
let isSuspended = false;

/**
 * The first symbol that Node sets on a marked object. It is looked up by name, before each pump and after each
 * callback: listing a promise's own keys is far slower (docs/v8-in-a-locked-down-realm.md).
 */
const mark = Object.getOwnPropertySymbols(new AsyncResource('swingset-runner')).find(
  ({ description }) => description === 'async_id_symbol',
);

/** @type {(promise: Promise<unknown>) => boolean} */
const isMarked =
  mark === undefined ? promise => Reflect.ownKeys(promise).length > 0 : promise => mark in promise;

/** Whether a new promise is marked. */
const marksNew = () => isMarked(new Promise(ignore));

/** @param {string} why */
const refuse = why =>
  new UserError(
    `async hooks are on in this process (async_hooks.createHook, AsyncLocalStorage before Node 24, a test runner or a tool that measures), and mark the promises of vats, which would see it; they cannot be kept from it: ${why}. Turn them off, or run the simulation in a worker thread or a process of its own`,
    { exitCode: 1 },
  );

const suspend = () => {
  try {
    setHooks ??= findSwitch();
    setHooks?.(undefined, undefined, undefined, undefined);
  } catch (error) {
    throw refuse(`the inspector says ${/** @type {Error} */ (error).message}`);
  }
  if (setHooks === undefined || marksNew()) {
    restore();
    throw refuse('this Node is not known');
  }
};

/** Make Node set the engine's hooks again, as it does with each change of its list. */
const restore = () => promiseHooks.onInit(ignore)();

/**
 * Run vats without async hooks for their promises.
 *
 * @template T
 * @param {Drain} drain
 * @param {() => T} act  called in a macrotask; when it returns, or its promise settles, no job of a vat is left
 * @returns {T}
 * @throws {UserError} if async hooks are on and cannot be turned off, or it was called inside a promise job
 */
export const withoutPromiseHooks = ({ kind, drain }, act) => {
  if (isSuspended) return act();
  if (kind === 'immediate') {
    // The host program runs between the turns of a crank.
    if (marksNew()) throw refuse('this Node runs a crank in many turns');
    return act();
  }
  // Some hooks mark a promise at its creation, others when its job runs.
  hasRun = false;
  const probe = resolved.then(noteRun);
  drain();
  if (!hasRun)
    throw new UserError(
      'cranks cannot run inside a promise job (an async function behind its first await, a callback of then), where Node runs no other job; call pump() by setImmediate, or use runCranks() or run()',
      { exitCode: 1 },
    );
  if (!isMarked(probe)) return watch(act);
  suspend();
  return watch(act);
};

/**
 * @template T
 * @param {() => T} act
 * @returns {T}
 */
const watch = act => {
  isSuspended = true;
  try {
    return act();
  } finally {
    isSuspended = false;
    if (setHooks !== undefined) restore();
  }
};

/** To be called after a callback of the host program, which may have turned hooks on. */
export const keepSuspended = () => {
  if (!isSuspended) return;
  if (setHooks !== undefined) setHooks(undefined, undefined, undefined, undefined);
  else if (marksNew()) suspend();
};
