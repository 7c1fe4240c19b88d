import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';

const simulation = await makeSimulation(loadConfig({ baseDir: import.meta.dirname }), {
  store: makeMemoryStore(),
});
await simulation.run();
for (let round = 0; round < 6; round += 1) {
  const result = simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
  await simulation.run();
  const { data } = simulation.status(result);
  console.log(JSON.parse(data.body.slice(1)));
}
await simulation.close();
