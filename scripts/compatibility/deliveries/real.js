// Runs random programs under today's SwingSet: `node real.js BUNDLES SOURCES ROUNDS KIND SEED…`, in a folder that has its packages installed.
// BUNDLES is a file where the kernel's own bundles are kept, SOURCES the folder of the actors, KIND `comms` if there are two sides. For each program it prints a line
// of JSON with its seed and the lines of its trace, by rounds.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { followSwingSet } from './follow-swingset.js';
import { makeProgram } from './program.js';

const [bundlesFile, sources, rounds, kind, ...seeds] = process.argv.slice(2);
const { resolve } = createRequire(join(process.cwd(), 'program.js'));
/** @param {string} name @returns {Promise<any>} a package of the checkout */
const load = name => import(pathToFileURL(resolve(name)).href);

await load('@endo/init');
const swingset = await load('@agoric/swingset-vat');
const { initSwingStore } = await load('@agoric/swing-store');
const { default: bundleSource } = await load('@endo/bundle-source');
const { configOf } = await import('./config.js');

if (!existsSync(bundlesFile))
  writeFileSync(bundlesFile, JSON.stringify(await swingset.buildKernelBundles()));
const kernelBundles = JSON.parse(readFileSync(bundlesFile, 'utf8'));
const hasComms = kind === 'comms';
const own = dirname(resolve('@agoric/swingset-vat'));
const files = {
  actor: join(sources, 'actor.js'),
  device: join(sources, 'device-echo.js'),
  ...(hasComms && {
    comms: join(own, 'vats/comms/index.js'),
    vattp: join(own, 'vats/vattp/vat-vattp.js'),
    loopbox: join(own, 'devices/loopbox/device-loopbox.js'),
  }),
};
const bundled = Object.fromEntries(
  await Promise.all(
    Object.entries(files).map(async ([name, file]) => [name, { bundle: await bundleSource(file) }]),
  ),
);
// The package exports every device except this one.
const { buildLoopbox } = await import(pathToFileURL(join(own, 'devices/loopbox/loopbox.js')).href);

/** @param {number} seed */
const run = async seed => {
  const config = {
    ...configOf(makeProgram(seed, hasComms), bundled),
    defaultManagerType: 'local',
  };
  const { trace, slogSender } = followSwingSet();
  const { kernelStorage } = initSwingStore();
  const options = { kernelBundles, addComms: false, addVattp: false, addTimer: false };
  await swingset.initializeSwingset(config, [], kernelStorage, options, { slogSender });
  const controller = await swingset.makeSwingsetController(
    kernelStorage,
    { echo: {}, loopbox: { ...buildLoopbox('immediate').loopboxEndowments } },
    { slogSender },
  );
  controller.pinVatRoot('bootstrap');
  let end = '';
  try {
    await controller.run();
    for (let round = 0; round < Number(rounds); round += 1) {
      trace.begin();
      controller.queueToVatRoot('bootstrap', 'round', [], 'ignore');
      await controller.run();
    }
  } catch (error) {
    end = String(/** @type {any} */ (error)?.message);
  }
  await controller.shutdown();
  return { seed, rounds: trace.rounds, end };
};

for (const seed of seeds) {
  try {
    process.stdout.write(`\n${JSON.stringify(await run(Number(seed)))}\n`);
  } catch (error) {
    console.error(`${seed} fails:`, error);
  }
}
// Exit, since timers and workers of the kernel would keep the process alive, but only when the pipe has taken everything.
process.stdout.write('\n', () => process.exit(0));
