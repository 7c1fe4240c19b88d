// Programs whose vats report their dead references on demand.

import { audit } from '#kernel';
import { data, makeTestKernel, message, presence } from '#testkit';

/** @typedef {import('#model').Delivery} Delivery */

/** @typedef {import('#testkit').React} React */

/** @typedef {import('#testkit').Call} Call */

/** @typedef {import('#testkit').TestKernel} TestKernel */

/**
 * The behaviour of a vat when it is sent a method.
 *
 * @typedef {Record<string, (call: Call, delivery: Delivery) => void>} Deeds
 */

/**
 * A vat that does as its methods say, and writes down what it is told of objects. `dead` is done when it is asked.
 *
 * @param {Deeds} deeds
 * @param {string[]} [heard]
 * @returns {React}
 */
export const vatOf =
  (deeds, heard = []) =>
  (delivery, call) => {
    if (delivery[0] === 'message')
      deeds[JSON.parse(delivery[2].body.slice(1))[0]]?.(call, delivery);
    else if (delivery[0] === 'bringOutYourDead') deeds.dead?.(call, delivery);
    else if (delivery[0] === 'notify') deeds.notify?.(call, delivery);
    else if (delivery[0] !== 'startVat') heard.push(`${delivery[0]} ${String(delivery[1])}`);
  };

/** Asked by the test alone. */
export const never = { options: { reapInterval: 'never' } };

/**
 * Ask vats for their dead, and let the kernel collect.
 *
 * @param {TestKernel} run
 * @param {...string} names
 */
export const ask = async (run, ...names) => {
  for (const name of names) run.state.queue.addControl('bringOutYourDead', run.vatId(name));
  run.state.keepBetweenCranks();
  await run.run();
};

/** @param {TestKernel} run @param {string} name @param {string} method @param {string[]} [slots] */
export const tell = async (run, name, method, slots = []) => {
  run.kernel.release(run.send(name, method, slots));
  await run.run();
};

/**
 * Alice makes o+1 for bob, who has it as o-50; carol is there too. Each does as it is told.
 *
 * @param {{ alice?: Deeds, bob?: Deeds, carol?: Deeds }} [more]
 * @param {object} [options]
 */
export const makeThree = async (more = {}, options = {}) => {
  /** @type {Record<'alice' | 'bob' | 'carol', string[]>} */
  const heard = { alice: [], bob: [], carol: [] };
  const drop = (/** @type {Call} */ call) => void call('dropImports', ['o-50']);
  const forget = (/** @type {Call} */ call) => {
    call('dropImports', ['o-50']);
    call('retireImports', ['o-50']);
  };
  const boot = vatOf({
    bootstrap: call => call('send', 'o-50', message('give', ['o-51']), null),
  });
  const run = makeTestKernel({
    vats: {
      '0boot': { react: boot, ...never },
      alice: {
        react: vatOf(
          {
            give: (call, delivery) =>
              call(
                'send',
                delivery[0] === 'message' ? delivery[2].slots[0] : '',
                message('take', ['o+1']),
                null,
              ),
            ...more.alice,
          },
          heard.alice,
        ),
        ...never,
      },
      bob: { react: vatOf({ drop, forget, ...more.bob }, heard.bob), ...never },
      carol: { react: vatOf({ drop, forget, ...more.carol }, heard.carol), ...never },
    },
    ...options,
  });
  await run.run();
  const thing = run.kref('alice', 'o+1') ?? '';
  return { run, heard, thing };
};

/** Queues for alice, in a crank, what she would be told if nobody held her object. @param {TestKernel} run @param {string} thing */
export const queueVerdicts = (run, thing) => {
  for (const verdict of /** @type {const} */ (['dropExports', 'retireExports']))
    run.state.queue.addControl(verdict, run.vatId('alice'), [thing]);
};

/** @param {import('ava').ExecutionContext} t @param {TestKernel} run */
export const isRight = (t, run) => {
  t.deepEqual(audit(run.state), []);
  t.deepEqual(run.faults, []);
};

/** Ways to hold an object by one holder only, and to release it. */
export const holders = {
  'a message in the queue': {
    alice: {
      hold: (/** @type {Call} */ call) => call('send', 'o+0', message('later', ['o+1']), null),
    },
    release: () => {},
    isShort: true,
  },
  'a message parked on a promise': {
    alice: {
      hold: (/** @type {Call} */ call) => call('send', 'p+5', message('later', ['o+1']), null),
      release: (/** @type {Call} */ call) => call('resolve', [['p+5', true, data()]]),
    },
  },
  'a message parked on the result of a message that is parked': {
    alice: {
      hold: (/** @type {Call} */ call) => {
        call('send', 'p+5', message('later'), 'p+6');
        call('send', 'p+6', message('later', ['o+1']), null);
      },
      release: (/** @type {Call} */ call) => call('resolve', [['p+5', true, data()]]),
    },
  },
  'the data of a promise that another promise names': {
    alice: {
      hold: (/** @type {Call} */ call) => {
        call('send', 'p+9', message('later', ['p+5']), null);
        call('resolve', [['p+5', false, data(['p+6'])]]);
        call('resolve', [['p+6', false, data(['o+1'])]]);
      },
      release: (/** @type {Call} */ call) => call('resolve', [['p+9', true, data()]]),
    },
  },
  'a promise that is fulfilled to it': {
    alice: {
      hold: (/** @type {Call} */ call) => {
        call('send', 'p+9', message('later', ['p+5']), null);
        call('resolve', [['p+5', false, presence('o+1')]]);
      },
      release: (/** @type {Call} */ call) => call('resolve', [['p+9', true, data()]]),
    },
  },
};
