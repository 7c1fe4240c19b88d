// Threads for vats beside the kernel's.

/** @import { Kernel } from '#kernel' */
/** @import { BundleShelf } from '../bundle-shelf.js' */
/** @import { SimulationOptions } from './options.js' */
/** @import { watchVats } from '../vat-watch.js' */

/** How many items of a tag the kernel looks at for vats on other threads. */
export const workerLookahead = 256;

/**
 * Few runs have worker threads, so what they need is loaded when one does.
 *
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {ReturnType<typeof watchVats>} parts.watch
 * @param {number} parts.workers
 * @param {boolean} parts.isAuto
 * @param {SimulationOptions} parts.options
 */
export const openThreads = async ({ kernel, shelf, watch, workers, isAuto, options }) => {
  const { LoadMeter, makePlacer, makeWorkerPool, meterTransport } =
    await import('../workers/index.js');
  const { cacheDir, workerDelays } = options;
  const meter = new LoadMeter();
  const pool = makeWorkerPool({
    ...{ kernel, shelf, watch, count: workers, cacheDir, meter },
    ...(workerDelays !== undefined && { delays: workerDelays }),
  });
  return { pool, meter, meterTransport, isAuto, makePlacer };
};
