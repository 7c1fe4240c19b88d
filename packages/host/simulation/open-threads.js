// Opens threads for vats beside the kernel's.

import { LoadMeter } from '../workers/load-meter.js';
import { makeScout } from '../workers/scout.js';
import { makeBringHere } from './vat-histories.js';

/** @import { Kernel } from '#kernel' */
/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
/** @import { Assembly } from './assemble.js' */
/** @import { SimulationOptions } from './options.js' */
/** @import { noteCranks } from '../reaction-watch.js' */
/** @import { watchVats } from '../vats/vat-watch.js' */
/** @import { EarlyThreads } from '../workers/early-threads.js' */
/** @import { WorkerPool } from '../workers/index.js' */

/** Number of items of one tag that the kernel examines for vats on other threads. */
export const workerLookahead = 256;

/**
 * Threads for vats, which may be opened later.
 *
 * @typedef {object} Threads
 * @property {boolean} isAuto  vats begin on the kernel's thread, unless the config places them elsewhere
 * @property {LoadMeter} meter
 * @property {() => Promise<WorkerPool>} open  opens them, if they are not open
 * @property {() => WorkerPool | undefined} find  undefined until they are open
 */

/**
 * Prepare worker threads. Few runs have them, so their modules are loaded on demand.
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
 * @param {EarlyThreads} [parts.early]  threads that were started already
 * @returns {Threads}
 */
export const prepareThreads = ({
  kernel,
  shelf,
  watch,
  workers,
  isAuto,
  hasLimits,
  options,
  noteCrank,
  early,
}) => {
  const { cacheDir, workerDelays, engineFlags = 'collections' } = options;
  const meter = new LoadMeter();
  /** @type {WorkerPool | undefined} */
  let pool;
  /** @type {Promise<WorkerPool> | undefined} */
  let opening;

  const open = async () => {
    const { makeWorkerPool } = await import('../workers/index.js');
    pool = makeWorkerPool({
      ...{ kernel, shelf, watch, count: workers, cacheDir, meter, engineFlags },
      ...(early && { early }),
      ...(hasLimits && { hasLimits }),
      ...(noteCrank && { noteCrank }),
      ...(workerDelays !== undefined && { delays: workerDelays }),
    });
    return pool;
  };

  return Object.freeze({
    isAuto,
    meter,
    open: () => (opening ??= open()),
    find: () => pool,
  });
};

/**
 * Make the object that moves vats between those threads; undefined if vats do not move.
 *
 * @param {Assembly} assembly
 * @param {SimulationOptions} options
 */
export const openPlacer = ({ kernel, threads, workers, drain, places, watch }, options) => {
  if (threads === undefined) return undefined;
  const { meter } = threads;
  const describe = places.describeMovable;
  return makeScout({
    ...{ kernel, meter, describe, threads: workers, isPaced: options.workerDelays !== undefined },
    findPool: threads.find,
    beginEarly: places.beginEarly,
    async openPlacer(freeCores) {
      const pool = await threads.open();
      const { makePlacer } = await import('../workers/index.js');
      return makePlacer({
        ...{ kernel, meter, pool, freeCores, describe, forgetKept: places.forgetKept },
        bringHere: makeBringHere({ kernel, drain, places, watch }),
        attach: (vatId, transport, isHere) => {
          const place = isHere ? transport : places.leaveHere(vatId, transport);
          kernel.moveVat(vatId, place);
        },
      });
    },
  });
};
