// A raw vat alone, without a kernel: its syscalls, its form, and its mistakes.

import '#testkit/lockdown.js';

import test from 'ava';
import { findSoleSlot } from '#model';
import { rawSupervisors } from '#vat';

const when = { timeNs: 0, microstep: 0, stage: 0 };

/** @param {string} body @param {string[]} [slots] */
const cap = (body, slots = []) => ({ body, slots });

/**
 * @param {(syscall: any, state: null, helpers: any, powers: any) => unknown} setup
 * @param {object} [options]
 * @param {'smallcaps' | 'qclass'} [options.notation]  of the profile
 * @param {(question: any) => any} [options.answer]
 */
const startRaw = async (setup, { notation = 'smallcaps', answer } = {}) => {
  /** @type {string[]} */
  const heard = [];
  const supervisor = rawSupervisors[notation]({
    vatId: 'v1',
    vatPowers: {},
    onSentError: (/** @type {any} */ error) => void heard.push(error.message),
    setup,
  });
  /** @param {any} delivery */
  const deliver = async delivery => {
    supervisor.begin(
      delivery,
      answer ?? (() => ({ kind: 'value', value: undefined })),
      // @ts-expect-error a raw vat has no use for the tag
      when,
    );
    await new Promise(setImmediate);
    return supervisor.finish();
  };
  const started = await deliver(['startVat', cap(notation === 'qclass' ? '{}' : '#{}')]);
  return { deliver, heard, started };
};

const greeting = ['message', 'o+0', cap('#["greet",["you"]]'), 'p-60'];

test('a function takes deliveries as they are', async t => {
  /** @type {any[]} */
  const seen = [];
  const { deliver } = await startRaw(
    () => (/** @type {any} */ delivery) => void seen.push(delivery),
  );
  await deliver(greeting);
  t.deepEqual(
    seen.map(([kind]) => kind),
    ['startVat', 'message'],
  );
  t.deepEqual(seen[1], ['message', 'o+0', { methargs: cap('#["greet",["you"]]'), result: 'p-60' }]);
});

test('an object of methods takes messages and notifies in the form of 2020', async t => {
  /** @type {any[]} */
  const seen = [];
  const note =
    (/** @type {string} */ name) =>
    (/** @type {any[]} */ ...args) =>
      void seen.push([name, ...args]);
  const names = ['deliver', 'notifyFulfillToData', 'notifyFulfillToPresence', 'notifyReject'];
  const { deliver } = await startRaw(() =>
    Object.fromEntries(names.map(name => [name, note(name)])),
  );
  await deliver(greeting);
  await deliver([
    'notify',
    [
      ['p-61', false, cap('#"$0"', ['o-50'])],
      ['p-62', false, cap('#3')],
      ['p-63', true, cap('#"no"')],
    ],
  ]);
  t.deepEqual(seen, [
    ['deliver', 'o+0', 'greet', cap('["you"]'), 'p-60'],
    ['notifyFulfillToPresence', 'p-61', 'o-50'],
    ['notifyFulfillToData', 'p-62', cap('3')],
    ['notifyReject', 'p-63', cap('"no"')],
  ]);
});

test('an object of methods gets no delivery that is newer than 2020', async t => {
  const { deliver } = await startRaw(() => ({ deliver: () => {} }));
  const { fault, syscalls } = await deliver(['dropExports', ['o+1']]);
  t.deepEqual([fault, syscalls], [null, []]);
});

test('a send in either form is one syscall in the notation of the profile', async t => {
  const send = (/** @type {any} */ syscall) => () => {
    syscall.send('o-50', cap('#["hi",[]]'), 'p+5');
    syscall.send('o-50', 'hi', cap('[]'), 'p+6');
    syscall.send('o-50', 'hi', cap('[]'));
  };
  const { started } = await startRaw(syscall => send(syscall));
  t.deepEqual(started.syscalls, [
    ['send', 'o-50', cap('#["hi",[]]'), 'p+5'],
    ['send', 'o-50', cap('#["hi",[]]'), 'p+6'],
    ['send', 'o-50', cap('#["hi",[]]'), null],
  ]);
});

test('an argument of a wrong shape throws in the vat, and is no fault today', async t => {
  /** @type {string[]} */
  const thrown = [];
  const { started } = await startRaw(syscall => () => {
    for (const wrong of [
      () => syscall.send(7),
      () => syscall.resolve([['p-60', 'no', cap('#1')]]),
      () => syscall.subscribe({}),
      () => syscall.dropImports('o-50'),
      () => syscall.callNow('d-70', '\ud800', cap('#[]')),
    ])
      try {
        wrong();
      } catch (/** @type {any} */ error) {
        thrown.push(error.message);
      }
  });
  t.deepEqual(thrown, [
    'syscall.send: the target of a send must be a string, got number',
    'syscall.resolve: a resolution is [promise, rejected, data]; rejected is string',
    'syscall.subscribe: a promise must be a string, got object',
    'syscall.dropImports: the argument of dropImports must be an array, got string',
    'syscall.callNow: the method of a device call has a lone surrogate',
  ]);
  t.deepEqual([started.fault, started.syscalls], [null, []]);
});

test('an argument of a wrong shape is the fault of a vat of 2020, even if it catches the error', async t => {
  const { deliver } = await startRaw(
    syscall => ({
      deliver() {
        try {
          syscall.subscribe(7);
        } catch {
          // It goes on.
        }
      },
    }),
    { notation: 'qclass' },
  );
  const message = ['message', 'o+0', cap('["greet",[]]'), null];
  t.is((await deliver(message)).fault, 'syscall.subscribe: a promise must be a string, got number');
});

test('a list is read once, up to the length that it had', async t => {
  let asked = 0;
  const changing = new Proxy(/** @type {string[]} */ ([]), {
    get(_target, key) {
      if (key === 'length') {
        asked += 1;
        return asked;
      }
      return `o-${String(key)}`;
    },
  });
  const { started } = await startRaw(syscall => () => syscall.dropImports(changing));
  t.deepEqual(started.syscalls, [['dropImports', ['o-0']]]);
});

test('a syscall before setup has returned throws', async t => {
  const { started } = await startRaw(syscall => syscall.subscribe('p-60'));
  t.is(
    started.fault,
    'Error: syscall.subscribe: setup has not returned; only then can the kernel be asked',
  );
});

test('a setup whose result takes no deliveries is a fault with the reason', async t => {
  const faultOf = async (/** @type {unknown} */ made) =>
    (await startRaw(() => made)).started.fault ?? '';
  t.regex(await faultOf(Promise.resolve()), /^TypeError: setup returned a promise;/);
  t.regex(await faultOf(null), /^TypeError: setup returned null; it must return a function/);
  t.regex(await faultOf({ receive() {} }), /^TypeError: setup returned object;/);
});

test('a delivery that throws ends a vat of today, and is only reported of one of 2020', async t => {
  const fail = () => {
    throw Error('no such luck');
  };
  const today = await startRaw(
    () => (/** @type {any} */ delivery) => delivery[0] === 'message' && fail(),
  );
  t.is((await today.deliver(greeting)).fault, 'the delivery failed: no such luck');
  const then = await startRaw(() => ({ deliver: fail }), { notation: 'qclass' });
  const { fault } = await then.deliver(['message', 'o+0', cap('["greet",[]]'), null]);
  t.is(fault, null);
  t.deepEqual([...today.heard, ...then.heard], ['no such luck', 'no such luck']);
});

test('a message whose body is no message is rejected for a vat of 2020', async t => {
  const { deliver } = await startRaw(() => ({ deliver: () => t.fail() }));
  const { syscalls } = await deliver(['message', 'o+0', cap('#7'), 'p-60']);
  const [[kind, [[vref, isRejected, { body }]]]] = /** @type {any} */ (syscalls);
  t.deepEqual([kind, vref, isRejected], ['resolve', 'p-60', true]);
  t.regex(body, /the body of a message must be/);
});

test('an error of a device is thrown with its text', async t => {
  /** @type {string[]} */
  const thrown = [];
  await startRaw(
    syscall => () => {
      try {
        syscall.callNow('d-70', 'get', cap('#[]'));
      } catch (/** @type {any} */ error) {
        thrown.push(error.message);
      }
    },
    {
      answer: () => ({
        kind: 'throw',
        data: cap('#{"#error":"it is off","name":"Error"}'),
      }),
    },
  );
  t.deepEqual(thrown, ['syscall.callNow failed: it is off']);
});

test('a vat of 2020 may settle a promise to data that is one reference, which is no object', async t => {
  /** @type {unknown[]} */
  const told = [];
  const one = { body: '{"@qclass":"slot","index":0}', slots: ['o-50'] };
  const { deliver } = await startRaw(
    syscall => ({
      deliver() {
        syscall.fulfillToData('p-60', one);
        syscall.fulfillToPresence('p-61', 'o-50');
      },
      notifyFulfillToData: (/** @type {string} */ vpid, /** @type {unknown} */ data) =>
        told.push([vpid, data]),
      notifyFulfillToPresence: (/** @type {string} */ vpid, /** @type {unknown} */ slot) =>
        told.push([vpid, slot]),
    }),
    { notation: 'qclass' },
  );
  const { syscalls } = await deliver(['message', 'o+0', cap('["greet",[]]'), null]);
  const data = syscalls.map((/** @type {any} */ [, [[, , settled]]]) => settled);
  t.deepEqual(data.map(findSoleSlot), [undefined, 'o-50']);
  await deliver(['notify', data.map((settled, i) => [`p-${70 + i}`, false, settled])]);
  t.deepEqual(told, [
    ['p-70', one],
    ['p-71', 'o-50'],
  ]);
});
