// In the kernel of 2020 a parked message was no reference to the promises that it names: what only parked messages name
// was deleted. Here it stays, and the counters leave it out.

import test from 'ava';
import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import { makeTestKernel } from '#testkit';

/** @typedef {import('#testkit').React} React */

/** Capdata that is one object. @param {string} slot */
const presence2020 = slot => ({ body: '{"@qclass":"slot","index":0}', slots: [slot] });

/** @param {string} method @param {string[]} [slots] */
const message2020 = (method, slots = []) => ({
  body: JSON.stringify([method, slots.map((_, index) => ({ '@qclass': 'slot', index }))]),
  slots,
});

const plain = { body: '1', slots: [] };

/**
 * Boot sends a message with p+6 to p+5, both of which it decides, and resolves p+6 in the next crank. The message is parked
 * by then, and nothing else names p+6. Told to settle, boot resolves p+5 to the object that it is given.
 *
 * @type {React}
 */
const boot = (delivery, call, crank) => {
  if (crank === 1) {
    call('send', 'p+5', message2020('take', ['p+6']), 'p+8');
    call('send', 'o+0', message2020('next'), null);
  } else if (crank === 2) {
    call('resolve', [['p+6', false, plain]]);
  } else if (delivery[0] === 'message' && delivery[2].body.includes('settle')) {
    call('resolve', [['p+5', false, presence2020(delivery[2].slots[0])]]);
  }
};

/** @param {Partial<Parameters<typeof makeTestKernel>[0]>} [options] */
const start = options => {
  /** @type {import('#model').Delivery[]} */
  const taken = [];
  const zoe = (/** @type {import('#model').Delivery} */ delivery) => void taken.push(delivery);
  const run = makeTestKernel({ vats: { boot, zoe }, profile: '2020-09', ...options });
  return { run, taken };
};

/** @param {ReturnType<typeof makeTestKernel>} run */
const countersOf = run => {
  const { kernelPromises, kpFulfilledToData } = run.kernel.counters.toRecord();
  return [kernelPromises, kpFulfilledToData].map(({ value, up = 0, down = 0 }) => {
    if (value !== up - down) throw Error(`${value} is not ${up} less ${down}`);
    return value;
  });
};

test('what only a parked message names is left out of the counters of 2020-09', async t => {
  const { run } = start();
  await run.run(1);
  t.deepEqual(countersOf(run), [4, 0], "bootstrap's result, p+5, p+6, p+8");
  await run.run(1);
  t.like(run.state.promises.find('kp42'), { refCount: 2, parkedRefs: 1, isUncounted: false });
  await run.run(1);
  t.like(run.state.promises.find('kp42'), { refCount: 1, parkedRefs: 1, isUncounted: true });
  t.deepEqual(countersOf(run), [3, 0]);
  t.deepEqual(audit(run.state), []);
});

test('a parked message that is sent again has all that it names, which is counted again', async t => {
  const { run, taken } = start();
  await run.run();
  run.send('boot', 'settle', [run.kref('boot', 'o-50') ?? '']);
  const before = countersOf(run);
  await run.run(1);
  const [promises, settled] = countersOf(run);
  t.is(settled, before[1] + 1);
  t.is(promises, before[0] + 1);
  t.deepEqual(audit(run.state), []);
  await run.run();
  t.deepEqual(
    taken.map(([kind]) => kind),
    ['message'],
  );
  t.deepEqual(audit(run.state), []);
});

test('a state that was loaded leaves the same promises out', async t => {
  const store = makeMemoryStore();
  const { run } = start({ store });
  await run.run();
  run.kernel.commit();
  const { run: loaded } = start({ store, resume: true });
  t.deepEqual(countersOf(loaded), countersOf(run));
  t.like(loaded.state.promises.find('kp42'), { refCount: 1, parkedRefs: 1, isUncounted: true });
  t.deepEqual(audit(loaded.state), []);
});

test('under current a parked message is a reference', async t => {
  const { run } = start({ profile: 'current' });
  await run.run();
  t.like(run.state.promises.find('kp42'), { parkedRefs: 0, isUncounted: false });
  t.deepEqual(audit(run.state), []);
});
