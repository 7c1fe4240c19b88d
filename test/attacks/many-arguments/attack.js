import assert from 'node:assert/strict';

const refused = count =>
  `the message has ${count} arguments; at most 32768 are allowed, a list can hold more`;

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  settings: [{ node: ['--stack-size=850'] }, { node: ['--stack-size=2000'] }],
  check({ log, way }) {
    const said = [32_768, 32_769, 100_000, 124_500, 130_000, 500_000].flatMap(count => {
      const answer = count <= 32_768 ? count : refused(count);
      const raw = `bootstrap: ${count} by a raw vat: ${answer}`;
      const isTold = count <= 32_768 || !way.startsWith('2020');
      return [`bootstrap: ${count}: ${answer}`, ...(isTold ? [raw] : [])];
    });
    assert.deepEqual([...log].sort(), said.sort());
  },
};
