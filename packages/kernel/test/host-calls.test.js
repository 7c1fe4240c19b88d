// The host's calls that change vats between cranks. Each is an input, so it is tested with its repetition.

import test from 'ava';

import { audit, repeatHostCall } from '#kernel';
import { makeMemoryStore } from '#store';
import {
  data,
  dumpTables,
  makeTestKernel,
  message,
  methodOf,
  presence,
  scriptedDevice,
} from '#testkit';

/** @typedef {import('#testkit').React} React */

/** Exports `o+1` as bootstrap's result, and says what it hears. @param {string[]} heard @returns {React} */
const giver = heard => (delivery, call) => {
  if (delivery[0] !== 'message') {
    if (delivery[0] !== 'startVat') heard.push(`${delivery[0]} ${String(delivery[1])}`);
    return;
  }
  const [, target, methargs, result] = delivery;
  heard.push(`${target}.${methodOf(methargs)}(${methargs.slots})`);
  const value = methodOf(methargs) === 'bootstrap' ? presence('o+1') : data();
  if (result) call('resolve', [[result, false, value]]);
};

/** @param {string[]} heard */
const start = async (heard, store = makeMemoryStore()) => {
  const run = makeTestKernel({ vats: { alice: giver(heard), bob: giver([]) }, store });
  await run.run();
  return run;
};

/** @param {string[]} heard */
const asked = heard => heard.filter(line => line.startsWith('bringOutYourDead')).length;

test('the host may name references that exist or existed', async t => {
  const run = await start([]);
  const { kernel } = run;
  for (const kref of [run.kref('alice', 'o+1'), 'kp40']) t.true(kernel.isKnown(kref), kref);
  for (const kref of ['ko999', 'kp999', 'kd30', 'o+1', '', 'ko-1', 'ko020', 7, undefined])
    t.false(kernel.isKnown(kref), String(kref));
  kernel.endVat('v1', false, data());
  await run.run();
  t.true(kernel.isKnown('ko20'), 'its vat has ended');
});

test('the host ends a vat, and messages to it are rejected', async t => {
  const run = await start([]);
  const { kernel } = run;
  const bob = run.kref('bob', 'o+0') ?? '';
  kernel.endVat('v2', true, data());
  t.throws(() => kernel.endVat('v2', true, data()), { message: /no vat "v2" runs/ });
  t.throws(() => kernel.endVat('v9', true, data()), { message: /no vat "v9" runs/ });
  const result = kernel.queueToTarget(bob, message('x'));
  await run.run();
  t.regex(kernel.promiseStatus(result).data?.body ?? '', /vat terminated/);
  t.throws(() => kernel.queueToVatRoot('v2', message('x')), { message: /has ended/ });
  t.deepEqual(audit(run.state), []);
});

test('a critical vat that the host ends stops the run', async t => {
  const vats = { alice: giver([]), bob: { react: giver([]), options: { critical: true } } };
  const run = makeTestKernel({ vats });
  await run.run();
  t.throws(() => run.kernel.endVat('v2', true, data()), { name: 'CriticalVatError' });
});

test('the host can ask a vat once for its dead references, and set how often all are asked', async t => {
  /** @type {string[]} */
  const heard = [];
  const run = await start(heard);
  const { kernel } = run;
  t.true(kernel.reap('v1'));
  t.false(kernel.reap('v1'), 'it is asked already');
  t.throws(() => kernel.reap('v9'), { message: /no vat "v9" runs/ });
  await run.run();
  t.is(asked(heard), 1);
  kernel.setReapInterval(2);
  run.send('alice', 'one');
  run.send('alice', 'two');
  await run.run();
  t.is(asked(heard), 2);
  kernel.setReapInterval('never');
  for (let i = 0; i < 5; i += 1) run.send('alice', 'more');
  await run.run();
  t.is(asked(heard), 2);
  t.true(kernel.reap('v1'), 'one that is never due may be asked');
});

test('a vat without anything to report is not asked', async t => {
  const never = { react: giver([]), options: { neverReap: true } };
  const run = makeTestKernel({ vats: { alice: giver([]), bob: never } });
  await run.run();
  t.false(run.kernel.reap('v2'));
});

test('an interval that the host has set is loaded with the state', async t => {
  const store = makeMemoryStore();
  const run = await start([], store);
  for (const interval of /** @type {const} */ ([3, 'never', undefined])) {
    run.kernel.setReapInterval(interval);
    if (interval !== undefined) run.kernel.setReapGCKrefs(interval);
    run.kernel.commit();
    const vats = { alice: giver([]), bob: giver([]) };
    const again = makeTestKernel({ vats, store, resume: true });
    t.is(again.state.reapThresholds.interval, interval);
    t.is(again.state.reapThresholds.gcKrefs, interval ?? 'never');
  }
});

test('the recorded inputs repeat all of it', async t => {
  const run = await start([]);
  const { kernel } = run;
  const steps = [
    () => kernel.setReapInterval(5),
    () => kernel.setReapGCKrefs(7),
    () => kernel.reap('v1'),
    () => kernel.noteBundle('b1'),
    () => kernel.endVat('v2', true, data()),
    () => kernel.setReapInterval(undefined),
  ];
  for (const step of steps) {
    step();
    await run.run();
  }
  const again = await start([]);
  for (const input of kernel.inputs().filter(({ kind }) => kind !== 'start' && kind !== 'dead')) {
    t.true(repeatHostCall(again.kernel, input), input.kind);
    await again.run();
  }
  t.deepEqual(dumpTables(again.state), dumpTables(run.state));
  t.is(again.kernel.activityHash(), kernel.activityHash());
  t.deepEqual(again.kernel.inputs(), kernel.inputs());
});

/** A device that a vat has given `o+1`, and a handle on its powers. */
const startDevice = async (/** @type {string[]} */ heard, store = makeMemoryStore()) => {
  const run = makeTestKernel({
    vats: {
      boot: (delivery, call, crank) => {
        if (crank === 1) call('callNow', 'd-70', 'take', data(['o+1']));
        else if (delivery[0] === 'message') heard.push(`${delivery[1]}.${methodOf(delivery[2])}`);
      },
    },
    devices: { device: scriptedDevice({ methods: { take: () => data() } }) },
    store,
  });
  await run.run();
  return { run, powers: run.kernel.devicePowers('d7') };
};

test("a device's work in a call of the host is done between cranks, recorded with its data, and repeated", async t => {
  /** @type {string[]} */
  const heard = [];
  const { run, powers } = await startDevice(heard);
  powers.outside(['send', 'o-50', message('wake', ['d+3'])]);
  powers.outside(['set', 'key', 'value']);
  powers.outside(['set', 'gone', 'value']);
  powers.outside(['delete', 'gone']);
  await run.run();
  t.deepEqual(heard, ['o+1.wake']);
  t.is(run.state.vatstore.get('d7', 'key'), 'value');
  const inputs = run.kernel.inputs().filter(({ kind }) => kind === 'device');
  t.is(inputs.length, 4);
  t.deepEqual(JSON.parse(inputs[0].data), ['send', 'o-50', message('wake', ['d+3'])]);
  t.deepEqual(audit(run.state), []);

  const { run: again } = await startDevice([]);
  for (const input of inputs) t.true(repeatHostCall(again.kernel, input));
  await again.run();
  t.deepEqual(dumpTables(again.state), dumpTables(run.state));
  t.is(again.kernel.activityHash(), run.kernel.activityHash());
});

test("a device's work in a call of the host waits for the end of the running crank", async t => {
  /** @type {string[]} */
  const heard = [];
  /** @type {() => void} */
  let finish = () => {};
  const pause = new Promise(resolve => (finish = () => resolve(undefined)));
  const { run, powers } = await startDevice(heard);
  const transport = {
    begin() {},
    finish: () => pause.then(() => ({ fault: null, syscalls: [], answers: [] })),
    close() {},
  };
  run.kernel.attachVat('v1', transport);
  run.send('boot', 'slow');
  const { waiting } = run.kernel.pump(10);
  powers.outside(['set', 'key', 'late']);
  t.is(run.state.vatstore.get('d7', 'key'), undefined);
  finish();
  await waiting;
  run.kernel.pump(10);
  t.is(run.state.vatstore.get('d7', 'key'), 'late');
  t.is(run.kernel.inputs().at(-1)?.kind, 'device');
});

test("a device's action outside of calls that names an unknown reference changes nothing", async t => {
  const { run, powers } = await startDevice([]);
  const before = dumpTables(run.state);
  for (const deed of /** @type {any[]} */ ([
    ['send', 'o-99', message('x')],
    ['send', 'o-50', message('x', ['d+4', 'o-99'])],
  ]))
    t.throws(() => powers.outside(deed), { message: /neither its own nor something/ });
  t.deepEqual(dumpTables(run.state), before);
  t.deepEqual(audit(run.state), []);
});

test("a delayed action that is an error is reported as the device's; the others are done once", async t => {
  /** @type {() => void} */
  let finish = () => {};
  const pause = new Promise(resolve => (finish = () => resolve(undefined)));
  const { run, powers } = await startDevice([]);
  const transport = {
    begin() {},
    finish: () => pause.then(() => ({ fault: null, syscalls: [], answers: [] })),
    close() {},
  };
  run.kernel.attachVat('v1', transport);
  run.send('boot', 'slow');
  const { waiting } = run.kernel.pump(10);
  powers.outside(['set', 'first', '1']);
  powers.outside(['send', 'o-50', message('x', ['o-99'])]);
  powers.outside(['set', '', 'no key']);
  powers.outside(['send', 'o-50', message('last')]);
  finish();
  await waiting;
  await run.run();
  const [[device, problem], other] = run.deviceFaults;
  t.is(device, 'd7');
  t.regex(problem, /named "o-99", which is neither its own nor something that it was given$/);
  t.deepEqual(other, ['d7', "a key of the vat's store is empty"]);
  t.is(run.deviceFaults.length, 2);
  const deeds = run.kernel.inputs().filter(({ kind }) => kind === 'device');
  t.deepEqual(
    deeds.map(({ data }) => JSON.parse(data)[0]),
    ['set', 'send'],
  );
  t.is(run.state.vatstore.get('d7', 'first'), '1');
  t.deepEqual(audit(run.state), []);
});
