// Lets vats on the kernel's thread begin before their turn, from the time on at which other vats run elsewhere. As long
// as none does, the kernel waits for no thread, and their transports need not keep anything back.

import { makeEarlyTransport } from '../vats/early-transport.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { VatWatch } from '../vats/vat-watch.js' */

export class Turns {
  /** Vats that run in their turn only. @type {Map<string, { transport: Transport, makeEarly: () => Transport }>} */
  #inTurn = new Map();

  #areEarly;

  #watch;

  #wrap;

  /**
   * @param {boolean} areEarly  whether vats begin early from the beginning
   * @param {Pick<VatWatch, 'keepBack' | 'takeKept'>} watch
   * @param {(transport: Transport, vatId: string) => Transport} wrap  is given each transport for the kernel
   */
  constructor(areEarly, watch, wrap) {
    this.#areEarly = areEarly;
    this.#watch = watch;
    this.#wrap = wrap;
  }

  /**
   * @param {string} vatId
   * @param {Transport} transport  on this thread
   * @param {boolean} mayBeEarly
   * @param {boolean} isUpgrade  of a new incarnation, while the old one is in its place
   * @returns {Transport} for the kernel, until `beginEarly` replaces it
   */
  place(vatId, transport, mayBeEarly, isUpgrade) {
    const makeEarly = () =>
      this.#wrap(mayBeEarly ? makeEarlyTransport(transport, this.#watch) : transport, vatId);
    if (this.#areEarly || isUpgrade) return makeEarly();
    this.#inTurn.set(vatId, { transport, makeEarly });
    return this.#wrap(transport, vatId);
  }

  /** Forget a transport that is closed. @param {string} vatId @param {Transport} transport */
  forget(vatId, transport) {
    if (this.#inTurn.get(vatId)?.transport === transport) this.#inTurn.delete(vatId);
  }

  /**
   * From now on let vats begin early. Between blocks.
   *
   * @param {Pick<Kernel, 'attachVat'>} kernel
   * @param {ReadonlyMap<string, { transport: Transport }>} locals  vats that may move
   */
  beginEarly(kernel, locals) {
    if (this.#areEarly) return;
    this.#areEarly = true;
    for (const [vatId, { makeEarly }] of this.#inTurn) {
      const early = makeEarly();
      const local = locals.get(vatId);
      if (local !== undefined) local.transport = early;
      kernel.attachVat(vatId, early);
    }
    this.#inTurn.clear();
  }
}
