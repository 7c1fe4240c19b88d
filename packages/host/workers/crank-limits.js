// Ends threads on which a crank exceeds its vat's time limit. The vat ends; the other vats of the thread are restored
// by their transcripts (recovery.js). Wall time counts while the kernel sees the vat at work, without waits for answers
// before the crank's turn, when the kernel may be busy elsewhere, and without the replay of a restored vat.

import { mostEnds } from './remote-vat.js';

/** @import { Thread } from './pool.js' */
/** @import { Call } from './remote-vat.js' */

/**
 * The running crank of a thread, by its number there, and its start. @typedef {{ crank: number, sinceMs: number,
 * isEnded: boolean }} Watched
 */

export class CrankLimits {
  /** @type {WeakMap<Thread['worker'], Watched>} */
  #watched = new WeakMap();

  /**
   * Check whether a crank takes too long. To be called while the kernel waits, after the thread's messages are read.
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
   * Take note of a vat's question. Questions before the turn of the crank restart its time. Later ones do not, since
   * they are answered at once; so endless questions exceed the limit like an endless loop.
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
