// The places of vats of a host for a kernel that runs ahead on the host's own thread (packages/host/workers/ahead-kernel.js),
// where the vats are on several threads. It blocks for short cranks, since a turn of the event loop takes longer.

import { performance } from 'node:perf_hooks';

/** @import { CrankResult } from '#kernel' */
/** @import { When } from '#model' */
/** @import { Request, ResultFrame } from '#transport' */
/** @import { AheadKernel, AheadPlace } from '#host/workers/ahead-kernel.js' */

/** Time for which the thread blocks in a crank: first with results still unsent, then without. */
const promptMs = 1;
const patienceMs = 4;

/** @param {ResultFrame} frame @returns {CrankResult} */
const resultOf = ({ fault, isRefusal, wantsAsking, syscalls, answers }) => ({
  ...{ fault, syscalls, answers, reactors: null, wantsAsking },
  ...(isRefusal && { isRefusal }),
});

export class AheadPlaces {
  #options;

  /** @type {Map<string, AheadPlace>} */
  #places = new Map();

  /** Deliveries under way, by vat. @type {Map<string, { result: ResultFrame | undefined, wake: (() => void) | undefined }>} */
  #calls = new Map();

  /**
   * @param {object} options
   * @param {() => AheadKernel | undefined} options.findKernel
   * @param {(request: Extract<Request, { kind: 'deliver' }>) => void} options.deliver
   * @param {() => void} options.flush  sends what was posted
   * @param {(timeoutMs: number) => void} options.awaitReports  blocks until threads have reported something
   */
  constructor(options) {
    this.#options = options;
  }

  /** @param {string} vatId @returns {AheadPlace} */
  placeOf(vatId) {
    const known = this.#places.get(vatId);
    if (known !== undefined) return known;
    /** @type {AheadPlace} */
    const place = {
      overlaps: true,
      begin: (delivery, _answer, when) => {
        const asked = this.#options.findKernel()?.askedFor(delivery) ?? [];
        this.#calls.set(vatId, { result: undefined, wake: undefined });
        const request = /** @type {const} */ ({ kind: 'deliver', vatId, asked, delivery });
        this.#options.deliver({ ...request, when: /** @type {When} */ (when) });
      },
      finish: () => this.#finish(vatId),
    };
    this.#places.set(vatId, place);
    return place;
  }

  /** @param {string} vatId @returns {CrankResult | Promise<CrankResult>} */
  #finish(vatId) {
    const call = this.#calls.get(vatId);
    if (call === undefined) return new Promise(() => {});
    const { flush, awaitReports } = this.#options;
    const begunMs = performance.now();
    for (let waitedMs = 0; call.result === undefined && waitedMs < patienceMs;) {
      const isPrompt = waitedMs < promptMs;
      if (!isPrompt) flush();
      awaitReports((isPrompt ? promptMs : patienceMs) - waitedMs);
      waitedMs = performance.now() - begunMs;
    }
    if (call.result !== undefined) return resultOf(call.result);
    flush();
    return new Promise(resolve => {
      call.wake = () => {
        if (call.result !== undefined) resolve(resultOf(call.result));
      };
    });
  }

  /** Whether it waits for a vat's result. @param {string} vatId */
  isAtWork(vatId) {
    const call = this.#calls.get(vatId);
    return call !== undefined && call.result === undefined;
  }

  /** @param {ResultFrame} result  which was posted to the leader */
  take(result) {
    const call = this.#calls.get(result.vatId);
    if (call === undefined) return;
    call.result = result;
    call.wake?.();
  }
}
