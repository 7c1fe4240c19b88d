// Opens threads for vats beside the kernel's.

import { makeBringHere } from './vat-histories.js';

/** @import { Kernel } from '#kernel' */
/** @import { BundleShelf } from '../bundle-shelf.js' */
/** @import { Assembly } from './assemble.js' */
/** @import { SimulationOptions } from './options.js' */
/** @import { noteCranks } from '../reaction-watch.js' */
/** @import { watchVats } from '../vat-watch.js' */

/** Number of items of one tag that the kernel examines for vats on other threads. */
export const workerLookahead = 256;

/**
 * Open worker threads. Few runs have them, so their modules are loaded on demand.
 *
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {ReturnType<typeof watchVats>} parts.watch
 * @param {number} parts.workers
 * @param {boolean} parts.isAuto
 * @param {boolean} [parts.hasLimits]  whether the threads are for vats with limits
 * @param {SimulationOptions} parts.options
 * @param {ReturnType<typeof noteCranks>} parts.noteCrank
 */
export const openThreads = async ({
  kernel,
  shelf,
  watch,
  workers,
  isAuto,
  hasLimits,
  options,
  noteCrank,
}) => {
  const { LoadMeter, makePlacer, makeWorkerPool, meterTransport } =
    await import('../workers/index.js');
  const { cacheDir, workerDelays, engineFlags = 'collections' } = options;
  const meter = new LoadMeter();
  const pool = makeWorkerPool({
    ...{ kernel, shelf, watch, count: workers, cacheDir, meter, engineFlags },
    ...(hasLimits && { hasLimits }),
    ...(noteCrank && { noteCrank }),
    ...(workerDelays !== undefined && { delays: workerDelays }),
  });
  return { pool, meter, meterTransport, isAuto, makePlacer };
};

/**
 * Make the object that moves vats between those threads; undefined if vats do not move.
 *
 * @param {Assembly} assembly
 */
export const openPlacer = ({ kernel, threads, drain, places, watch }) =>
  threads?.makePlacer({
    ...{ kernel, meter: threads.meter, pool: threads.pool },
    ...{ describe: places.describeMovable, forgetKept: places.forgetKept },
    bringHere: makeBringHere({ kernel, drain, places, watch }),
    attach: (vatId, transport, isHere) => {
      const place = isHere ? transport : places.leaveHere(vatId, transport);
      kernel.moveVat(vatId, place);
    },
  });
