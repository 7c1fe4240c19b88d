// Async hooks of the host program (`async_hooks.createHook`, `AsyncLocalStorage` before Node 24, a test runner, a tool that
// measures) mark every promise of the thread with properties of Node: ids, and what the host program stores. A vat would see
// them on its own promises, so it would learn how it is run and reach what is stored; and one that puts something else there
// ends the process. So the engine calls no hooks for promises while vats run; they are back before the host program goes on.
//
// Node gives no way to do that. The engine's own switch is found by the inspector in Node's module, and only where hooks are
// on. Where it is not found, nothing runs, in words.

import { AsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { promiseHooks } from 'node:v8';
import { UserError } from '#model';

/** @import { Settle } from './settle.js' */

const require = createRequire(import.meta.url);

/** @typedef {(init?: unknown, before?: unknown, after?: unknown, settled?: unknown) => void} SetHooks */

const ignore = () => {};

const resolved = Promise.resolve();

/** Whether the job of the last probe has run. */
let hasRun = false;

const noteRun = () => {
  hasRun = true;
};

/** Where the inspector finds what we hand it, and puts what it finds. Only while `findSwitch` runs. */
const meetingPoint = 'swingset-runner: promise hooks';

/**
 * The function of Node by which the engine learns what to call for promises.
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
 * The first symbol that Node sets on an object that it marks. It is asked for by name, before each pump and behind each
 * callback: to list a promise's own keys is far slower (docs/v8-in-a-locked-down-realm.md).
 */
const mark = Object.getOwnPropertySymbols(new AsyncResource('swingset-runner')).find(
  ({ description }) => description === 'async_id_symbol',
);

/** @type {(promise: Promise<unknown>) => boolean} */
const isMarked =
  mark === undefined ? promise => Reflect.ownKeys(promise).length > 0 : promise => mark in promise;

/** Whether a promise is marked when it is made. */
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

/** Node tells the engine what is to be called, as with each change of its list. */
const restore = () => promiseHooks.onInit(ignore)();

/**
 * Run vats, without async hooks for their promises.
 *
 * @template T
 * @param {Settle} settle
 * @param {() => T} act  in a macrotask. Nothing of a vat is left to run when it returns, or it returns a promise for that
 * @returns {T}
 * @throws {UserError} async hooks are on and stay on, or it was called inside a promise job
 */
export const withoutPromiseHooks = ({ kind, settle }, act) => {
  if (isSuspended) return act();
  if (kind === 'immediate') {
    // The host program's own turns come between those of a crank.
    if (marksNew()) throw refuse('this Node runs a crank in many turns');
    return act();
  }
  // Some hooks mark a promise when it is made, some when its job runs.
  hasRun = false;
  const probe = resolved.then(noteRun);
  settle();
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

/** A callback of the host program was called, which may have turned hooks on. */
export const keepSuspended = () => {
  if (!isSuspended) return;
  if (setHooks !== undefined) setHooks(undefined, undefined, undefined, undefined);
  else if (marksNew()) suspend();
};
