// One of the servers that suite.js compares, and the processor time of its process per request.

import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';
import { answer, ask } from '../process.js';

/** @import { FastifyInstance } from 'fastify' */
/** @import { ClientResult } from './client.js' */

/**
 * @typedef {object} RunOptions
 * @property {'plain' | 'locked' | 'vats' | 'calls'} kind  Fastify alone, Fastify after lockdown, examples/fastify, and the calls of
 *   the example without Fastify
 * @property {number} warm  unmeasured requests before the others, while the engine compiles
 * @property {number} requests
 * @property {number} connections
 */

/** @typedef {{ requestUs: number, bodies: string[] }} RunResult  processor time of this process for one request */

const bankDir = fileURLToPath(new URL('../../examples/bank', import.meta.url));

const makeBank = async () => {
  const config = loadConfig({ baseDir: bankDir });
  return makeSimulation(config, { store: makeMemoryStore() });
};

/** Examples are not type-checked. @type {{ makeServer: () => Promise<FastifyInstance> }} */
const { makeServer } = await import(
  new URL('../../examples/fastify/server.js', import.meta.url).href
);

/** The example's route with a map in place of vats. */
const makePlainServer = () => {
  const balances = new Map([['ann', 100n]]);
  const server = Fastify();
  server.get('/balance/:owner', async request => {
    const { owner } = /** @type {{ owner: string }} */ (request.params);
    return { owner, balance: String(balances.get(owner)) };
  });
  return server;
};

/** @type {Record<'plain' | 'locked' | 'vats', () => Promise<FastifyInstance>>} */
const servers = {
  plain: async () => makePlainServer(),
  async locked() {
    const server = makePlainServer();
    const simulation = await makeBank();
    await simulation.close();
    return server;
  },
  vats: makeServer,
};

/** @param {(requests: number) => Promise<string[]>} send @param {RunOptions} options @returns {Promise<RunResult>} */
const measure = async (send, { warm, requests }) => {
  await send(warm);
  const before = process.cpuUsage();
  const bodies = await send(requests);
  const { user, system } = process.cpuUsage(before);
  return { requestUs: (user + system) / requests, bodies };
};

/** @param {RunOptions} options */
const measureCalls = async options => {
  const simulation = await makeBank();
  simulation.start();
  /** @param {number} calls */
  const send = async calls => {
    /** @type {Set<string>} */
    const bodies = new Set();
    let left = calls;
    const call = async () => {
      while (left > 0) {
        left -= 1;
        const balance = String(await simulation.call('bank', 'balance', ['ann']));
        bodies.add(JSON.stringify({ owner: 'ann', balance }));
      }
    };
    await Promise.all(Array.from({ length: options.connections }, call));
    return [...bodies];
  };
  const result = await measure(send, options);
  await simulation.stop();
  await simulation.close();
  return result;
};

await answer(async given => {
  const options = /** @type {RunOptions} */ (given);
  if (options.kind === 'calls') return measureCalls(options);
  const server = await servers[options.kind]();
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.server.address());
  const client = new URL('client.js', import.meta.url);
  const { connections } = options;
  /** @param {number} requests */
  const send = async requests => {
    /** @type {ClientResult} */
    const { bodies } = await ask(client, { port, path: '/balance/ann', requests, connections });
    return bodies;
  };
  const result = await measure(send, options);
  await server.close();
  return result;
});
