import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  stillWorks: 'what the engine refuses depends on the machine’s memory',
  mayEnd: ['bootstrap'],
  settings: [{ node: ['--max-old-space-size=200'] }],
  check({ log }) {
    // Two GB are a fixed bound on every machine, or less.
    const sizes = log.flatMap(line => /sizes (.*)/.exec(line)?.[1].split(',').map(Number) ?? []);
    assert(
      sizes.every(size => size <= 4),
      String(sizes),
    );
  },
};
