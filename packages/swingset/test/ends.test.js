// Vats that fail, as a host program is told of them: by its policy, and by the error of a run.

import { fileURLToPath } from 'node:url';
import test from 'ava';

import { buildVatController, kser, kunser } from '../index.js';

const source = (/** @type {string} */ name) => ({
  sourceSpec: fileURLToPath(new URL(`fixtures/ends/${name}.js`, import.meta.url)),
});

/** @param {import('ava').ExecutionContext} t */
const start = async t => {
  const c = await buildVatController({
    bootstrap: 'bootstrap',
    defaultReapInterval: 'never',
    vats: { bootstrap: source('bootstrap') },
    bundles: {
      ...{ ending: source('ending'), notStarting: source('not-starting') },
      leavingOddly: source('leaving-oddly'),
    },
  });
  t.teardown(c.shutdown);
  await c.run();
  return c;
};

test('to a run policy a failed delivery is a crank, and a vat that does not start a new vat', async t => {
  const c = await start(t);
  /** @type {string[]} */
  let told = [];
  const note = (/** @type {string} */ kind) => () => {
    told.push(kind);
    return true;
  };
  const policy = {
    ...{ vatCreated: note('created'), crankComplete: note('crank') },
    ...{ crankFailed: note('failed'), emptyCrank: () => true },
  };
  c.queueToVatRoot('bootstrap', 'make', ['notStarting']);
  await c.run(policy);
  t.deepEqual(told, ['crank', 'crank', 'created', 'crank', 'crank'], 'as if it had started');
  c.queueToVatRoot('bootstrap', 'make', ['ending']);
  await c.run();
  told = [];
  c.queueToVatRoot('bootstrap', 'call', ['fail']);
  await c.run(policy);
  t.true(told.length > 2);
  t.deepEqual([...new Set(told)], ['crank']);
  const everything = /** @type {any} */ ({ ...policy, allowCleanup: () => null });
  c.queueToVatRoot('bootstrap', 'make', ['ending']);
  t.true((await c.run(everything)) > 0, 'no answer allows all clean-up');
});

test('after the end of a critical vat each run throws the same', async t => {
  const c = await start(t);
  c.queueToVatRoot('bootstrap', 'make', ['ending', true]);
  await c.run();
  c.queueToVatRoot('bootstrap', 'call', ['fail']);
  const error = await t.throwsAsync(c.run(), { message: /^#\{"#error":"over",/ });
  t.is(await t.throwsAsync(c.run()), error);
  t.is(await t.throwsAsync(c.step()), error);
});

test('whoever makes a vat is told that it ended in its start, also with what cannot become a text', async t => {
  const c = await start(t);
  const made = String(c.queueToVatRoot('bootstrap', 'make', ['leavingOddly'], 'ignore'));
  await c.run();
  t.is(c.kpStatus(made), 'rejected');
  t.is(kunser(c.kpResolution(made)).message, 'Vat Creation Error: (an object)');
});

test('a vat that is ended and deleted before its start keeps nobody from going on', async t => {
  const c = await start(t);
  for (let i = 0; i < 5; i += 1) c.queueToVatRoot('bootstrap', 'make', ['ending'], 'ignore');
  const findStarts = () =>
    c.dump().runQueue.filter((/** @type {any} */ item) => item.type === 'create-vat');
  while (findStarts().length < 4) await c.step();
  const { vatID } = findStarts()[3];
  c.terminateVat(vatID, kser('by the host'));
  // Each step asks what the queue begins with.
  for (let cranks = 0; cranks < 60; cranks += 1) await c.step();
  const answer = c.queueToVatRoot('bootstrap', 'make', ['ending'], 'ignore');
  await c.run();
  t.is(c.kpStatus(/** @type {string} */ (answer)), 'fulfilled');
});
