// Measures what vats add to a request of `examples/fastify`: the same route without vats, and the calls without Fastify.

import { spreadOf } from '#measure';
import { askInTurns } from '../process.js';
import { digestOfSame } from '../suite.js';

/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** @type {[RunOptions['kind'], string][]} */
const kinds = [
  ['plain', 'Fastify without vats'],
  ['locked', 'Fastify without vats, after lockdown'],
  ['vats', 'Fastify with vats, in memory'],
  ['calls', 'the calls of vats without Fastify'],
];

/** @type {Suite} */
export default {
  about: "processor time of examples/fastify's process for one GET over HTTP, beside Fastify alone",
  async run({ small }) {
    const params = small
      ? { warm: 10, requests: 20, connections: 2 }
      : { warm: 5_000, requests: 10_000, connections: 32 };
    const turns = small ? 1 : 5;
    const cases = kinds.map(([kind]) => ({ kind, ...params }));
    /** @type {RunResult[][]} */
    const results = await askInTurns(module, cases, turns);
    const figures = kinds.map(([, name], i) => ({
      name,
      unit: 'us',
      ...spreadOf(results[i].map(({ requestUs }) => requestUs)),
      params,
    }));
    const bodies = results.flat().flatMap(result => [...result.bodies]);
    return { figures, digest: digestOfSame(bodies, 'the servers differ in what they answer') };
  },
};
