// A transport for a vat on the kernel's thread whose deliveries may run ahead of their turn, while the kernel waits for
// another thread. The vat's console output is kept until its turn, so that it appears in the order of cranks.

import { Fail } from '#model';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { Delivery, When } from '#model' */
/** @import { VatWatch } from './vat-watch.js' */

/**
 * @param {Transport} transport  on this thread
 * @param {Pick<VatWatch, 'keepBack' | 'takeKept'>} watch
 * @returns {Transport}
 */
export const makeEarlyTransport = (transport, watch) => {
  // The delivery that was begun but not handed to the vat yet.
  /** @type {Delivery | undefined} */
  let begun;
  /** @type {Parameters<Transport['begin']>[1]} */
  let answerer;
  /** @type {When} */
  let tag;
  /** @type {CrankResult | undefined} of a delivery that ran ahead */
  let early;
  /** @type {readonly (() => void)[]} */
  let shown = [];

  const carryOut = () => {
    const delivery = begun ?? Fail`a vat has been given nothing`;
    begun = undefined;
    transport.begin(delivery, answerer, tag);
    return transport.finish();
  };

  return Object.freeze({
    overlaps: false,
    begin(delivery, answer, when) {
      begun = delivery;
      answerer = answer;
      tag = when;
    },
    work() {
      watch.keepBack();
      const note = (/** @type {CrankResult} */ result) => {
        early = result;
        shown = watch.takeKept();
      };
      const result = carryOut();
      if (result instanceof Promise) return result.then(note);
      note(result);
    },
    finish() {
      if (early === undefined) return carryOut();
      const result = early;
      early = undefined;
      for (const show of shown) show();
      shown = [];
      return result;
    },
    close: transport.close,
  });
};
