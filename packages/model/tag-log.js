// Tags and stages of cranks that said nothing, packed: a vat that runs ahead tells of thousands at a time, and none of
// them costs an object. (Written through a DataView, as bytes.js says.)

const bytesPerEntry = 16;

const twoTo32 = 2 ** 32;

export class TagLog {
  #view;

  /** @param {number} capacity  entries */
  constructor(capacity) {
    this.capacity = capacity;
    this.#view = new DataView(new ArrayBuffer(capacity * bytesPerEntry));
    /** Entries so far; a user sets it to 0 to begin anew. */
    this.length = 0;
  }

  /**
   * @param {number} timeNs
   * @param {number} microstep  below 2^32
   * @param {number} stage
   * @throws {RangeError} when it is full
   */
  add(timeNs, microstep, stage) {
    const view = this.#view;
    const at = this.length * bytesPerEntry;
    view.setUint32(at, timeNs >>> 0);
    view.setUint32(at + 4, timeNs / twoTo32);
    view.setUint32(at + 8, microstep);
    view.setUint32(at + 12, stage);
    this.length += 1;
  }

  /** @param {number} i */
  timeNs(i) {
    const at = i * bytesPerEntry;
    return this.#view.getUint32(at) + this.#view.getUint32(at + 4) * twoTo32;
  }

  /** @param {number} i */
  microstep(i) {
    return this.#view.getUint32(i * bytesPerEntry + 8);
  }

  /** @param {number} i */
  stage(i) {
    return this.#view.getUint32(i * bytesPerEntry + 12);
  }
}
