// A bank of vats behind HTTP: GET /balance/:owner, POST /pay. Amounts are bigints, so they are
// strings in JSON.

import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { loadConfig, makeMemoryStore, makeSimulation, VatError } from 'swingset-runner';

const baseDir = fileURLToPath(new URL('../bank', import.meta.url));

const payment = {
  type: 'object',
  required: ['from', 'to', 'amount'],
  additionalProperties: false,
  properties: {
    from: { type: 'string', maxLength: 100 },
    to: { type: 'string', maxLength: 100 },
    amount: { type: 'string', pattern: '^[0-9]{1,30}$' },
  },
};

/** Make a server that does not listen yet and start its vats. Closing the server stops them. */
export const makeServer = async ({ store = makeMemoryStore() } = {}) => {
  const server = Fastify();
  const simulation = await makeSimulation(loadConfig({ baseDir }), { store });
  simulation.start();

  // Here an error of a vat is the caller's mistake; an error of the host is not.
  server.setErrorHandler((error, _request, reply) => {
    const status = error instanceof VatError ? 400 : (error.statusCode ?? 500);
    return reply.code(status).send({ error: error.message });
  });

  server.get('/balance/:owner', async ({ params: { owner } }) => ({
    owner,
    balance: String(await simulation.call('bank', 'balance', [owner])),
  }));

  server.post('/pay', { schema: { body: payment } }, async ({ body: { from, to, amount } }) => {
    const account = await simulation.call('bank', 'account', [from]);
    try {
      return { left: String(await simulation.call(account, 'pay', [to, BigInt(amount)])) };
    } finally {
      await simulation.release(account);
    }
  });

  server.addHook('onClose', async () => {
    await simulation.stop();
    await simulation.close();
  });
  return server;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await makeServer();
  console.log(await server.listen({ port: Number(process.env.PORT ?? 3000) }));
}
