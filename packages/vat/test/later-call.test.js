// A `LaterCall` is held against `send`: the same outcome, told in the same job, whoever asks for the promise and when.

import 'ses';
import '@endo/eventual-send/shim.js';
import '#testkit/lockdown.js';
import test from 'ava';
import { E, HandledPromise, LaterCall, makePresence, send } from '../eventual-send/index.js';

const jobs = 12;

const handler = { applyMethod: () => 'handled' };

/** The possible results of a method. @type {Record<string, () => unknown>} */
const results = {
  nothing: () => undefined,
  'a record': () => ({ a: 1 }),
  'an object': () => harden({ m() {} }),
  'a presence': () => harden(makePresence(handler, null)),
  'a settled promise': () => Promise.resolve('p'),
  'a rejected promise': () => Promise.reject(Error('r')),
  'a handled promise': () =>
    new HandledPromise((/** @type {any} */ resolve) => resolve('h'), handler),
  'an eventual send': () => E(harden({ m: () => 'sent' })).m(),
  'a thenable': () => ({ then: (/** @type {any} */ resolve) => resolve('t') }),
  'one whose then throws': () =>
    Object.defineProperty({}, 'then', {
      get() {
        throw Error('no then');
      },
    }),
  'an error': () => {
    throw Error('thrown');
  },
};

/** @param {unknown} value */
const show = value => (value instanceof Error ? value.message : typeof value);

/**
 * @param {() => unknown} result
 * @param {number} askedAt  in which job somebody asks for the promise; -1 for never
 * @param {boolean} isCall
 */
const watch = async (result, askedAt, isCall) => {
  /** @type {string[]} */
  const log = [];
  const target = harden({
    m(/** @type {unknown} */ arg) {
      log.push(`called with ${arg}`);
      return result();
    },
  });
  const tell = (/** @type {boolean} */ rejected, /** @type {unknown} */ value) =>
    log.push(`${rejected ? 'rejected' : 'fulfilled'} ${show(value)}`);
  /** @type {() => Promise<unknown>} */
  let getPromise;
  if (isCall) {
    const call = new LaterCall(target, 'm', harden([5]), 'p-60', (_, rejected, value) => {
      tell(rejected, value);
    });
    call.begin();
    getPromise = () => call.promise;
  } else {
    const promise = send(target, 'applyMethod', 'm', harden([5]));
    HandledPromise.resolve(promise).then(
      (/** @type {unknown} */ value) => tell(false, value),
      (/** @type {unknown} */ reason) => tell(true, reason),
    );
    getPromise = () => promise;
  }
  for (let job = 0; job < jobs; job += 1) {
    log.push(`job ${job}`);
    if (job === askedAt) {
      const promise = getPromise();
      promise.then(
        value => log.push(`listener: ${show(value)}`),
        reason => log.push(`listener: ${show(reason)} was thrown`),
      );
      E(promise)
        .q()
        .then(
          (/** @type {unknown} */ value) => log.push(`sent to it: ${value}`),
          (/** @type {Error} */ { message }) => log.push(`sent to it: ${message}`),
        );
    }
    await null;
  }
  return log;
};

for (const [name, result] of Object.entries(results)) {
  test(`${name} is told as a send tells it`, async t => {
    for (let askedAt = -1; askedAt < 6; askedAt += 1) {
      const sent = await watch(result, askedAt, false);
      const called = await watch(result, askedAt, true);
      t.deepEqual(called, sent, `asked for in job ${askedAt}`);
    }
  });
}

test('a promise that nobody asks for is not made', async t => {
  const call = new LaterCall(harden({ m: () => 1 }), 'm', [], 'p-60', () => {}).begin();
  await null;
  await null;
  t.is(call.madePromise, undefined);
  t.is(await call.promise, 1);
  t.is(call.madePromise, call.promise);
});
