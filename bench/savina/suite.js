// The Savina suite: each program of demos/savina as a library, by Lingua Franca's method.
// `swingset-runner bench savina` shows the same compared with other systems, and also runs them in
// vats.

import { createHash } from 'node:crypto';
import { measureSavina } from '#savina';

/** @type {import('../suite.js').Suite} */
export default {
  about: 'the thirty programs of the Savina suite, 12 iterations each, and hand-written Node',
  async run({ small }) {
    const { rows, plain, failed } = await measureSavina({
      // Lingua Franca's programs run 12 of themselves; `swingset-runner bench savina` runs the paper's 32.
      iterations: small ? 3 : 12,
      ...(small && { only: ['threadring', 'fjcreate', 'fib'] }),
    });
    if (failed.length > 0)
      throw Error(failed.map(({ id, message }) => `${id}: ${message}`).join('\n'));
    const hash = createHash('sha256');
    for (const { id, result } of rows) hash.update(`${id} ${result}\n`);
    const figures = [
      ...rows.map(({ id, n, median, min, max, p25, p75, mean, half, threads, mode, peakMb }) => ({
        name: `${mode}/${id}`,
        ...{ unit: 'ms', n, median, min, max, p25, p75 },
        params: { mean, interval99: half, threads, peakMb },
      })),
      ...Object.entries(plain).map(([name, { n, median, min, max, p25, p75 }]) => ({
        name: `plain Node/${name}`,
        ...{ unit: 'ms', n, median, min, max, p25, p75 },
      })),
    ];
    return { figures, digest: hash.digest('hex') };
  },
};
