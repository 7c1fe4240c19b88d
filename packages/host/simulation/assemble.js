// Joins the parts of a simulation: a kernel, bundles, and places of vats. Afterwards the store is still empty, and no
// vat is made.

import { createHash } from 'node:crypto';
import { makeKernel } from '#kernel';
import { ensureLockdown } from '#loader';
import { BundleShelf } from '../vats/bundle-shelf.js';
import { makeCollector } from '../engine/collection.js';
import { setEngineFlags } from '../engine/engine-flags.js';
import { makeObserverGuard } from '../observers.js';
import { noteCranks, watchReactions } from '../reaction-watch.js';
import { rehearse } from '../engine/rehearsal.js';
import { probeDrain } from '../engine/drain-jobs.js';
import { makeSystemClock } from '../system-clock.js';
import { makeVatPlaces } from '../vats/vat-places.js';
import { watchVats } from '../vats/vat-watch.js';
import { chooseProfile, chooseWorkers } from './choose-run.js';
import { makeLimitedThreads } from './limited-threads.js';
import { prepareThreads, workerLookahead } from './open-threads.js';

/** @import { CrankObserver } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { EarlyThreads } from '../workers/early-threads.js' */
/** @import { SimulationOptions, VatPool } from './options.js' */

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest();

/** @type {readonly (keyof CrankObserver & string)[]} */
const crankCallbacks = ['begins', 'ran', 'delivered', 'applied', 'commits', 'committed'];

/** @typedef {Awaited<ReturnType<typeof assemble>>} Assembly */

/**
 * Lock the realm down, set the engine's flags and start the threads for the options.
 *
 * @param {LoadedConfig | undefined} config
 * @param {SimulationOptions} options  checked
 * @param {EarlyThreads} [early]  threads that were started already
 */
export const assemble = async (config, options, early) => {
  const { store, resume = false, cacheDir, recording, openPool, observeReactions } = options;
  const { engineFlags = 'collections', onHandOut, crankObserver } = options;
  const workers = chooseWorkers(config, options);
  const isAuto = (options.workers ?? config?.workers) === 'auto';
  const hasPool = workers > 0 || openPool !== undefined;
  const { lookahead = hasPool ? workerLookahead : 0 } = options;
  await ensureLockdown();
  const drain = options.drain ?? (await probeDrain());
  const profileName = chooseProfile(store, options);

  const observers = makeObserverGuard(options.onObserverError);
  const { guardAll } = observers;
  const observer = guardAll('observer', options.observer ?? {}, [
    'onConsole',
    'onTestLog',
    'onVatError',
  ]);
  const watch = watchVats(observer, resume);
  const systemClock = makeSystemClock();
  const kernel = makeKernel(profileName, {
    store,
    sha256,
    lookahead,
    takesHandedOut: onHandOut !== undefined,
    clock: recording?.clock ?? options.clock ?? systemClock,
    ...(recording && { findDead: recording.findDead }),
    ...(crankObserver && {
      crankObserver: guardAll('crankObserver', crankObserver, crankCallbacks),
    }),
    onVatFault: (vatId, problem) => {
      const name = kernel.vatName(vatId) ?? vatId;
      watch.hooks.onVatError(name, Error(`vat ${name} was ended: ${problem}`));
    },
    onDeviceFault: (deviceId, problem, isThrown) => {
      // An error thrown by its code was already reported with its stack.
      if (!isThrown) watch.hooks.onVatError(kernel.deviceName(deviceId), Error(problem));
    },
    onUpgrade: (vatId, problem) => {
      places.settleUpgrade(vatId, problem === null);
      if (problem === null) return;
      const { name } = kernel.vat(vatId);
      const told = `vat ${name} was not upgraded, and goes on as it was: ${problem}`;
      watch.hooks.onVatError(name, Error(told));
    },
    makeTransport: (vatId, isUpgrade) => places.attach(kernel.vat(vatId), isUpgrade),
  });
  const shelf = new BundleShelf(kernel, cacheDir);
  const collectionFlags = setEngineFlags(engineFlags, kernel.profile.collectsObjects);
  const collector = makeCollector(() => kernel.askedNext());
  // With `speed`, a process mainly runs this simulation.
  const mayRehearse =
    engineFlags === 'speed' &&
    kernel.profile.collectsObjects &&
    drain.kind === 'tickCallback' &&
    (!hasPool || isAuto);
  const outside = { kernel, shelf, watch };
  const reactionWatch =
    observeReactions && watchReactions(observers, observeReactions, watch.isLive);
  const noteCrank = noteCranks(observers, reactionWatch, options.observeWorkers);
  const threads =
    workers > 0 && openPool === undefined
      ? prepareThreads({ ...outside, workers, isAuto, options, noteCrank, early })
      : undefined;
  if (!isAuto) await threads?.open();
  const pool = await openPool?.(outside);
  /** Places of vats beside this thread, if there are any yet. @returns {VatPool | undefined} */
  const findPool = () => pool ?? threads?.find();
  const limited = makeLimitedThreads(() => {
    const count = Math.max(1, workers);
    const parts = {
      ...outside,
      workers: count,
      isAuto: false,
      hasLimits: true,
      options,
      noteCrank,
    };
    return prepareThreads(parts).open();
  });
  const places = makeVatPlaces({
    ...{ kernel, shelf, drain, collector, watch, options, threads, pool, limited },
    isRepeated: recording !== undefined,
    ...(reactionWatch && { observeReactions: reactionWatch.here }),
  });
  return {
    ...{ kernel, shelf, watch, drain, observers, collector, collectionFlags, profileName },
    ...{ threads, workers, findPool, limited, places },
    beginTime: systemClock.begin,
    ...(mayRehearse && {
      rehearse: () => {
        if (findPool() === undefined) rehearse({ sha256, drain });
      },
    }),
  };
};
