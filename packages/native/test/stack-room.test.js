// The end of the stack is seen before it is reached, on threads with stacks of two sizes.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { openStackRoom } from '../index.js';

const program = `
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(new URL('../index.js', import.meta.url))}).then(({ openStackRoom }) => {
    const isLow = openStackRoom();
    const atRest = isLow();
    let all = 0;
    let high = 0;
    const dive = () => {
      all += 1;
      if (isLow() !== true) high += 1;
      dive();
    };
    try {
      dive();
    } catch {}
    parentPort.postMessage({ atRest, all, high });
  });
`;

/** Bytes of a thread's stack that Node keeps for itself. */
const keptBytes = 192 * 1024;

const ifAddon = openStackRoom() === undefined ? test.skip : test;

ifAddon('the end of the stack is told some 32 KiB before it', async t => {
  for (const stackSizeMb of [1, 4]) {
    const worker = new Worker(program, { eval: true, resourceLimits: { stackSizeMb } });
    const [{ atRest, all, high }] = await once(worker, 'message');
    t.is(atRest, undefined);
    const left = ((all - high) / all) * (stackSizeMb * 1024 * 1024 - keptBytes);
    // Frames change their size as the recursion is compiled, so this is no exact measure.
    t.true(left > 16 * 1024 && left < 64 * 1024, `${left} bytes, ${all - high} of ${all} levels`);
  }
});

test('without the addon nothing tells it', t => {
  t.is(openStackRoom({ level: 1 }), undefined);
});
