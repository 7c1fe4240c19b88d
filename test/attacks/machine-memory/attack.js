import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    // Three GB are refused on every machine.
    const sizes = log.flatMap(line => /sizes (.*)/.exec(line)?.[1].split(',').map(Number) ?? []);
    assert(
      sizes.every(size => size === 0),
      String(sizes),
    );
  },
};
