// The short way of a message's crank to the tables does what the usual way does: random programs, with vats that break
// rules, call devices and end, come to the same outcome and the same store when there is no short way.

import test from 'ava';

import { audit } from '#kernel';
import { makeRandom, makeRandomProgram, runRandomProgram } from '#testkit';
import { MessageLane } from '../crank/message-lane.js';

/** @typedef {import('#testkit').RandomProgram} RandomProgram */

/**
 * @param {RandomProgram} program
 * @param {number} seed
 */
const runFor = async (program, seed) => {
  const random = makeRandom(seed);
  /** @type {string[]} */
  const differences = [];
  const { store, outcome } = await runRandomProgram(program, {
    blockSize: () => 1 + random.below(12),
    onBlock: kernel => void differences.push(...audit(kernel.state)),
  });
  const streams = store.streamNames().map(name => [name, [...store.readStream(name)]]);
  const entries = [...store.entries('')].filter(([key]) => !key.startsWith('local.'));
  await store.close();
  return { outcome, entries, streams, differences };
};

test.serial('random programs come to the same by the usual way', async t => {
  const { takes, run } = MessageLane.prototype;
  const counts = { short: 0, given: 0, usual: 0 };
  for (let seed = 0; seed < 60; seed += 1) {
    const program = makeRandomProgram(`message lane ${seed}`);
    MessageLane.prototype.run = function runCounted(item) {
      const flight = run.call(this, item);
      counts[flight === null ? 'short' : 'given'] += 1;
      return flight;
    };
    try {
      const short = await runFor(program, seed);
      t.deepEqual(short.differences, []);
      MessageLane.prototype.takes = () => {
        counts.usual += 1;
        return false;
      };
      t.deepEqual(await runFor(program, seed), short, `seed ${seed}`);
    } finally {
      Object.assign(MessageLane.prototype, { takes, run });
    }
  }
  t.log(`${counts.short} the short way, ${counts.given} given back, ${counts.usual} the usual way`);
  t.true(counts.short > counts.usual / 10);
  t.true(counts.given > counts.usual / 20);
});
