import { inspect } from 'node:util';
import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';

const look = (...given) => {
  for (const each of given) console.log(`host: ${each?.stack} ${each?.message} ${inspect(each)}`);
};
process.on('unhandledRejection', look);
process.on('rejectionHandled', look);

const simulation = await makeSimulation(loadConfig({ baseDir: import.meta.dirname }), {
  store: makeMemoryStore(),
});
await simulation.run();
const result = simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
await simulation.run();
console.log(simulation.status(result).data.body);
await simulation.close();
// The host's own are still told.
Promise.reject('mine');
