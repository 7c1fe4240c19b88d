// The host's part of a device answers later, in the same run, or by another device while a crank runs.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import * as swingset from '../index.js';
import { initSwingStore } from '../swing-store.js';

const fixture = (/** @type {string} */ name) => ({
  sourceSpec: fileURLToPath(new URL(`fixtures/later/${name}.js`, import.meta.url)),
});

const policy = {
  vatCreated: () => true,
  crankComplete: () => true,
  crankFailed: () => true,
  emptyCrank: () => true,
};

test('what a function of the host puts off to an immediate or a timer without delay comes in the same run', async t => {
  /** @type {string[]} */
  const order = [];
  /** @param {string} way */
  const answerBy = way => {
    const answer = () => {
      order.push(way);
      bridge.deliverInbound(`by ${way}`);
    };
    if (way === 'an immediate') setImmediate(answer);
    else if (way !== 'nothing') setTimeout(answer);
  };
  const bridge = swingset.buildBridge(answerBy);
  const config = {
    bootstrap: 'bridging',
    defaultReapInterval: /** @type {const} */ ('never'),
    vats: { bridging: fixture('bridging') },
    devices: { bridge: { sourceSpec: bridge.srcPath } },
  };
  const { kernelStorage } = initSwingStore();
  const endowments = { bridge: bridge.endowments };
  const started = await swingset.initializeSwingset(config, [], kernelStorage);
  const c = await swingset.makeSwingsetController(kernelStorage, endowments);
  await c.run();
  t.is(c.kpStatus(String(started)), 'fulfilled');
  for (const asked of [undefined, policy])
    for (const way of ['a timer', 'an immediate']) {
      const kpid = c.queueToVatRoot('bridging', 'ask', [way], 'ignore');
      t.true((await c.run(asked)) >= 2);
      t.deepEqual(swingset.kunser(c.kpResolution(String(kpid))), `by ${way}`);
    }
  t.deepEqual(order, ['at the start', 'a timer', 'an immediate', 'a timer', 'an immediate']);
  const unanswered = c.queueToVatRoot('bridging', 'ask', ['nothing'], 'ignore');
  t.is(await c.run(), 1);
  t.is(c.kpStatus(String(unanswered)), 'unresolved');
  t.is(await c.run(), 0, 'nothing is waited for twice');
  await c.shutdown();
});

/** @param {(c: Awaited<ReturnType<typeof swingset.makeSwingsetController>>) => Promise<unknown>} drive */
const passAround = async drive => {
  const second = swingset.buildBridge(() => 0);
  const bridge = swingset.buildBridge(number => void second.deliverInbound(number));
  const { kernelStorage } = initSwingStore();
  const config = {
    bootstrap: 'passing',
    defaultReapInterval: /** @type {const} */ ('never'),
    vats: { passing: fixture('passing'), other: fixture('back') },
    devices: { bridge: { sourceSpec: bridge.srcPath }, second: { sourceSpec: second.srcPath } },
  };
  const endowments = { bridge: bridge.endowments, second: second.endowments };
  await swingset.initializeSwingset(config, [], kernelStorage);
  const c = await swingset.makeSwingsetController(kernelStorage, endowments);
  await c.run();
  const kpid = c.queueToVatRoot('passing', 'pass', [3], 'ignore');
  await drive(c);
  const heard = swingset.kunser(c.kpResolution(String(kpid)));
  const hash = c.getActivityhash();
  await c.shutdown();
  return { heard, hash };
};

test('an input that the host gives during a crank comes behind it, wherever runs end', async t => {
  const whole = await passAround(c => c.run());
  t.deepEqual(whole.heard, [3, 2, 1, 0]);
  t.deepEqual(await passAround(c => c.run(policy)), whole);
  const byStep = await passAround(async c => {
    while ((await c.step()) > 0);
  });
  t.deepEqual(byStep, whole);
});
