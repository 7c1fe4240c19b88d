import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  check({ log }) {
    const bounds = log.flatMap(line => [...line.matchAll(/(\w+) (\d+)/g)]);
    assert(bounds.length >= 3, log.join('\n'));
    // In Mi elements, as far as it was looked for.
    for (const [, name, bound] of bounds) assert(Number(bound) <= 256, `${name} ${bound}`);
  },
};
