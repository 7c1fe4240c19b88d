// One process of today's SwingSet: `node real-today.js DIRECTORY ROUNDS [REAP]`, in a checkout that has its packages
// installed. REAP is its `defaultReapInterval`, the deliveries after which a vat collects its garbage: `never` unless
// given, since its own, 1, is a full collection of the engine after each delivery, which takes nearly all of the time.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [directory, rounds, reap = 'never'] = process.argv.slice(2);
const { resolve } = createRequire(join(process.cwd(), 'program.js'));
/** @param {string} name @returns {Promise<any>} a package of the checkout */
const load = name => import(pathToFileURL(resolve(name)).href);

await load('@endo/init/debug.js');
const swingset = await load('@agoric/swingset-vat');
const { initSwingStore } = await load('@agoric/swing-store');
const file = join(directory, 'swingset.json');
const config = existsSync(file)
  ? await swingset.loadSwingsetConfigFile(file)
  : swingset.loadBasedir(directory);
config.defaultManagerType = 'local';
config.defaultReapInterval = reap === 'never' ? reap : Number(reap);
for (const vat of Object.values(config.vats)) delete vat.creationOptions?.managerType;
const { kernelStorage, hostStorage } = initSwingStore();
await swingset.initializeSwingset(config, ['--prime'], kernelStorage);
const controller = await swingset.makeSwingsetController(kernelStorage, {});
controller.pinVatRoot('bootstrap');
await controller.run();
await hostStorage.commit();
const setupMs = performance.now();
const before = process.cpuUsage();
const setupCpuMs = (before.user + before.system) / 1000;
/** @type {number[]} */
const times = [];
for (let i = 0; i < Number(rounds); i += 1) {
  const start = performance.now();
  controller.queueToVatRoot('bootstrap', 'runBenchmarkRound', [], 'none');
  await controller.run();
  await hostStorage.commit();
  times.push(performance.now() - start);
}
const { user, system } = process.cpuUsage(before);
times.sort((left, right) => left - right);
const cpuMs = (user + system) / 1000 / Number(rounds);
const roundMs = times[times.length >> 1];
const meanMs = times.reduce((sum, ms) => sum + ms, 0) / times.length;
console.log(`\n${JSON.stringify({ setupMs, setupCpuMs, roundMs, meanMs, cpuMs })}`);
process.exit(0);
