// Random programs with upgrades under today's SwingSet: `node real.js BUNDLES SOURCES ROUNDS SEED…`, in a folder that has its packages installed.
// BUNDLES is a file where the kernel's own bundles are kept, SOURCES the folder of the vats. For each program it prints a line of JSON
// with its seed and the lines of its rounds.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { followSwingSet } from '../deliveries/follow-swingset.js';
import { prepare, runRounds } from './drive.js';
import { configOf } from './program.js';

const [bundlesFile, sources, rounds, ...seeds] = process.argv.slice(2);
const { resolve } = createRequire(join(process.cwd(), 'program.js'));
/** @param {string} name @returns {Promise<any>} a package of the checkout */
const load = name => import(pathToFileURL(resolve(name)).href);

await load('@endo/init');
const swingset = await load('@agoric/swingset-vat');
const { initSwingStore } = await load('@agoric/swing-store');
const { default: bundleSource } = await load('@endo/bundle-source');

if (!existsSync(bundlesFile))
  writeFileSync(bundlesFile, JSON.stringify(await swingset.buildKernelBundles()));
const kernelBundles = JSON.parse(readFileSync(bundlesFile, 'utf8'));
const bundleOf = async (/** @type {string} */ name) => ({
  bundle: await bundleSource(join(sources, `${name}.js`)),
});
const config = {
  ...configOf({ bootstrap: await bundleOf('bootstrap'), actor: await bundleOf('actor') }),
  defaultManagerType: 'local',
};

/** @param {number} seed */
const run = async seed => {
  const { trace, slogSender: follow } = followSwingSet();
  const { kernelStorage } = initSwingStore();
  const { kvStore } = kernelStorage;
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {Map<string, { vatId: string, vref: string }>} */
  const exported = new Map();
  const slogSender = (/** @type {any} */ entry) => {
    const { type, vatID: vatId, dynamic, name, mode, kobj, vobj: vref } = entry;
    if (type === 'create-vat' && !dynamic) names.set(vatId, name);
    if (type === 'clist' && mode === 'export') exported.set(kobj, { vatId, vref });
    follow(entry);
  };
  const followed = {
    trace,
    kvStore,
    findStatic: (/** @type {string} */ vatId) => names.get(vatId),
    findExport: (/** @type {string} */ kref) => {
      const known = exported.get(kref);
      if (known !== undefined) return known;
      // The roots of the config's vats are exported before the log begins.
      const vatId = kvStore.get(`${kref}.owner`);
      return vatId && { vatId, vref: kvStore.get(`${vatId}.c.${kref}`).split(' ').pop() };
    },
    send: (/** @type {string} */ method, /** @type {unknown[]} */ args) =>
      void controller.queueToVatRoot('bootstrap', method, args, 'ignore'),
    reap: () => controller.reapAllVats(),
    run: () => controller.run(),
  };
  const prepared = prepare(followed);
  const options = { kernelBundles, addComms: false, addVattp: false, addTimer: false };
  await swingset.initializeSwingset(config, [], kernelStorage, options, { slogSender });
  const controller = await swingset.makeSwingsetController(kernelStorage, {}, { slogSender });
  controller.pinVatRoot('bootstrap');
  const results = await runRounds(seed, Number(rounds), followed, prepared);
  await controller.shutdown();
  return { seed, rounds: results };
};

for (const seed of seeds) process.stdout.write(`\n${JSON.stringify(await run(Number(seed)))}\n`);
// Exit, since timers and workers of the kernel would keep the process alive, but only when the pipe has taken everything.
process.stdout.write('\n', () => process.exit(0));
