// A host program that follows asynchronous work, as programs with AsyncLocalStorage do.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';

createHook({ init() {}, before() {}, after() {} }).enable();
const storage = new AsyncLocalStorage();
await storage.run('mine', async () => {
  const simulation = await makeSimulation(loadConfig({ baseDir: import.meta.dirname }), {
    store: makeMemoryStore(),
  });
  await simulation.run();
  simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
  await simulation.run();
  await simulation.close();
});
console.log('done, with async hooks');
