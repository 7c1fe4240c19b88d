// Upgraded vats. A new incarnation starts on the leader's own thread, beside the old one; between two blocks it goes to a
// host.

/** @import { Kernel, Transport } from '#kernel' */
/** @import { VatOnWorker } from '#host/workers/worker.js' */

/** @typedef {Omit<VatOnWorker, 'number'>} Description */

export class AdoptedVats {
  #kernel;

  #attach;

  /** @type {Map<string, { description: Description, move: (transport: Transport) => void }>} */
  #waiting = new Map();

  /**
   * @param {Kernel} kernel
   * @param {(vatId: string, description: Description) => Promise<Transport>} attach  settles when the vat is on a host
   */
  constructor(kernel, attach) {
    this.#kernel = kernel;
    this.#attach = attach;
  }

  /**
   * @param {string} vatId
   * @param {Description} description
   * @param {(transport: Transport) => void} move  gives the kernel the vat's new transport
   */
  add(vatId, description, move) {
    this.#waiting.set(vatId, { description, move });
  }

  /** To be called between blocks. */
  async place() {
    // While items have begun ahead of their turn, no transport can be replaced.
    if (this.#waiting.size === 0 || this.#kernel.hasBegunAhead) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [vatId, { description, move }] of waiting)
      if (this.#kernel.state.vats.isRunning(vatId)) move(await this.#attach(vatId, description));
  }
}
