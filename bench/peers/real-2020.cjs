// One process of the kernel of 2020-09-30, as text for `node -r esm -e` in its checkout's packages/swingset-runner.
/* eslint-disable */
// @ts-nocheck
const [, directory, rounds] = process.argv.slice(process.argv.length - 3);
const { existsSync } = require('fs');
const { join } = require('path');
require('@agoric/install-ses');
const swingset = require('@agoric/swingset-vat');
const { initSwingStore } = require('@agoric/swing-store-simple');

const main = async () => {
  const file = join(directory, 'swingset.json');
  const config = existsSync(file)
    ? swingset.loadSwingsetConfigFile(file)
    : swingset.loadBasedir(directory);
  if (config.bootstrap) config.vats[config.bootstrap].parameters.metered = false;
  const { storage } = initSwingStore();
  await swingset.initializeSwingset(config, ['--prime'], storage, {});
  const controller = await swingset.makeSwingsetController(storage, {}, {});
  const run = async () => {
    while (await controller.step());
  };
  await run();
  const setupMs = process.uptime() * 1000;
  const before = process.cpuUsage();
  const setupCpuMs = (before.user + before.system) / 1000;
  const times = [];
  for (let i = 0; i < Number(rounds); i += 1) {
    const start = process.hrtime.bigint();
    const args = { body: '[]', slots: [] };
    controller.queueToVatExport('bootstrap', 'o+0', 'runBenchmarkRound', args, 'ignore');
    await run();
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((left, right) => left - right);
  const cpuMs = (user + system) / 1000 / Number(rounds);
  const roundMs = times[times.length >> 1];
  const meanMs = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  console.log(`\n${JSON.stringify({ setupMs, setupCpuMs, roundMs, meanMs, cpuMs })}`);
};
main().then(
  () => process.exit(0),
  error => {
    console.error(error);
    process.exit(1);
  },
);
