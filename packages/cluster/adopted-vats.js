// Upgraded vats. A new incarnation starts on the leader's own thread, beside the old one; between two blocks it goes to a
// host.

/** @import { Kernel, Transport } from '#kernel' */
/** @import { VatOnWorker } from '#host/workers/worker.js' */

/** @typedef {Omit<VatOnWorker, 'number'>} Description */

export class AdoptedVats {
  #kernel;

  #pool;

  /** @type {Map<string, { description: Description, move: (transport: Transport) => void }>} */
  #waiting = new Map();

  /**
   * @param {Kernel} kernel
   * @param {Pick<import('./host-pool.js').HostPool, 'has' | 'attach' | 'placed'>} pool
   */
  constructor(kernel, pool) {
    this.#kernel = kernel;
    this.#pool = pool;
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
    for (const [vatId, { description, move }] of [...this.#waiting]) {
      // A host still makes the incarnation before.
      if (this.#pool.has(vatId)) continue;
      this.#waiting.delete(vatId);
      if (!this.#kernel.state.vats.isRunning(vatId)) continue;
      const transport = await this.#pool.attach(vatId, description);
      await this.#pool.placed();
      move(transport);
    }
  }
}
