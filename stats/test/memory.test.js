import test from 'ava';
import { readMemory } from '../index.js';

test('the cheap reading agrees with process.memoryUsage()', t => {
  readMemory();
  const usage = process.memoryUsage();
  const { rss, heapTotal, heapUsed, external } = readMemory();
  const within = (/** @type {number} */ a, /** @type {number} */ b) =>
    Math.abs(a - b) <= 0.1 * Math.max(a, b) + 2 ** 20;
  t.true(within(rss, usage.rss), `${rss} ${usage.rss}`);
  t.true(within(heapTotal, usage.heapTotal));
  t.true(within(heapUsed, usage.heapUsed));
  t.true(within(external, usage.external));
});

test('memory that is taken shows up in the reading', t => {
  const before = { ...readMemory() };
  const ballast = Buffer.alloc(256 * 2 ** 20, 1);
  const after = readMemory();
  // A collection or the system may take memory back meanwhile: half must show.
  t.true(after.rss - before.rss > ballast.length / 2, `${before.rss} ${after.rss}`);
  t.true(after.external - before.external >= ballast.length);
});
