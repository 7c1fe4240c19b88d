// On how many cores `--workers auto` may put vats.

import test from 'ava';
import { FreeCores } from '#host/workers/free-cores.js';

/** Clocks of a machine that the test moves on. */
const makeClocks = () => {
  const ms = { now: 5_000, idle: 70_000, own: 300 };
  return {
    clocks: { nowMs: () => ms.now, idleMs: () => ms.idle, ownMs: () => ms.own },
    /** @param {number} now @param {number} idle  cores @param {number} own  cores */
    pass(now, idle, own) {
      ms.now += now;
      ms.idle += idle * now;
      ms.own += own * now;
    },
  };
};

test('a core that the process itself uses is free for its threads', t => {
  const { clocks, pass } = makeClocks();
  const cores = new FreeCores(clocks);
  t.is(cores.measure(), undefined);
  // The kernel's thread, and the engine's threads on the second core.
  pass(100, 0.25, 1.75);
  t.is(cores.measure(), 2);
});

test('a core that another process needs is not free', t => {
  const { clocks, pass } = makeClocks();
  const cores = new FreeCores(clocks);
  pass(100, 0, 1);
  t.is(cores.measure(), 1);
  pass(200, 1, 1);
  t.is(cores.measure(), 2);
});

test('a short interval is not measured; the one before it counts', t => {
  const { clocks, pass } = makeClocks();
  const cores = new FreeCores(clocks);
  pass(59, 2, 0);
  t.is(cores.measure(), undefined);
  pass(1, 2, 0);
  t.is(cores.measure(), 2);
  pass(50, 0, 0);
  t.is(cores.measure(), 2);
  pass(50, 1, 0);
  t.is(cores.measure(), 0.5);
});

test('the machine has cores, and the process leaves some time of them', async t => {
  const cores = new FreeCores();
  await new Promise(resolve => setTimeout(resolve, 100));
  const free = cores.measure();
  t.true(free !== undefined && free >= 0, String(free));
});
