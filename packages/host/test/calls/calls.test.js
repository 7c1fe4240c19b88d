// Host programs use a simulation by calls, by handles, and by running it in the background.

import test from 'ava';

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit } from '#kernel';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import {
  CallError,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  openLmdbStore,
  replayRecording,
  UserError,
  VatError,
} from '#host';

/** @import { SimulationOptions } from '#host/simulation/options.js' */

let folders = 0;

/** @param {Record<string, string>} files */
const writeFolder = files => {
  folders += 1;
  const folder = join(directoryOfProcess('calls'), `program-${folders}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

const bank = writeFolder({
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () =>
      Far('bootstrap', {
        bootstrap: (vats, { timer }) => E(vats.bank).open(timer && timer),
      });
  `,
  'vat-bank.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      const balances = new Map();
      const waiting = [];
      const makeAccount = owner =>
        Far('account', {
          balance: () => balances.get(owner),
          deposit: amount => balances.set(owner, balances.get(owner) + amount) && balances.get(owner),
          owner: () => owner,
        });
      return Far('bank', {
        open: () => {
          balances.set('ann', 100n);
        },
        account: owner => {
          if (!balances.has(owner)) balances.set(owner, 0n);
          return makeAccount(owner);
        },
        balance: owner => balances.get(owner),
        echo: (...args) => args,
        ownerOf: account => E(account).owner(),
        fail: () => {
          throw RangeError('no such owner');
        },
        reject: () => Promise.reject({ code: 7 }),
        wait: () => new Promise(resolve => waiting.push(resolve)),
        settle: value => waiting.splice(0).forEach(resolve => resolve(value)),
        later: () => {
          const promise = new Promise(resolve => waiting.push(resolve));
          return { promise, now: 1 };
        },
        named: iface => Far(iface, {}),
        ring: () => {
          let close;
          const promise = new Promise(resolve => (close = resolve));
          const behind = Promise.resolve(harden({ promise }));
          close(harden([promise, behind]));
          return harden([promise]);
        },
      });
    };
  `,
});

/** @param {Partial<SimulationOptions>} [options] */
const start = (options = {}) =>
  makeSimulation(loadConfig({ baseDir: bank }), { store: makeMemoryStore(), ...options });

test.serial("a call runs the simulation and returns the method's result", async t => {
  const simulation = await start();
  t.is(await simulation.call('bank', 'balance', ['ann']), 100n);
  const data = { name: 'x', list: [1, 'two', null, undefined, 3n], nested: { deep: [0.5, NaN] } };
  t.deepEqual(await simulation.call('bank', 'echo', [data, true]), [data, true]);
  t.false(Object.isFrozen(data.list), 'the caller keeps its own');
  t.is(await simulation.call('bank', 'settle'), undefined);
  t.deepEqual(audit(simulation.kernel.state), []);
  t.is(simulation.kernel.state.held.size, 1, 'but for the result of bootstrap nothing is held');
  await simulation.close();
});

test.serial("a rejection is an Error with the place in the author's file", async t => {
  const simulation = await start();
  const error = await t.throwsAsync(simulation.call('bank', 'fail'), { instanceOf: VatError });
  t.is(error.message, 'no such owner');
  t.is(error.name, 'RangeError');
  t.regex(error.place ?? '', /vat-bank\.js:24:17$/);
  t.regex(error.stack ?? '', /^RangeError: no such owner\n {4}at .*vat-bank\.js:24:17/);
  t.regex(error.errorId ?? '', /^error:liveSlots:v\d+#70001$/);
  const other = await t.throwsAsync(simulation.call('bank', 'reject'), { instanceOf: VatError });
  t.deepEqual(other.reason, { code: 7 });
  const missing = await t.throwsAsync(simulation.call('bank', 'balanc'), { instanceOf: VatError });
  t.regex(missing.message, /balanc/);
  await simulation.close();
});

test.serial('a call with invalid arguments throws before anything is sent', async t => {
  const simulation = await start();
  await simulation.run();
  const before = simulation.kernel.inputCount;
  const refused = async (/** @type {Promise<unknown>} */ call, /** @type {RegExp} */ message) =>
    t.throwsAsync(call, { instanceOf: UserError, message });
  await refused(simulation.call('bnk', 'balance'), /there is no vat "bnk"; did you mean "bank"\?/);
  await refused(simulation.call('bank', ''), /a method's name is a string, got ""/);
  await refused(
    simulation.call('bank', 'echo', /** @type {any} */ ('ann')),
    /the arguments of bank\.echo\(\) are an array, got string/,
  );
  const status = { body: '#"x"', slots: [] };
  await refused(
    simulation.call('bank', 'echo', [{ a: [status] }]),
    /argument 1 of bank\.echo\(\) at \.a\[0\] is capdata/,
  );
  t.throws(() => simulation.queueToVatRoot('bank', 'echo', [status]), { message: /is capdata/ });
  await refused(
    simulation.call('bank', 'echo', [{ when: new Date(0) }]),
    /at \.when is a Date.*toISOString/,
  );
  await refused(simulation.call('bank', 'echo', [new Map()]), /is a Map.*\[\.\.\.map\]/);
  await refused(simulation.call('bank', 'echo', [() => {}]), /is a function/);
  await refused(simulation.call('bank', 'echo', [Promise.resolve()]), /is a promise.*await it/);
  await refused(simulation.call('bank', 'echo', [Symbol('x')]), /cannot be passed/);
  /** @type {any[]} */
  const ring = [];
  ring.push(ring);
  await refused(simulation.call('bank', 'echo', ring), /refers to itself/);
  for (const timeoutMs of [NaN, -1])
    await refused(
      simulation.call('bank', 'echo', [], { timeoutMs }),
      /timeoutMs must be a number from 0/,
    );
  const wrong = (/** @type {() => unknown} */ act, /** @type {RegExp} */ message) =>
    t.throws(act, { instanceOf: UserError, message });
  /** @type {any} */
  const missing = undefined;
  wrong(() => simulation.queueToVatRoot(missing, 'echo'), /a vat's name is a string, got undef/);
  wrong(() => simulation.queueToVatRoot('bank', missing), /a method's name is a string, got undef/);
  wrong(
    () => simulation.queueToVatRoot('bank', /** @type {any} */ (Symbol('echo'))),
    /a method's name is a string, got Symbol\(echo\)/,
  );
  wrong(() => simulation.physicalInput(missing, 'a'), /a vat's name is a string, got undefined/);
  wrong(() => simulation.status(missing), /status\(\) takes a result .*, got undefined/);
  wrong(() => simulation.release('kp1'), /the result "kp1" is not held/);
  t.is(simulation.kernel.inputCount, before);
  await simulation.close();
  await t.throwsAsync(simulation.call('bank', 'echo'), {
    instanceOf: CallError,
    message: /is closed/,
  });
  await t.throwsAsync(simulation.run(), { instanceOf: UserError, message: /simulation is closed/ });
  await t.throwsAsync(simulation.commit(), { instanceOf: UserError, message: /is closed/ });
});

test.serial(
  'objects come back as handles, which are sent to, passed, released and refused then',
  async t => {
    const simulation = await start();
    const ann = await simulation.call('bank', 'account', ['ann']);
    t.is(await simulation.call(ann, 'deposit', [5n]), 105n);
    await simulation.send(ann, 'deposit', [5n]);
    t.is(await simulation.call(ann, 'balance'), 110n);
    t.is(await simulation.call('bank', 'ownerOf', [ann]), 'ann');
    const [again] = await simulation.call('bank', 'echo', [ann]);
    t.is(again, ann, 'one object is one handle');
    await simulation.release(again);
    t.is(await simulation.call(ann, 'owner'), 'ann', 'each answer counts');
    await simulation.release(ann);
    const gone = { instanceOf: UserError, message: /"Alleged: account" \(ko\d+\) was released/ };
    await t.throwsAsync(simulation.call(ann, 'owner'), gone);
    await t.throwsAsync(simulation.call('bank', 'ownerOf', [ann]), gone);
    await t.throwsAsync(async () => simulation.release(ann), gone);
    await t.throwsAsync(simulation.call(/** @type {any} */ ({}), 'owner'), {
      message: /no handle/,
    });
    t.is(simulation.kernel.state.held.size, 1);
    t.deepEqual(audit(simulation.kernel.state), []);
    await simulation.close();
  },
);

test.serial('a kept handle is found after a resume, and the others are released', async t => {
  const store = makeMemoryStore();
  const simulation = await start({ store });
  const ann = await simulation.call('bank', 'account', ['ann']);
  const bob = await simulation.call('bank', 'account', ['bob']);
  await simulation.keep('ann', ann);
  t.is(await simulation.find('bob'), undefined);
  const waits = simulation.call('bank', 'wait');
  const later = await simulation.call('bank', 'later');
  t.is(later.now, 1);
  waits.catch(() => {});
  await t.throwsAsync(simulation.keep('', bob), { message: /1 to 200 characters/ });
  const { kernel } = simulation;
  t.is(kernel.state.held.size, 5, 'bootstrap, ann, bob, the call and the promise');

  // As if its process had died: it writes nothing any more, whatever the machine's load.
  await simulation.leave();
  const second = await makeSimulation(undefined, { store, resume: true });
  const found = await second.find('ann');
  t.is(await second.call(/** @type {any} */ (found), 'owner'), 'ann');
  t.is(second.kernel.state.held.size, 2, 'bootstrap and ann');
  await second.release(/** @type {any} */ (found));
  await second.forget('ann');
  t.is(await second.find('ann'), undefined);
  t.is(second.kernel.state.held.size, 1);
  t.deepEqual(audit(second.kernel.state), []);
  const replayed = await replayRecording(store, {});
  t.is(replayed.difference, undefined);
  await second.close();
});

test.serial(
  'a promise in an answer is a promise for the host, which can pass it until it settles',
  async t => {
    const simulation = await start();
    const { promise, now } = await simulation.call('bank', 'later');
    t.is(now, 1);
    const [same] = await simulation.call('bank', 'echo', [promise]);
    t.is(same, promise);
    await simulation.call('bank', 'settle', ['done']);
    t.is(await promise, 'done');
    t.is(simulation.kernel.state.held.size, 1);
    await t.throwsAsync(simulation.call('bank', 'echo', [promise]), { message: /is a promise/ });
    await simulation.close();
  },
);

test.serial('stop() without a bound waits for the answers', async t => {
  const simulation = await start();
  simulation.start();
  const answer = simulation.call('bank', 'balance', ['ann']);
  await simulation.stop({ withinMs: Infinity });
  t.is(await answer, 100n);
  await simulation.close();
});

test.serial(
  'a promise that is the whole answer is refused, since waiting for it would have no bound',
  async t => {
    const folder = writeFolder({
      'bootstrap.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('bootstrap', { bootstrap() {} });
    `,
      'vat-raw.js': `
      export default syscall => ([kind, , message]) => {
        if (kind === 'message')
          syscall.resolve([[message.result, false, { body: '#"&0"', slots: ['p+1'] }]]);
      };
    `,
      'swingset.json': JSON.stringify({
        bootstrap: 'bootstrap',
        vats: {
          bootstrap: { sourceSpec: 'bootstrap.js' },
          raw: { sourceSpec: 'vat-raw.js', creationOptions: { enableSetup: true } },
        },
      }),
    });
    const config = loadConfig({ baseDir: folder, configFile: join(folder, 'swingset.json') });
    const simulation = await makeSimulation(config, { store: makeMemoryStore() });
    await t.throwsAsync(simulation.call('raw', 'answer'), {
      instanceOf: UserError,
      message: /the answer of raw\.answer\(\) cannot be read: it is a promise alone/,
    });
    await simulation.close();
  },
);

test.serial("a handle's interface is shown on one line, without control characters", async t => {
  const simulation = await start();
  const handle = await simulation.call('bank', 'named', ['\u001b[2J\nbank: all is well']);
  t.is(handle[Symbol.toStringTag], 'Alleged: \\u001B[2J\\nbank: all is well');
  await simulation.close();
});

test.serial('a promise in a cycle is one promise in the answer', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const simulation = await start({ profile });
    const [promise] = await simulation.call('bank', 'ring');
    const [same, behind] = await promise;
    t.is(same, promise, profile);
    // A vat's promise that has settled goes out under another name each time.
    t.is((await (await behind).promise).length, 2, profile);
    t.is(simulation.kernel.state.held.size, 1, 'only the result of bootstrap');
    t.deepEqual(audit(simulation.kernel.state), []);
    await simulation.close();
  }
});

test.serial('the error of an unanswerable call names the decider', async t => {
  const simulation = await start();
  const error = await t.throwsAsync(simulation.call('bank', 'wait'), { instanceOf: CallError });
  t.is(error.code, 'STUCK');
  t.regex(
    error.message,
    /^bank\.wait\(\) is never answered: nothing is left to run; kp\d+ is to be decided by vat bank/,
  );
  const first = simulation.call('bank', 'wait');
  await simulation.call('bank', 'balance', ['ann']);
  await simulation.call('bank', 'settle', [1]);
  t.is(await first, 1, 'another call may answer it');
  await simulation.close();
});

test.serial('a call is bounded in time, and calls in number', async t => {
  const simulation = await start({ calls: { maxCalls: 3 } });
  await simulation.run();
  simulation.start();
  const slow = await t.throwsAsync(simulation.call('bank', 'wait', [], { timeoutMs: 500 }), {
    instanceOf: CallError,
  });
  t.is(slow.code, 'TIMEOUT');
  t.regex(
    slow.message,
    /^bank\.wait\(\) has not answered within 500 ms: kp\d+ is to be decided by vat bank/,
  );
  const three = [1, 2, 3].map(n => simulation.call('bank', 'echo', [n]));
  const many = await t.throwsAsync(simulation.call('bank', 'echo', [4]), { instanceOf: CallError });
  t.is(many.code, 'QUEUE_FULL');
  t.deepEqual(await Promise.all(three), [[1], [2], [3]]);
  await simulation.stop();
  t.is(simulation.kernel.state.held.size, 1, 'who gave up holds nothing');
  await simulation.close();
});

test.serial(
  'started, many calls at once are answered in their order, until it is stopped',
  async t => {
    const simulation = await start();
    simulation.start();
    t.throws(() => simulation.start(), { message: /started already/ });
    await t.throwsAsync(simulation.run(), { message: /call stop\(\) first/ });
    /** @type {number[]} */
    const order = [];
    const calls = Array.from({ length: 1_000 }, async (_, n) => {
      const [echoed] = await simulation.call('bank', 'echo', [n]);
      order.push(echoed);
    });
    await Promise.all(calls);
    t.deepEqual(
      order,
      [...order].sort((left, right) => left - right),
    );
    t.is(order.length, 1_000);
    const last = simulation.call('bank', 'echo', ['last']);
    const stopping = simulation.stop();
    const late = await t.throwsAsync(simulation.call('bank', 'echo'), { instanceOf: CallError });
    t.is(late.code, 'STOPPED');
    t.deepEqual(await last, ['last']);
    await stopping;
    t.deepEqual(await simulation.call('bank', 'echo', [1]), [1], 'it goes on by itself for a call');
    simulation.start();
    const waits = simulation.call('bank', 'wait');
    const [stopped] = await Promise.allSettled([waits, simulation.stop({ withinMs: 0 })]);
    t.is(stopped.status === 'rejected' && stopped.reason.code, 'STOPPED');
    await simulation.close();
  },
);

test.serial('calls of one run are equal to those of its replay', async t => {
  const store = makeMemoryStore();
  const simulation = await start({ store });
  simulation.start();
  const accounts = await Promise.all(
    ['ann', 'bob', 'carol'].map(owner => simulation.call('bank', 'account', [owner])),
  );
  await Promise.all(accounts.map((account, i) => simulation.call(account, 'deposit', [BigInt(i)])));
  await t.throwsAsync(simulation.call('bank', 'fail'));
  await simulation.release(accounts[0]);
  await simulation.stop();
  const { difference } = await replayRecording(store, {});
  t.is(difference, undefined);
  await simulation.close();
});

for (const durability of /** @type {const} */ (['commit', 'group', 'none'])) {
  test.serial(`an answer survives a crash, durability ${durability}`, async t => {
    const dir = join(directoryOfProcess('calls'), `state-${durability}`);
    const simulation = await start({ store: openLmdbStore({ dir, durability, create: true }) });
    simulation.start();
    const answers = Array.from({ length: 50 }, (_, n) => simulation.call('bank', 'echo', [n]));
    t.is((await Promise.all(answers)).length, 50);
    const cranks = simulation.cranks.all;
    await simulation.close();
    const store = openLmdbStore({ dir, durability, create: false });
    const second = await makeSimulation(undefined, { store, resume: true });
    t.is(second.cranks.all, cranks);
    t.is(await second.call('bank', 'balance', ['ann']), 100n);
    await second.close();
  });
}

test.serial('if the store fails, waiting calls are rejected with the reason', async t => {
  const store = makeMemoryStore();
  const simulation = await start({ store });
  await simulation.run();
  await store.close();
  const failed = { instanceOf: CallError, message: /the run has failed: commit to a closed store/ };
  const [first, second] = await Promise.all([
    t.throwsAsync(simulation.call('bank', 'balance', ['ann']), failed),
    t.throwsAsync(simulation.find('ann'), failed),
  ]);
  t.is(first.code, 'FAILED');
  t.is(second.code, 'FAILED');
  await t.throwsAsync(simulation.call('bank', 'balance', ['ann']), failed);
});

test.serial('handles and calls work in the notation of 2020', async t => {
  const simulation = await start({ profile: '2020-09' });
  t.deepEqual(await simulation.call('bank', 'echo', [{ a: [1, 'two'] }]), [{ a: [1, 'two'] }]);
  const ann = await simulation.call('bank', 'account', ['ann']);
  t.is(await simulation.call('bank', 'ownerOf', [ann]), 'ann');
  const error = await t.throwsAsync(simulation.call('bank', 'fail'), { instanceOf: VatError });
  t.is(error.message, 'no such owner');
  t.regex(error.place ?? '', /vat-bank\.js:24:17$/);
  await simulation.close();
});

const repeater = writeFolder({
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    vats: {
      bootstrap: { sourceSpec: 'bootstrap.js' },
    },
    devices: { timer: { parameters: { unit: '1 s' } } },
  }),
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      let ticks = 0;
      return Far('bootstrap', {
        bootstrap: async (vats, devices) => {
          const timer = await E(vats.timer).createTimerService(devices.timer);
          await E(timer).repeatAfter(1n, 1n, Far('waker', { wake: () => void (ticks += 1) }));
        },
        ticks: () => ticks,
      });
    };
  `,
});

test.serial('with a repeating timer, run() has a bound and a call gets an answer', async t => {
  const make = () =>
    makeSimulation(loadConfig({ baseDir: repeater }), { store: makeMemoryStore() });
  const simulation = await make();
  t.true((await simulation.call('bootstrap', 'ticks')) >= 0);
  const error = await t.throwsAsync(simulation.run({ maxWakes: 50 }), { instanceOf: UserError });
  t.regex(error.message, /by 50 wake-ups of devices and is not over.*where a timer repeats/);
  t.true((await simulation.call('bootstrap', 'ticks')) >= 40);
  await simulation.close();
  const started = await make();
  started.start();
  t.true((await started.call('bootstrap', 'ticks')) < 10, 'its timer goes by physical time');
  await started.stop();
  await started.close();
});

test.serial(
  'calls that need no timer do not move logical time on in a simulation that is not started',
  async t => {
    const config = loadConfig({ baseDir: repeater });
    const simulation = await makeSimulation(config, { store: makeMemoryStore() });
    const ticks = await simulation.call('bootstrap', 'ticks');
    for (let i = 0; i < 5; i += 1) t.is(await simulation.call('bootstrap', 'ticks'), ticks);
    await simulation.close();
  },
);
