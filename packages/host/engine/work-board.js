// Writes the vat at work into bytes that another thread can read while this thread is busy. `bytes` are for the addon
// (packages/native/source/interrupt.h), `shared` for a worker. The cost is some stores at the start of a crank and one
// at its end.

import { showInLine } from '#model';

/** Bytes of a name, including a zero at its end; numbers are in place of the first name. */
export const slotBytes = 64;

const slots = 1_024;

const littleEndian = true;

/** Offsets in `shared` of the number of the vat at work, and of the number of the crank, modulo 2^32. */
export const places = Object.freeze({ vat: 0, crank: 4 });

export class WorkBoard {
  #view;

  #shared;

  #vats = 0;

  #cranks = 0;

  constructor() {
    /**
     * The whole board: the number of the vat at work (little-endian, 0 for none), and at 64 times a vat's number its
     * name, in ASCII.
     */
    this.bytes = new Uint8Array(slots * slotBytes);
    this.#view = new DataView(this.bytes.buffer);
    /** Shared with the watching thread: the numbers of vat and crank, and a slot with a name for each vat. */
    this.shared = new SharedArrayBuffer(slots * slotBytes);
    this.#shared = new DataView(this.shared);
  }

  /**
   * @param {string} name
   * @returns {number} the vat's number here; 0 if there is no room for it
   */
  add(name) {
    if (this.#vats + 1 >= slots) return 0;
    this.#vats += 1;
    const shown = showInLine(name.slice(0, slotBytes)).replace(/[^\u0020-\u007e]/gu, '?');
    const length = Math.min(shown.length, slotBytes - 1);
    for (let i = 0; i < length; i += 1) {
      this.#view.setUint8(this.#vats * slotBytes + i, shown.charCodeAt(i));
      this.#shared.setUint8(this.#vats * slotBytes + i, shown.charCodeAt(i));
    }
    return this.#vats;
  }

  /** @param {number} vat  at work from now on; 0 for none */
  set(vat) {
    this.#view.setUint32(0, vat, littleEndian);
    this.#shared.setUint32(places.vat, vat, littleEndian);
    if (vat === 0) return;
    this.#cranks = (this.#cranks + 1) | 0;
    this.#shared.setInt32(places.crank, this.#cranks, littleEndian);
  }
}
