// Numbers that belong to the kernel as a whole: the next identifiers, the number and tag of the last crank, and
// (in counters.js) the counters. They lie side by side in typed arrays, so that a crank keeps or drops all of
// them at once.

import { ByteReader, ByteWriter } from '#model';

/** @import { KernelStore, Batch } from './store-interface.js' */

/** The engine's own, if this module is loaded before lockdown, as the host loads it. */
const { setFloat64 } = DataView.prototype;

/**
 * Numbers are written through a DataView, which is quick in a locked-down realm too (packages/model/bytes.js). But
 * there `setFloat64` is one that looks for unusual NaNs first, and takes 4 ns. These numbers are counts, so the view
 * gets the engine's own as a property, which is compiled to a store of 1 ns; `setFloat64.call(view, …)` is not, and
 * takes 7 ns.
 *
 * @param {Float64Array} numbers
 */
const makeView = numbers =>
  Object.defineProperty(new DataView(numbers.buffer), 'setFloat64', { value: setFloat64 });

/**
 * Named rows of `width` numbers each, kept and dropped with the crank. In the store: the names as text, once,
 * and the numbers as varints; a store written with fewer names is read by name.
 */
export class NumberRows {
  #names;

  #width;

  #key;

  #namesWritten = false;

  #view;

  #writer = new ByteWriter();

  /**
   * @param {string} key  of the store; the names are at `${key}.names`
   * @param {readonly string[]} names
   * @param {number} width  numbers a name
   */
  constructor(key, names, width) {
    this.#key = key;
    this.#names = names;
    this.#width = width;
    this.numbers = new Float64Array(names.length * width);
    this.kept = new Float64Array(names.length * width);
    this.#view = makeView(this.numbers);
  }

  /**
   * @param {number} at  index into `numbers`
   * @param {number} value
   */
  write(at, value) {
    this.#view.setFloat64(at * 8, value, true);
  }

  keep() {
    this.kept.set(this.numbers);
  }

  drop() {
    this.numbers.set(this.kept);
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    if (!this.#namesWritten) puts.set(`${this.#key}.names`, this.#names.join(' '));
    this.#namesWritten = true;
    const writer = this.#writer;
    const { numbers } = this;
    writer.length = 0;
    writer.varints(numbers);
    // The store copies what it is given before it returns.
    puts.set(this.#key, writer.view());
  }

  /** @param {KernelStore} store */
  load(store) {
    const names = store.get(`${this.#key}.names`);
    const bytes = store.getBytes(this.#key);
    if (names === undefined || bytes === undefined) return;
    const reader = new ByteReader(bytes);
    for (const name of names.split(' ')) {
      const row = this.#names.indexOf(name);
      for (let i = 0; i < this.#width; i += 1) {
        const value = reader.varint();
        // A name that this version does not know any more is passed over.
        if (row >= 0) this.write(row * this.#width + i, value);
      }
    }
    this.#namesWritten = names === this.#names.join(' ');
    this.keep();
  }
}

const figureNames = /** @type {const} */ ([
  'nextObject',
  'nextPromise',
  'nextDevice',
  'nextItem',
  'nextInput',
  'nextVat',
  'nextDeviceId',
  'crankNumber',
  'controlCranks',
  'nowTimeNs',
  'nowMicrostep',
  'hashedCrank',
  'hashedTimeNs',
  'hashedMicrostep',
  'hashedBytes',
]);

/**
 * The kernel's own numbers by name. The first identifiers are SwingSet's: `ko20`, `kd30`, `kp40`, `v1`, `d7`.
 */
export class Figures extends NumberRows {
  constructor() {
    super('kernel.figures', figureNames, 1);
    this.numbers.set([20, 40, 30, 1, 1, 1, 7]);
    this.keep();
  }

  /** @param {number} at  one of `figure` */
  allocate(at) {
    const id = this.numbers[at];
    this.write(at, id + 1);
    return id;
  }
}

/** Where each figure is in `Figures.numbers`. */
export const figure = Object.freeze(
  /** @type {Record<(typeof figureNames)[number], number>} */ (
    Object.fromEntries(figureNames.map((name, i) => [name, i]))
  ),
);
