// Vats come to where they are: attached when the run begins, and brought back by their transcripts.

import { inMacrotask } from '../macrotask.js';
import { withoutPromiseHooks } from '../promise-hooks.js';
import { DivergedError, replayVat } from '../replay.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { Settle } from '../settle.js' */
/** @import { makeVatPlaces } from '../vat-places.js' */
/** @import { watchVats } from '../vat-watch.js' */

/** @typedef {ReturnType<typeof makeReplay>} Replay */
/** @typedef {{ vatId: string, error: DivergedError }} Diverged */

/**
 * Brings a vat back to where it was; gives the error if it does something else than it did, and is to be ended for that.
 *
 * @param {{ kernel: Kernel, settle: Settle, endDiverging: boolean | undefined }} parts
 */
export const makeReplay =
  ({ kernel, settle, endDiverging }) =>
  /**
   * @param {{ vatId: string, name: string }} vat
   * @param {Transport} transport
   * @returns {Promise<DivergedError | undefined>}
   */
  async ({ vatId, name }, transport) => {
    try {
      await inMacrotask(() =>
        withoutPromiseHooks(settle, () => replayVat(name, transport, kernel.transcript(vatId))),
      );
    } catch (error) {
      if (endDiverging && error instanceof DivergedError) return error;
      throw error;
    }
  };

/**
 * The vats of a run get their places, and those of a resumed one their past.
 *
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {ReturnType<typeof makeVatPlaces>} parts.places
 * @param {Settle} parts.settle
 * @param {boolean} parts.resume
 * @param {Replay} parts.replay
 * @returns {Promise<Diverged[]>} vats that do something else than they did, and have no place
 */
export const attachVats = async ({ kernel, places, settle, resume, replay }) => {
  /** @type {Diverged[]} */
  const diverged = [];
  for (const vat of kernel.vats()) {
    if (vat.state !== 'running') continue;
    // A vat of the system gets its place with its first delivery.
    if (vat.isBuiltIn && !resume) continue;
    const transport = await places.attach(vat);
    if (resume && !transport.isRestored) {
      const error = await replay(vat, transport);
      if (error !== undefined) {
        transport.close();
        diverged.push({ vatId: vat.vatId, error });
        continue;
      }
    }
    kernel.attachVat(vat.vatId, transport);
  }
  if (!resume && !kernel.profile.startsVatsInCranks) {
    for (const { vatId, isBuiltIn } of kernel.vats()) {
      if (isBuiltIn) continue;
      await inMacrotask(() => withoutPromiseHooks(settle, () => kernel.startOutside(vatId)));
    }
  }
  return diverged;
};

/**
 * Ends vats that do not replay.
 *
 * @param {Kernel} kernel
 * @param {ReturnType<typeof watchVats>} watch
 * @param {readonly Diverged[]} diverged
 */
export const endDiverged = (kernel, watch, diverged) => {
  for (const { vatId, error } of diverged) {
    const { name } = kernel.vat(vatId);
    kernel.endDiverging(vatId);
    watch.hooks.onVatError(name, Error(`vat ${name} was ended: it ${error.difference}`));
  }
};

/**
 * Makes a vat of another thread on this one, between cranks, where it is.
 *
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {ReturnType<typeof makeVatPlaces>} parts.places
 * @param {ReturnType<typeof watchVats>} parts.watch
 * @param {Replay} parts.replay
 */
export const makeBringHere =
  ({ kernel, places, watch, replay }) =>
  /** @param {string} vatId */
  async vatId => {
    const transport = await places.makeHere(vatId);
    // What it showed then is shown already.
    watch.keepBack();
    try {
      const difference = await watch.mute(() => replay(kernel.vat(vatId), transport));
      if (difference === undefined) return transport;
      transport.close();
      return undefined;
    } catch (error) {
      // It goes on where it is.
      if (!(error instanceof DivergedError)) throw error;
      transport.close();
      return undefined;
    } finally {
      watch.takeKept();
    }
  };
