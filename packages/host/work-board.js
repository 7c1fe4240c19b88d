// Tells which vat is at work, in bytes that another thread can read, for the case that this thread never gets to say it.
// `bytes` are for the addon (packages/native/source/interrupt.h), `shared` for a worker. A crank pays some stores at its
// beginning and one at its end.

import { showInLine } from '#model';

/** A name takes so many bytes, a zero at its end included; numbers stand in the place of the first. */
export const slotBytes = 64;

const slots = 1_024;

const littleEndian = true;

/** Where in `shared` the number of the vat at work stands, and where that of the crank, modulo 2^32. */
export const places = Object.freeze({ vat: 0, crank: 4 });

export class WorkBoard {
  #view;

  #shared;

  #vats = 0;

  #cranks = 0;

  constructor() {
    /** All of it: a little-endian number, 0 for none, and from 64 times the number on a name, in ASCII. */
    this.bytes = new Uint8Array(slots * slotBytes);
    this.#view = new DataView(this.bytes.buffer);
    /** Shared with the watching thread: a slot a vat, with the numbers of vat and crank. */
    this.shared = new SharedArrayBuffer(slots * slotBytes);
    this.#shared = new DataView(this.shared);
  }

  /**
   * @param {string} name
   * @returns {number} of the vat here; 0 if there is no room for it
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
