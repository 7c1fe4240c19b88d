// Measures what vats add to a request of `examples/fastify`: the same route without vats, and the calls without Fastify.

import { createHash } from 'node:crypto';
import { spreadOf } from '#measure';
import { ask } from '../process.js';

/** @import { Figure } from '#measure' */
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
    /** @type {Record<string, number[]>} */
    const times = {};
    const bodies = new Set();
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [kind] of kinds) {
        /** @type {RunResult} */
        const result = await ask(module, { kind, ...params });
        (times[kind] ??= []).push(result.requestUs);
        for (const body of result.bodies) bodies.add(body);
      }
    }
    if (bodies.size !== 1) throw Error('the servers differ in what they answer');
    /** @type {Figure[]} */
    const figures = kinds.map(([kind, name]) => ({
      name,
      unit: 'us',
      ...spreadOf(times[kind]),
      params,
    }));
    const digest = createHash('sha256')
      .update(JSON.stringify([...bodies]))
      .digest('hex');
    return { figures, digest };
  },
};
