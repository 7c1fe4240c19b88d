// Runs random programs through the host API of SwingSet or of this kernel: `node run.js there|here SOURCES BUNDLES ROUNDS SEED…`, where
// `there` is run in a folder that has SwingSet's packages installed. For each program it prints a line of JSON: the counters
// and the promises after its start and after each round.

import { loadKernel } from './open.js';

const [where, sources, bundlesFile, rounds, ...seeds] = process.argv.slice(2);
const open = await loadKernel(where, sources, bundlesFile);

/** The parts that do not depend on when an object is retired. @param {any} promise  of `dump()` */
const describe = ({ id, state, refCount, decider = '', subscribers = [], queue = [], policy }) =>
  [id, state, refCount, decider, subscribers.join(), queue.length, policy ?? ''].join(' ');

/** @param {number} seed */
const run = async seed => {
  const { controller } = await open(seed);
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
