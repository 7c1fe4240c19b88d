// How vats are made on a thread: the process stays alive as long as one is under way, and bundles may be larger than the
// ring between the threads.

import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { makeVatMaker } from '#host/workers/vat-maker.js';

/** A thread that is ready, and what was asked of it. @param {{ room?: number }} [how]  `room`: how often there is none */
const makeThread = ({ room = 0 } = {}) => {
  const seen = { isHeld: false, sent: /** @type {string[]} */ ([]), looks: 0 };
  const worker = {
    isUp: true,
    ready: Promise.resolve(),
    ref: () => void (seen.isHeld = true),
    unref: () => void (seen.isHeld = false),
    send: (/** @type {{ kind: string }} */ { kind }) => void seen.sent.push(kind),
    flush: () => seen.looks >= room,
    awaitReport: async () => void (seen.looks += 1),
  };
  const thread = /** @type {any} */ ({ number: 1, worker, bundles: new Set() });
  return { thread, worker, seen };
};

const maker = () =>
  makeVatMaker(/** @type {any} */ ({ require: () => ({ bundle: {}, sourceUrls: {} }) }));

/** @param {any} thread @param {string} vatId */
const vatOn = (thread, vatId) =>
  /** @type {any} */ ({ thread, vatId, description: { source: 'b1' } });

test('a thread keeps the process alive until the last of the vats under way is made', async t => {
  const { thread, seen } = makeThread();
  const { make, settle } = maker();
  const first = make(vatOn(thread, 'v1'));
  const second = make(vatOn(thread, 'v2'));
  await turn();
  t.deepEqual(seen.sent, ['bundle', 'make', 'make']);
  settle(thread, { vatId: 'v1' });
  await first;
  t.true(seen.isHeld);
  settle(thread, { vatId: 'v2' });
  await second;
  t.false(seen.isHeld);
});

test('a vat that is not made lets go of the process', async t => {
  const { thread, seen } = makeThread();
  const { make, settle, reject } = maker();
  const refused = make(vatOn(thread, 'v1'));
  await turn();
  settle(thread, { vatId: 'v1', problem: 'no root' });
  await t.throwsAsync(refused, { message: 'no root' });
  t.false(seen.isHeld);

  const lost = make(vatOn(thread, 'v1'));
  await turn();
  reject(thread, 'v1', Error('it ended'));
  await t.throwsAsync(lost, { message: 'it ended' });
  t.false(seen.isHeld);
});

test('a worker that is being ended is left to whoever waits for its end', async t => {
  const { thread, worker, seen } = makeThread();
  const { make, reject } = maker();
  const lost = make(vatOn(thread, 'v1'));
  await turn();
  worker.isUp = false;
  reject(thread, 'v1', Error('it ended'));
  await t.throwsAsync(lost, { message: 'it ended' });
  t.true(seen.isHeld);
});

test('frames without room are sent on until there is room, or the worker has ended', async t => {
  const { thread, seen } = makeThread({ room: 3 });
  const { make, settle } = maker();
  const made = make(vatOn(thread, 'v1'));
  await turn();
  t.is(seen.looks, 3);
  settle(thread, { vatId: 'v1' });
  await made;

  const full = makeThread({ room: Infinity });
  const lost = maker();
  full.worker.awaitReport = () => turn();
  const making = lost.make(vatOn(full.thread, 'v1'));
  await turn();
  full.worker.isUp = false;
  lost.reject(full.thread, 'v1', Error('it ended'));
  await t.throwsAsync(making, { message: 'it ended' });
});
