// Attaches vats when a run begins, and restores them by their transcripts.

import { ByteReader, readTranscriptEntry } from '#model';
import { inMacrotask } from '../engine/macrotask.js';
import { withoutPromiseHooks } from '../engine/promise-hooks.js';
import { DivergedError, replayVat } from '../vats/replay.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { Drain } from '../engine/drain-jobs.js' */
/** @import { makeVatPlaces } from '../vats/vat-places.js' */
/** @import { watchVats } from '../vats/vat-watch.js' */

/** @typedef {ReturnType<typeof makeReplay>} Replay */
/** @typedef {{ vatId: string, error: DivergedError }} Diverged */

/**
 * Make the function that replays a vat's transcript. With `endDiverging`, the function returns the error if the vat
 * does not repeat its transcript, and the caller ends the vat.
 *
 * @param {{ kernel: Kernel, drain: Drain, endDiverging: boolean | undefined }} parts
 */
export const makeReplay =
  ({ kernel, drain, endDiverging }) =>
  /**
   * @param {{ vatId: string, name: string }} vat
   * @param {Transport} transport
   * @returns {Promise<DivergedError | undefined>}
   */
  async ({ vatId, name }, transport) => {
    try {
      if (transport.restore !== undefined) await transport.restore();
      else
        await inMacrotask(() =>
          withoutPromiseHooks(drain, () => replayVat(name, transport, kernel.transcript(vatId))),
        );
    } catch (error) {
      if (endDiverging && error instanceof DivergedError) return error;
      throw error;
    }
  };

/**
 * Attach the vats of a run, and replay their transcripts if it is resumed.
 *
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {ReturnType<typeof makeVatPlaces>} parts.places
 * @param {Drain} parts.drain
 * @param {boolean} parts.resume
 * @param {Replay} parts.replay
 * @returns {Promise<Diverged[]>} vats that do not repeat their transcripts; they are not attached
 */
export const attachVats = async ({ kernel, places, drain, resume, replay }) => {
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
      await inMacrotask(() => withoutPromiseHooks(drain, () => kernel.startOutside(vatId)));
    }
  }
  return diverged;
};

/**
 * End vats that do not replay.
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

/** @param {Uint8Array} bytes  whole entries of a transcript */
function* readEntries(bytes) {
  const reader = new ByteReader(bytes);
  while (!reader.done) yield readTranscriptEntry(reader);
}

/**
 * Make the function that moves a vat of another thread to this one, between cranks: from the copy that was kept when it
 * left, or made anew.
 *
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {Drain} parts.drain
 * @param {ReturnType<typeof makeVatPlaces>} parts.places
 * @param {ReturnType<typeof watchVats>} parts.watch
 */
export const makeBringHere =
  ({ kernel, drain, places, watch }) =>
  /**
   * @param {string} vatId
   * @returns {Promise<Transport | undefined>} undefined if it does not repeat its transcript here
   */
  async vatId => {
    const { name } = kernel.vat(vatId);
    const kept = places.takeKept(vatId);
    const transport = kept?.transport ?? (await places.makeHere(vatId));
    const replay = () =>
      replayVat(name, transport, readEntries(kernel.transcriptBytes(vatId, kept?.end)));
    // Its output was shown when it first ran.
    watch.keepBack();
    try {
      await watch.mute(() => inMacrotask(() => withoutPromiseHooks(drain, replay)));
      return transport;
    } catch (error) {
      // It stays where it is.
      if (!(error instanceof DivergedError)) throw error;
      transport.close();
      return undefined;
    } finally {
      watch.takeKept();
    }
  };
