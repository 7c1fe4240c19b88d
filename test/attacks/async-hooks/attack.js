import assert from 'node:assert/strict';

import { runsOneWay } from '../harness/one-way.js';

const kinds = [
  // Each of these is a part of `all`, which is enough where the suite runs each attack in one way.
  ...(runsOneWay ? [] : ['init', 'before', 'resolve', 'destroy']),
  ...['all', 'late', 'observer'],
  // AsyncLocalStorage.
  'storage',
];

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  rounds: 1,
  check({ log }) {
    assert.deepEqual(log.slice(0, 2), ['bootstrap: marks: none', 'bootstrap: spoilt: 0']);
  },
  async more({ node }) {
    const without = await node('host.mjs', ['none']);
    assert.match(without.stdout, /^bootstrap: marks: none\nbootstrap: spoilt: 0\n/);
    for (const kind of kinds) assert.deepEqual(await node('host.mjs', [kind]), without, kind);
  },
};
