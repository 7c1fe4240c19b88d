// The vats behind HTTP: `npm run serve`, then `curl localhost:3000/count` and `curl -X POST localhost:3000/increment/5`.
// Each request is a call: it enters the run between two blocks, and is answered when its block is committed.

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { loadConfig, makeMemoryStore, makeSimulation, VatError } from 'swingset-runner';

const baseDir = fileURLToPath(new URL('.', import.meta.url));
const simulation = await makeSimulation(loadConfig({ baseDir }), { store: makeMemoryStore() });
simulation.start();

/** The vats' answer to a request; undefined for an unknown path. */
const ask = ({ method, url }) => {
  const [, name, value] = /^\/(\w+)(?:\/(-?\d{1,9}))?$/.exec(url) ?? [];
  if (method === 'GET' && name === 'count') return simulation.call('counter', 'read');
  if (method === 'POST' && name === 'increment' && value !== undefined)
    return simulation.call('counter', 'increment', [Number(value)]);
  return undefined;
};

const server = createServer(async (request, response) => {
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(body)}\n`);
  };
  try {
    const answer = ask(request);
    if (answer === undefined) send(404, { error: 'GET /count or POST /increment/NUMBER' });
    else send(200, { count: await answer });
  } catch (error) {
    // An error of a vat is the caller's mistake; any other is the server's.
    send(error instanceof VatError ? 400 : 500, { error: error.message });
  }
});

// Only programs of this machine reach it; HOST=0.0.0.0 opens it to the network.
server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? 'localhost', () => {
  console.log(`http://localhost:${server.address().port}`);
});

const stop = async () => {
  server.close();
  await simulation.stop();
  await simulation.close();
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
