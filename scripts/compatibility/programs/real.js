// Programs under today's SwingSet: `node real.js BUNDLES FOLDER`, in a folder that has its packages installed. BUNDLES is a file where
// the kernel's own bundles are kept, FOLDER has the program. It prints a line of JSON: the lines of the trace, by calls.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { followSwingSet } from '../deliveries/follow-swingset.js';
import { configOf, readCalls } from './program.js';

const [bundlesFile, folder] = process.argv.slice(2);
const { resolve } = createRequire(join(process.cwd(), 'program.js'));
/** @param {string} name @returns {Promise<any>} a package of the checkout */
const load = name => import(pathToFileURL(resolve(name)).href);

await load('@endo/init');
const swingset = await load('@agoric/swingset-vat');
const { initSwingStore } = await load('@agoric/swing-store');

if (!existsSync(bundlesFile))
  writeFileSync(bundlesFile, JSON.stringify(await swingset.buildKernelBundles()));
const kernelBundles = JSON.parse(readFileSync(bundlesFile, 'utf8'));

const config = {
  ...configOf(folder),
  defaultManagerType: 'local',
};
const { trace, slogSender } = followSwingSet();
const { kernelStorage } = initSwingStore();
const options = { kernelBundles, addComms: false, addVattp: false, addTimer: false };
await swingset.initializeSwingset(config, [], kernelStorage, options, { slogSender });
const open = async () => {
  const opened = await swingset.makeSwingsetController(kernelStorage, {}, { slogSender });
  opened.pinVatRoot('bootstrap');
  return opened;
};
let controller = await open();
await controller.run();
for (const call of await readCalls(folder)) {
  trace.begin();
  if (call === 'restart') {
    await controller.shutdown();
    controller = await open();
  } else if (call === 'reap') controller.reapAllVats();
  else {
    const [method, ...args] = call;
    controller.queueToVatRoot('bootstrap', method, args, 'ignore');
  }
  await controller.run();
}
await controller.shutdown();
// Exit, since timers and workers of the kernel would keep the process alive, but only when the pipe has taken everything.
process.stdout.write(`\n${JSON.stringify(trace.rounds)}\n`, () => process.exit(0));
