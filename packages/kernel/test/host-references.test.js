// References that the host holds and sends beside messages to roots: objects that it was told of, promises that it waits
// for.

import test from 'ava';

import { audit, repeatMessage } from '#kernel';
import { storeContents } from '#store';
import { data, dumpTables, makeTestKernel, message, presence } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').TestKernel} TestKernel */

/** Asked by the test alone. */
const never = { options: { reapInterval: 'never' } };

/** Resolves promises as the method says; `fail` resolves one twice, which is a fault. @type {React} */
const alice = (delivery, call) => {
  if (delivery[0] !== 'message' || delivery[3] === null) return;
  const [method] = JSON.parse(delivery[2].body.slice(1));
  if (method === 'make') call('resolve', [[delivery[3], false, presence('o+1')]]);
  else if (method === 'promise') call('resolve', [[delivery[3], false, data(['p+9'])]]);
  else if (method === 'settle') call('resolve', [['p+9', false, data()]]);
  else if (method === 'fail') {
    call('resolve', [[delivery[3], false, data()]]);
    call('resolve', [[delivery[3], false, data()]]);
  } else call('resolve', [[delivery[3], false, { body: `#"${delivery[1]}"`, slots: [] }]]);
};

/** @param {object} [options] */
const makeRun = options => {
  /** @type {string[]} */
  const heard = [];
  /** @type {React} */
  const react = (delivery, call, crank) => {
    if (!['message', 'bringOutYourDead', 'startVat'].includes(delivery[0]))
      heard.push(`${delivery[0]} ${String(delivery[1])}`);
    return alice(delivery, call, crank);
  };
  const run = makeTestKernel({
    vats: { boot: { react: () => {}, ...never }, alice: { react, ...never } },
    ...options,
  });
  return { run, heard };
};

/** @param {TestKernel} run */
const collect = async run => {
  run.state.queue.addControl('bringOutYourDead', run.vatId('alice'));
  run.state.keepBetweenCranks();
  await run.run();
};

/** @param {TestKernel} run @param {string} result */
const slotsOf = ({ kernel }, result) => kernel.promiseStatus(result).data?.slots ?? [];

test('an object that the host holds is not collected until it is released once for each hold', async t => {
  const { run, heard } = makeRun();
  const { kernel } = run;
  const result = run.send('alice', 'make');
  await run.run();
  const [thing] = slotsOf(run, result);
  kernel.hold(thing);
  kernel.hold(thing);
  kernel.release(result);
  kernel.release(thing);
  await collect(run);
  t.deepEqual(heard, []);
  t.deepEqual(audit(run.state), []);
  kernel.release(thing);
  await collect(run);
  t.deepEqual(heard, ['dropExports o+1', 'retireExports o+1']);
  t.throws(() => kernel.release(thing), { message: `the host does not hold "${thing}"` });
  t.deepEqual(audit(run.state), []);
});

test('a held object is still held after a resume', async t => {
  const { run } = makeRun();
  const result = run.send('alice', 'make');
  await run.run();
  const [thing] = slotsOf(run, result);
  run.kernel.hold(thing);
  run.kernel.release(result);
  run.kernel.commit();
  const { run: again, heard } = makeRun({ store: run.store, resume: true });
  t.deepEqual(dumpTables(again.state), dumpTables(run.state));
  await collect(again);
  t.deepEqual(heard, []);
  again.kernel.release(thing);
  await collect(again);
  t.is(heard.length, 2);
});

test('released promises are due in the order of their last release, even after a resume', async t => {
  const dueOf = async (/** @type {boolean} */ isResumed) => {
    let { run } = makeRun();
    const [first, second] = [run.send('alice', 'make'), run.send('alice', 'make')];
    await run.run();
    run.kernel.release(first);
    run.kernel.hold(first);
    run.kernel.commit();
    if (isResumed) ({ run } = makeRun({ store: run.store, resume: true }));
    run.kernel.release(second);
    run.kernel.release(first);
    run.kernel.commit();
    t.is(run.store.get('kernel.dueForDeletion'), `${second} ${first}`);
    run.send('alice', 'make');
    await run.run();
    run.kernel.commit();
    t.is(run.store.get('kernel.dueForDeletion'), undefined);
    t.deepEqual(audit(run.state), []);
    return storeContents(run.store);
  };
  t.deepEqual(await dueOf(true), await dueOf(false));
});

test('the host sends to objects and to promises, and holds the results', async t => {
  const { run } = makeRun();
  const { kernel } = run;
  const made = run.send('alice', 'make');
  const promised = run.send('alice', 'promise');
  await run.run();
  const [thing] = slotsOf(run, made);
  const [promise] = slotsOf(run, promised);
  const answer = kernel.queueToTarget(thing, message('hello'));
  const parked = kernel.queueToTarget(promise, message('hello'));
  await run.run();
  t.deepEqual(kernel.promiseStatus(answer).data, { body: '#"o+1"', slots: [] });
  t.is(kernel.promiseStatus(parked).state, 'unresolved');
  run.send('alice', 'settle');
  await run.run();
  t.is(kernel.promiseStatus(parked).state, 'rejected', 'data has no methods');
  const inputs = kernel.inputs().filter(({ kind }) => kind === 'message');
  t.deepEqual(
    inputs.map(({ vat }) => vat),
    [run.vatId('alice'), run.vatId('alice'), thing, promise, run.vatId('alice')],
  );
  t.deepEqual(audit(run.state), []);
  t.throws(() => kernel.queueToTarget('kp999', message('hello')), { message: /kp999/ });
  t.throws(() => kernel.queueToTarget('kd30', message('hello')), { message: /only vats can call/ });
});

test('a message that the host sends without a result is repeated without one', async t => {
  /** @type {string[]} */
  const heard = [];
  const start = () =>
    makeRun({
      vats: {
        boot: { react: () => {}, ...never },
        alice: {
          /** @type {React} */
          react: (delivery, call, crank) => {
            if (delivery[0] === 'message') heard.push(`${delivery[1]} ${String(delivery[3])}`);
            alice(delivery, call, crank);
          },
          ...never,
        },
      },
    });
  const { run } = start();
  const { kernel } = run;
  await run.run();
  const made = run.send('alice', 'make');
  await run.run();
  const promised = run.send('alice', 'promise');
  await run.run();
  const [thing] = slotsOf(run, made);
  const [promise] = slotsOf(run, promised);
  t.is(kernel.sendOnly(thing, message('hello')), undefined);
  await run.run();
  t.is(heard.at(-1), 'o+1 null');
  kernel.sendOnly(promise, message('parked'));
  await run.run();
  const next = run.send('alice', 'settle');
  t.is(Number(next.slice(2)), Number(promise.slice(2)) + 1, 'no promise was made between');
  await run.run();
  t.deepEqual(audit(run.state), []);
  t.throws(() => kernel.sendOnly('kp999', message('hello')), { message: /kp999/ });
  t.throws(() => kernel.sendOnly('kd30', message('hello')), { message: /only vats can call/ });

  const { run: again } = start();
  await again.run();
  for (const { kind, vat, data: text } of kernel.inputs())
    if (kind === 'message') {
      repeatMessage(again.kernel, vat, text);
      await again.run();
    }
  t.deepEqual(dumpTables(again.state), dumpTables(run.state));
  t.is(again.kernel.activityHash(), kernel.activityHash());
  t.deepEqual(again.kernel.inputs(), kernel.inputs());
});

test('a watched promise is reported when it is settled for good, not by a dropped crank', async t => {
  const { run } = makeRun();
  const { kernel } = run;
  const fails = run.send('alice', 'fail');
  const made = makeRun().run;
  kernel.watchPromise(fails);
  t.deepEqual(kernel.takeSettled(), []);
  await run.run();
  t.is(run.faults.length, 1, 'a promise is settled twice');
  t.deepEqual(kernel.takeSettled(), [fails]);
  t.is(kernel.promiseStatus(fails).state, 'rejected');
  t.deepEqual(kernel.takeSettled(), []);
  const watched = made.send('alice', 'make');
  const unwatched = made.send('alice', 'make');
  made.kernel.watchPromise(watched);
  await made.run();
  t.not(made.kernel.promiseStatus(unwatched).data, null);
  t.deepEqual(made.kernel.takeSettled(), [watched]);
});
