// Runs random programs through the host API of SwingSet or of this kernel: `node run.js there|here SOURCES BUNDLES ROUNDS SEED…`, where
// `there` is run in a folder that has SwingSet's packages installed. For each program it prints a line of JSON: the counters
// and the promises after its start and after each round.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configOf } from '../deliveries/config.js';
import { makeProgram } from '../deliveries/program.js';

const [where, sources, bundlesFile, rounds, ...seeds] = process.argv.slice(2);
const isThere = where === 'there';

const loadThere = async () => {
  const { resolve } = createRequire(join(process.cwd(), 'program.js'));
  /** @param {string} name @returns {Promise<any>} a package of the checkout */
  const load = name => import(pathToFileURL(resolve(name)).href);
  await load('@endo/init');
  return { ...(await load('@agoric/swingset-vat')), ...(await load('@agoric/swing-store')) };
};

const loadHere = async () => {
  const { ensureLockdown } = await import('#loader/lockdown.js');
  await ensureLockdown();
  return {
    ...(await import('../../../packages/swingset/index.js')),
    ...(await import('../../../packages/swingset/swing-store.js')),
  };
};

const swingset = /** @type {any} */ (await (isThere ? loadThere() : loadHere()));
if (isThere && !existsSync(bundlesFile))
  writeFileSync(bundlesFile, JSON.stringify(await swingset.buildKernelBundles()));
const kernelBundles = isThere && JSON.parse(readFileSync(bundlesFile, 'utf8'));

/** The parts that do not depend on when an object is retired. @param {any} promise  of `dump()` */
const describe = ({ id, state, refCount, decider = '', subscribers = [], queue = [], policy }) =>
  [id, state, refCount, decider, subscribers.join(), queue.length, policy ?? ''].join(' ');

/** @param {number} seed */
const run = async seed => {
  const config = {
    ...configOf(makeProgram(seed), {
      actor: { sourceSpec: join(sources, 'actor.js') },
      device: { sourceSpec: join(sources, 'device-echo.js') },
    }),
    ...(isThere && { defaultManagerType: 'local' }),
  };
  const { kernelStorage } = swingset.initSwingStore();
  const omitted = { addComms: false, addVattp: false, addTimer: false };
  const options = { ...omitted, ...(isThere && { kernelBundles }) };
  const slogSender = () => {};
  await swingset.initializeSwingset(config, [], kernelStorage, options, { slogSender });
  const controller = await swingset.makeSwingsetController(
    kernelStorage,
    { echo: {} },
    { slogSender },
  );
  controller.pinVatRoot('bootstrap');
  const states = [];
  for (let round = 0; round <= Number(rounds); round += 1) {
    if (round > 0) controller.queueToVatRoot('bootstrap', 'round', [], 'ignore');
    await controller.run();
    states.push({
      stats: controller.getStats(),
      promises: controller.dump().promises.map(describe),
    });
  }
  await controller.shutdown();
  return { seed, states };
};

for (const seed of seeds) {
  try {
    process.stdout.write(`\n${JSON.stringify(await run(Number(seed)))}\n`);
  } catch (error) {
    console.error(`${seed} fails:`, error);
  }
}
// Timers and workers of the kernel would keep the process alive.
process.stdout.write('\n', () => process.exit(0));
