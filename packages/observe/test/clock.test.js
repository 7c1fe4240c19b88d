import test from 'ava';
import { javaScriptClock, openClock } from '../clock.js';

test("the clock of this machine has a name, never decreases, and agrees with Node's", async t => {
  const clock = await openClock();
  t.true(['tsc', 'cntvct_el0', 'performance.now'].includes(clock.name));
  t.is(clock.name === 'performance.now', clock.reason !== undefined);
  const ownBegin = clock.nowNs();
  const begin = javaScriptClock.nowNs();
  let last = ownBegin;
  for (let i = 0; i < 100_000; i += 1) {
    const now = clock.nowNs();
    if (now < last) t.fail('went back');
    last = now;
  }
  await new Promise(resolve => setTimeout(resolve, 50));
  const ratio = (clock.nowNs() - ownBegin) / (javaScriptClock.nowNs() - begin);
  // This checks the unit only: the process may be interrupted between two readings.
  t.true(ratio > 0.5 && ratio < 2, String(ratio));
});
