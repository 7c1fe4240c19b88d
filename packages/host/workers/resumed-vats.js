// Restores the vats of a resumed run on threads, which may end meanwhile.

import { UserError } from '#model';
import { DivergedError } from '../vats/replay.js';
import { forgetVat, waitForLook } from './remote-vat.js';
import { ThreadEnded } from './thread-ended.js';

/** @import { RemoteVat } from './remote-vat.js' */

/** @param {(vat: RemoteVat) => Promise<void>} bringBack  replays the transcript of a vat that was made */
export const makeResumedVats = bringBack => {
  /**
   * Vats that are being restored, with the error of one that does not repeat its transcript.
   *
   * @type {Map<RemoteVat, DivergedError | undefined>}
   */
  const restoring = new Map();

  /** Wait until the next thread has restored a vat. @param {RemoteVat} vat */
  const awaitNextThread = async vat => {
    const { thread } = vat;
    const isOver = () => vat.isReady || vat.beyond !== undefined || thread.failure !== undefined;
    while (!isOver()) await waitForLook(vat);
    const problem = restoring.get(vat);
    if (problem !== undefined) throw problem;
    const { failure } = thread;
    // Another vat, which had been restored before, does not repeat its transcript.
    if (failure instanceof DivergedError) throw new UserError(failure.message, { exitCode: 1 });
    if (failure !== undefined) throw failure;
  };

  return Object.freeze({
    /**
     * Bring a vat of a thread that has ended back on the next one. If the vat is being restored, `restore` throws the error of
     * a difference: the other vats of the thread go on.
     *
     * @param {RemoteVat} vat
     */
    async bringBackAgain(vat) {
      try {
        await bringBack(vat);
      } catch (error) {
        if (!restoring.has(vat) || !(error instanceof DivergedError)) throw error;
        restoring.set(vat, error);
      }
    },

    /**
     * Restore a vat, which has been made. Its `crankMs` does not count here.
     *
     * @param {RemoteVat} vat
     * @returns {Promise<void>}
     * @throws {DivergedError} if the vat does not repeat its transcript; then it is on no thread
     */
    async restore(vat) {
      vat.isReady = false;
      restoring.set(vat, undefined);
      try {
        await bringBack(vat).catch(error => {
          if (!(error instanceof ThreadEnded)) throw error;
          return awaitNextThread(vat);
        });
        if (vat.beyond !== undefined)
          throw new DivergedError(vat.name, `does not replay: it exceeds its limit ${vat.beyond}`);
        vat.isReady = true;
      } catch (error) {
        if (error instanceof DivergedError) forgetVat(vat);
        throw error;
      } finally {
        restoring.delete(vat);
      }
    },
  });
};
