// Ends threads on which a crank takes longer than its vat's limit. The vat ends with it; the others of the thread come back by
// their transcripts (recovery.js). Wall time counts, as far as the kernel sees the vat at work: neither the time until an answer
// before the crank's turn, when the kernel may be busy elsewhere, nor what the vat's past takes when it is brought back.

import { mostEnds } from './remote-vat.js';

/** @import { Thread } from './pool.js' */
/** @import { Call } from './remote-vat.js' */

/** The crank that runs on a thread, by its number there, and since when. @typedef {{ crank: number, sinceMs: number, isEnded: boolean }} Watched */

export class CrankLimits {
  /** @type {WeakMap<Thread['worker'], Watched>} */
  #watched = new WeakMap();

  /**
   * Look whether a crank takes too long. Called while the kernel waits, behind what the thread has sent.
   *
   * @param {Thread} thread
   * @param {number} nowMs
   */
  check({ worker, vats }, nowMs) {
    const { atWork, crankAtWork } = worker;
    const watched = this.#watched.get(worker);
    if (watched === undefined || watched.crank !== crankAtWork) {
      this.#watched.set(worker, { crank: crankAtWork, sinceMs: nowMs, isEnded: false });
      return;
    }
    if (watched.isEnded) return;
    const vat = atWork === 0 ? undefined : findByNumber(vats, atWork);
    const { call, crankMs = Infinity } = vat ?? {};
    const isMeasured = vat?.isReady && vat.replaying === undefined && call?.held === undefined;
    if (call === undefined || !isMeasured) {
      watched.sinceMs = nowMs;
      return;
    }
    if (nowMs - watched.sinceMs <= crankMs) return;
    watched.isEnded = true;
    call.limit = 'crankMs';
    call.ends = mostEnds;
    void worker.kill();
  }

  /**
   * A vat asks the kernel. From the turn of its crank on it is answered at once, so that questions without end take no longer
   * than a loop without end.
   *
   * @param {Thread} thread
   * @param {Call | undefined} call
   * @param {number} nowMs
   */
  noteQuestion({ worker }, call, nowMs) {
    const watched = this.#watched.get(worker);
    if (watched !== undefined && !call?.isDue) watched.sinceMs = nowMs;
  }
}

/** @param {Thread['vats']} vats @param {number} number */
const findByNumber = (vats, number) => {
  for (const vat of vats.values()) if (vat.description.number === number) return vat;
  return undefined;
};
