// A `LaterResult` is held against a handled promise that a handler gives: everything comes in the same job, whoever needs
// the promise and when. As in a vat, the result is told when no job is left.

import 'ses';
import '@endo/eventual-send/shim.js';
import '#testkit/lockdown.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import {
  E,
  findHandle,
  HandledPromise,
  LaterResult,
  makeHandledPromiseKit,
  makePresence,
} from '../eventual-send/index.js';

const jobs = 12;

/** @typedef {ReturnType<typeof makeHandledPromiseKit>} Kit */

/** How the result may come out. @type {Record<string, (kit: Kit, log: string[]) => void>} */
const endings = {
  nothing: kit => kit.resolve(undefined),
  'a record': kit => kit.resolve(harden({ a: 1 })),
  'a presence': (kit, log) =>
    kit.resolve(harden(makePresence({ applyMethod: () => log.push('presence called') }, null))),
  'a settled promise': kit => kit.resolve(harden(Promise.resolve('p'))),
  'a handled promise': (kit, log) =>
    kit.resolve(
      makeHandledPromiseKit({ applyMethod: () => log.push('other promise called') }).settled,
    ),
  'an error': kit => kit.reject(harden(Error('no'))),
};

/**
 * Uses of the promise that the sender got.
 *
 * @type {Record<string, (promise: any, log: string[]) => void>}
 */
const uses = {
  listen: (promise, log) => void watch(promise, 'listener', log),
  'send to it': (promise, log) => void watch(E(promise).next(1), 'sent', log),
  'send to it alone': promise => E.sendOnly(promise).next(2),
  'ask for a property': (promise, log) => void watch(E.get(promise).a, 'property', log),
  'send to a property': (promise, log) =>
    void watch(E(E.get(promise).a).next(4), 'sent to the property', log),
  'resolve another to it': (promise, log) => {
    const other = new HandledPromise((/** @type {any} */ resolve) => resolve(promise));
    watch(other, 'other', log);
    watch(E(other).next(3), 'sent to the other', log);
  },
  'give it back from a method': (promise, log) =>
    void watch(E(harden({ give: () => promise })).give(), 'given back', log),
};

/** @param {any} promise @param {string} name @param {string[]} log */
const watch = (promise, name, log) =>
  HandledPromise.resolve(promise).then(
    (/** @type {unknown} */ value) => log.push(`${name}: ${typeof value}`),
    (/** @type {Error} */ { message }) => log.push(`${name} failed: ${message}`),
  );

/**
 * @param {(kit: Kit, log: string[]) => void} end
 * @param {(promise: any, log: string[]) => void} use
 * @param {number} usedAt  in which job
 * @param {boolean} isLater
 */
const follow = async (end, use, usedAt, isLater) => {
  /** @type {string[]} */
  const log = [];
  /** @type {any} */
  let kit;
  const pending = {
    applyMethod(/** @type {unknown} */ _target, /** @type {any} */ method) {
      log.push(`result is sent ${String(method)}`);
      return 5;
    },
    get: (/** @type {any} */ promise, /** @type {any} */ prop) =>
      E.when(promise, (/** @type {any} */ value) => value?.[prop]),
  };
  const remote = makePresence(
    {
      applyMethod() {
        log.push('presence is sent');
        kit = isLater ? new LaterResult(pending) : makeHandledPromiseKit(pending);
        return isLater ? kit : kit.settled;
      },
    },
    null,
  );
  harden(remote);
  const promise = E(remote).go();
  promise.catch(() => {});
  const count = async (/** @type {string} */ crank) => {
    for (let job = 0; job < jobs; job += 1) {
      log.push(`${crank} ${job}`);
      if (crank === 'first' && job === usedAt) use(promise, log);
      if (crank === 'second' && job === usedAt - jobs) use(promise, log);
      await null;
    }
  };
  await count('first');
  await nextTurn();
  end(kit, log);
  await count('second');
  return log;
};

for (const [ending, end] of Object.entries(endings)) {
  for (const [name, use] of Object.entries(uses)) {
    test(`${name}, and it comes out as ${ending}`, async t => {
      for (const usedAt of [0, 1, 2, 4, jobs, jobs + 1, jobs + 2, jobs + 4]) {
        const promised = await follow(end, use, usedAt, false);
        const later = await follow(end, use, usedAt, true);
        t.deepEqual(later, promised, `used in job ${usedAt}`);
      }
    });
  }
}

test('the promise is not made while nobody needs it', async t => {
  const kit = new LaterResult({});
  const promise = E(harden(makePresence({ applyMethod: () => kit }, null))).go();
  await null;
  kit.resolve(7);
  t.is(await promise, 7);
  t.is(findHandle(promise)?.forward, undefined);
});

test('uses come in the same order, whichever two there are', async t => {
  for (const [first, useFirst] of Object.entries(uses)) {
    for (const [second, useSecond] of Object.entries(uses)) {
      for (const usedAt of [0, 1, 2, 4, jobs + 1]) {
        const useBoth = (/** @type {any} */ promise, /** @type {string[]} */ log) => {
          useFirst(promise, log);
          useSecond(promise, log);
        };
        const promised = await follow(endings['a presence'], useBoth, usedAt, false);
        const later = await follow(endings['a presence'], useBoth, usedAt, true);
        t.deepEqual(later, promised, `${first}, ${second} in job ${usedAt}`);
      }
    }
  }
});
