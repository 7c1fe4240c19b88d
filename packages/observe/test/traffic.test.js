import test from 'ava';
import { makeTestKernel, message } from '#testkit';
import { makeTraffic } from '../traffic.js';

/** @param {string} method  each message of boot has it @param {number} [count] */
const countOf = async (method, count = 1) => {
  const traffic = makeTraffic();
  const run = makeTestKernel({
    crankObserver: traffic.crankObserver,
    vats: {
      boot(delivery, call) {
        if (delivery[0] !== 'message') return;
        for (let i = 0; i < count; i += 1) call('send', 'o-50', message(method), null);
      },
      sink: () => {},
    },
  });
  traffic.onKernel(run.kernel);
  await run.run();
  return traffic.messages();
};

test('messages are counted by sender, receiving vat and method', async t => {
  t.deepEqual(await countOf('hello', 3), [
    { from: 'host', to: 'boot', method: 'bootstrap', count: 1 },
    { from: 'boot', to: 'sink', method: 'hello', count: 3 },
  ]);
});

test('a long name of a method is cut after 100 characters', async t => {
  const [, { method }] = await countOf('m'.repeat(101));
  t.is(method, `${'m'.repeat(100)}…`);
  t.is((await countOf('m'.repeat(100)))[1].method, 'm'.repeat(100));
});
