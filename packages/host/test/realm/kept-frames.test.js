// The engine keeps as many frames of an error as we say in cranks, and as the host program says otherwise.

import test from 'ava';
import { makeLocalTransport } from '#host/vats/local-transport.js';
import { probeDrain } from '#host/engine/drain-jobs.js';
import { WorkBoard } from '#host/engine/work-board.js';
import { keptFrames } from '#loader/kept-frames.js';

/** @import { CrankResult } from '#kernel' */

const hostFrames = 7;

test.beforeEach(() => {
  Error.stackTraceLimit = hostFrames;
});

/** @type {CrankResult} */
const nothing = { fault: null, syscalls: [], answers: [] };

/**
 * A vat that runs some cranks of its own in a delivery.
 *
 * @param {Awaited<ReturnType<typeof probeDrain>>} drain
 * @param {() => boolean} [goesOn]
 */
const makeVat = (drain, goesOn = () => false) =>
  makeLocalTransport({
    vatName: 'vat',
    supervisor: /** @type {any} */ ({ begin: () => {}, goesOn, finish: () => nothing }),
    drain,
    running: { vatName: undefined, delivery: undefined, cranks: 0, board: new WorkBoard() },
    onError: error => {
      throw error;
    },
  });

/** @param {ReturnType<typeof makeVat>} vat */
const begin = vat =>
  vat.begin(
    ['startVat', { body: '', slots: [] }],
    /** @type {any} */ (undefined),
    /** @type {any} */ ({}),
  );

test.serial('the host has its number again behind a crank', t => {
  const vat = makeVat({
    kind: 'tickCallback',
    drain: () => void t.is(Error.stackTraceLimit, keptFrames),
  });
  begin(vat);
  t.is(Error.stackTraceLimit, hostFrames);
  void vat.finish();
  t.is(Error.stackTraceLimit, hostFrames);
});

test.serial('the host has its number again behind a crank in which a tick of its own throws', t => {
  const drain = () => {
    throw Error('a tick');
  };
  const vat = makeVat({ kind: 'tickCallback', drain });
  begin(vat);
  t.throws(() => vat.finish(), { message: 'a tick' });
  t.is(Error.stackTraceLimit, hostFrames);
});

test.serial(
  'a crank that ends does not give the host its number in that of another run',
  async t => {
    const drain = await probeDrain({ force: 'immediate' });
    let left = 3;
    let isShortOver = false;
    /** @type {unknown[]} */
    const numbers = [];
    const long = makeVat(drain, () => {
      if (isShortOver) numbers.push(Error.stackTraceLimit);
      left -= 1;
      return left > 0;
    });
    const short = makeVat(drain);
    begin(short);
    const ended = Promise.resolve(short.finish()).then(() => {
      isShortOver = true;
    });
    begin(long);
    await Promise.all([ended, long.finish()]);
    t.deepEqual(new Set(numbers), new Set([keptFrames]));
    t.is(Error.stackTraceLimit, hostFrames);
  },
);
