import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  rounds: 2,
  blockSize: 60,
  exitCode: 1,
  settings: [
    { node: ['--stack-size=850'] },
    { node: ['--no-opt'] },
    { node: ['--stack-size=2000'] },
  ],
  check({ rounds }) {
    // Mallory's answers are too deep, so the round is rejected; what matters is that it always is.
    for (const result of rounds) assert.match(result, /^rejected/);
  },
};
