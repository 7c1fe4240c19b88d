// A log of tags and stages of quiet cranks: a vat that runs ahead reports thousands at a time, and none of them costs
// an object. A timer and a chain of microsteps advance in equal steps, so a whole log of them is one run and a count.
// Runs are written through a DataView (see bytes.js).

const bytesPerRun = 20;

const twoTo32 = 2 ** 32;

export class TagLog {
  #view;

  /** The number of runs in the view. */
  #closed = 0;

  // The growing run: the number of entries, and the step from each to the next.
  #count = 0;

  #elapsedNs = 0;

  #microsteps = 0;

  #stage = 0;

  /** @param {number} capacity  entries, which fit even if no two steps are equal */
  constructor(capacity) {
    this.capacity = capacity;
    this.#view = new DataView(new ArrayBuffer(capacity * bytesPerRun));
    /** The number of entries. */
    this.length = 0;
    this.firstTimeNs = 0;
    this.firstMicrostep = 0;
    this.firstStage = 0;
    this.lastTimeNs = 0;
    this.lastMicrostep = 0;
    this.lastStage = 0;
  }

  /** Empties the log. */
  clear() {
    this.length = 0;
    this.#closed = 0;
    this.#count = 0;
  }

  /**
   * @param {number} timeNs  not before the last
   * @param {number} microstep  below 2^32
   * @param {number} stage  below 2^32
   * @throws {RangeError} when it is full
   */
  add(timeNs, microstep, stage) {
    const { length } = this;
    if (length >= this.capacity) throw RangeError(`a log of ${this.capacity} tags is full`);
    const elapsedNs = timeNs - this.lastTimeNs;
    const microsteps = elapsedNs === 0 ? microstep - this.lastMicrostep : microstep;
    const isSame =
      elapsedNs === this.#elapsedNs && microsteps === this.#microsteps && stage === this.lastStage;
    if (isSame && this.#count > 0) this.#count += 1;
    else if (length > 0) this.#begin(elapsedNs, microsteps, stage);
    else {
      this.firstTimeNs = timeNs;
      this.firstMicrostep = microstep;
      this.firstStage = stage;
    }
    this.lastTimeNs = timeNs;
    this.lastMicrostep = microstep;
    this.lastStage = stage;
    this.length = length + 1;
  }

  /**
   * Adds entries in equal steps, as `eachRun` visits them, after the first entry.
   *
   * @param {number} count  from 1
   * @param {number} elapsedNs
   * @param {number} microsteps  below 2^32
   * @param {number} stage  below 2^32
   * @throws {RangeError} the log has no first entry or is full, or the run exceeds the range of tags
   */
  addRun(count, elapsedNs, microsteps, stage) {
    const { length } = this;
    const lastTimeNs = this.lastTimeNs + count * elapsedNs;
    const lastMicrostep = elapsedNs === 0 ? this.lastMicrostep + count * microsteps : microsteps;
    if (length === 0) throw RangeError('a run of tags has no first one');
    if (count < 1 || length + count > this.capacity)
      throw RangeError(
        `a run of ${count} tags behind ${length} in a log of ${this.capacity}; it has room for ${this.capacity - length}`,
      );
    if (!Number.isSafeInteger(lastTimeNs) || lastMicrostep >= twoTo32 || stage >= twoTo32)
      throw RangeError(
        `a run ends at ${lastTimeNs} ns, microstep ${lastMicrostep}, stage ${stage}; a time is at most 2^53 - 1, the others are below 2^32`,
      );
    this.#begin(elapsedNs, microsteps, stage);
    this.#count = count;
    this.lastTimeNs = lastTimeNs;
    this.lastMicrostep = lastMicrostep;
    this.lastStage = stage;
    this.length = length + count;
  }

  /**
   * @param {number} elapsedNs
   * @param {number} microsteps
   * @param {number} stage
   */
  #begin(elapsedNs, microsteps, stage) {
    if (this.#count > 0) this.#close();
    this.#elapsedNs = elapsedNs;
    this.#microsteps = microsteps;
    this.#stage = stage;
    this.#count = 1;
  }

  #close() {
    const view = this.#view;
    const at = this.#closed * bytesPerRun;
    view.setUint32(at, this.#elapsedNs >>> 0);
    view.setUint32(at + 4, this.#elapsedNs / twoTo32);
    view.setUint32(at + 8, this.#microsteps);
    view.setUint32(at + 12, this.#stage);
    view.setUint32(at + 16, this.#count);
    this.#closed += 1;
    this.#count = 0;
  }

  /**
   * Visits the steps from the first entry to the last, as runs of equal steps.
   *
   * @param {(count: number, elapsedNs: number, microsteps: number, stage: number) => void} visit  `microsteps`: since
   *   the entry before if no time has elapsed, otherwise since the instant began; `stage` is that of each entry
   */
  eachRun(visit) {
    const view = this.#view;
    for (let run = 0; run < this.#closed; run += 1) {
      const at = run * bytesPerRun;
      const elapsedNs = view.getUint32(at) + view.getUint32(at + 4) * twoTo32;
      visit(view.getUint32(at + 16), elapsedNs, view.getUint32(at + 8), view.getUint32(at + 12));
    }
    if (this.#count > 0) visit(this.#count, this.#elapsedNs, this.#microsteps, this.#stage);
  }

  /**
   * Visits the entries in order.
   *
   * @param {(timeNs: number, microstep: number, stage: number) => void} visit
   */
  each(visit) {
    if (this.length === 0) return;
    let timeNs = this.firstTimeNs;
    let microstep = this.firstMicrostep;
    visit(timeNs, microstep, this.firstStage);
    this.eachRun((count, elapsedNs, microsteps, stage) => {
      for (let i = 0; i < count; i += 1) {
        timeNs += elapsedNs;
        microstep = elapsedNs === 0 ? microstep + microsteps : microsteps;
        visit(timeNs, microstep, stage);
      }
    });
  }
}
