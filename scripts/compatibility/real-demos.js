// Runs demos under today's SwingSet: `node real-demos.js FOLDER DEMO…`, in a checkout with its packages installed. A DEMO is one
// string: its directory in FOLDER, then its arguments. For each demo that ends, prints a line of JSON: its name, the lines that
// vats print, and the order of messages and notifies.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nameEnded, nameVats } from './name-vats.js';

const [folder, ...demos] = process.argv.slice(2);
const { resolve } = createRequire(join(process.cwd(), 'program.js'));
/** @param {string} name @returns {Promise<any>} a package of the checkout */
const load = name => import(pathToFileURL(resolve(name)).href);

await load('@endo/init/debug.js');
const swingset = await load('@agoric/swingset-vat');
const { initSwingStore } = await load('@agoric/swing-store');
// As our vats print: it may be loaded when the realm is locked down.
const { formatLog } = await import('../../packages/loader/compartment/format-log.js');

// The package exports every device except this one.
const { buildLoopbox } = await import(
  pathToFileURL(join(dirname(resolve('@agoric/swingset-vat')), 'devices/loopbox/loopbox.js')).href
);

const kernelBundles = await swingset.buildKernelBundles();

/**
 * As the runner of its checkout does: a config that names senders gets the device.
 *
 * @param {any} config  changed in place
 * @returns {Record<string, unknown>} endowments of devices
 */
const addLoopbox = config => {
  const { loopboxSenders: senders } = config;
  if (senders === undefined) return {};
  const { loopboxSrcPath: sourceSpec, loopboxEndowments } = buildLoopbox('immediate');
  delete config.loopboxSenders;
  config.devices = { ...config.devices, loopbox: { sourceSpec, parameters: { senders } } };
  return { loopbox: { ...loopboxEndowments } };
};

/** @param {string} name @returns {Promise<{ name: string, log: string[], order: string[][] }>} */
const runDemo = async name => {
  const [demo, ...argv] = name.split(' ');
  const directory = join(folder, demo);
  /** @type {string[]} */
  const log = [];
  /** @type {string[][]} */
  const order = [];
  /** @type {Map<string, string>} */
  const names = new Map();
  const findName = (/** @type {string} */ vatId) => names.get(vatId);
  const [writerOf, receiverOf] = [nameVats(findName), nameVats(findName)];

  /** @param {any} entry  of the kernel's slog */
  const slogSender = ({ type, vatID, dynamic, name: vatName, source, args, vd }) => {
    if (type === 'create-vat' && !dynamic) names.set(vatID, vatName);
    if (type === 'console' && source !== 'ls' && vatID !== undefined) {
      // Its liveslots says this in the vat's name.
      if (args[0] !== 'Logging sent error stack')
        log.push(`${writerOf(vatID)}: ${nameEnded(formatLog(args), findName)}`);
    }
    if (type !== 'deliver') return;
    const [kind, , message] = vd;
    if (kind === 'notify') order.push([receiverOf(vatID), kind]);
    if (kind === 'message') {
      const [method] = JSON.parse(message.methargs.body.replace(/^#/, ''));
      order.push([receiverOf(vatID), kind, method]);
    }
  };

  const file = join(directory, 'swingset.json');
  const config = existsSync(file)
    ? await swingset.loadSwingsetConfigFile(file)
    : await swingset.loadBasedir(directory);
  config.defaultManagerType = 'local';
  for (const vat of Object.values(config.vats)) delete vat.creationOptions?.managerType;
  const endowments = addLoopbox(config);
  const { kernelStorage } = initSwingStore();
  const options = { kernelBundles };
  await swingset.initializeSwingset(config, argv, kernelStorage, options, { slogSender });
  const controller = await swingset.makeSwingsetController(kernelStorage, endowments, {
    slogSender,
  });
  try {
    await controller.run();
  } catch (error) {
    // A run whose bootstrap is rejected ends here; its lines so far count.
    if (
      !/^kernel panic kp\d+\.policy panic: rejected/.test(
        String(/** @type {any} */ (error)?.message),
      )
    )
      throw error;
  }
  await controller.shutdown();
  return { name, log, order };
};

for (const name of demos) {
  try {
    process.stdout.write(`\n${JSON.stringify(await runDemo(name))}\n`);
  } catch (error) {
    console.error(`${name} fails: ${error}`);
  }
}
// Exit, since timers and workers of the kernel would keep the process alive, but only when the pipe has taken everything.
process.stdout.write('\n', () => process.exit(0));
