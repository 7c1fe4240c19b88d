// One process of this kernel: `node ours.js DIRECTORY ROUNDS PROFILE` prints what setup and rounds took.

import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation } from '#host';

const [directory, rounds, profile] = process.argv.slice(2);
const simulation = await makeSimulation(loadConfig({ baseDir: directory, argv: ['--prime'] }), {
  store: makeMemoryStore(),
  profile: /** @type {'current' | '2020-09'} */ (profile),
  cacheDir: defaultCacheDir(),
  // As the runner does.
  engineFlags: 'speed',
});
await simulation.run();
// From the start of the process.
const setupMs = performance.now();
const before = process.cpuUsage();
const setupCpuMs = (before.user + before.system) / 1000;
/** @type {number[]} */
const times = [];
for (let i = 0; i < Number(rounds); i += 1) {
  const start = performance.now();
  const result = simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
  await simulation.run();
  simulation.release(result);
  times.push(performance.now() - start);
}
const { user, system } = process.cpuUsage(before);
times.sort((left, right) => left - right);
const cpuMs = (user + system) / 1000 / Number(rounds);
const roundMs = times[times.length >> 1];
const meanMs = times.reduce((sum, ms) => sum + ms, 0) / times.length;
console.log(`\n${JSON.stringify({ setupMs, setupCpuMs, roundMs, meanMs, cpuMs })}`);
process.exit(0);
