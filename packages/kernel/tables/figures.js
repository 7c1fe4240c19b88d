// Numbers of the kernel as a whole: the next identifiers, the number and tag of the last crank, and (in counters.js)
// the counters. They are adjacent in typed arrays, so that a crank keeps or drops all of them in one copy.

import { ByteReader, ByteWriter } from '#model';

/** @import { KernelStore, Batch } from '../store-interface.js' */

/** The engine's own function, if this module is loaded before lockdown, as the host does. */
const { setFloat64 } = DataView.prototype;

/**
 * Numbers are written through a DataView, which is fast even in a locked-down realm (packages/model/bytes.js). But
 * lockdown replaces `setFloat64` by a function that first looks for unusual NaNs. These numbers are counts, so the view
 * gets the engine's own function as a property, which V8 compiles to a store; it does not for `setFloat64.call(view,
 * …)` (docs/v8-in-a-locked-down-realm.md).
 *
 * @param {Float64Array} numbers
 */
const makeView = numbers =>
  Object.defineProperty(
    new DataView(numbers.buffer, numbers.byteOffset, numbers.byteLength),
    'setFloat64',
    {
      value: setFloat64,
    },
  );

/** @typedef {{ name: string, width: number }} NamedRow  `width`: how many numbers it has */

/**
 * Named rows of some numbers each, kept and dropped with the crank. The store has the names as text, once, and the
 * numbers as varints; a store written with fewer names is read by name.
 */
export class NumberRows {
  #rows;

  #usual;

  #key;

  #namesWritten = false;

  #view;

  #writer = new ByteWriter();

  /**
   * @param {string} key  of the store; the names are at `${key}.names`, a row of another width as `name/width`
   * @param {readonly NamedRow[]} rows
   * @param {number} usual  width of a row whose name stands there alone
   */
  constructor(key, rows, usual) {
    this.#key = key;
    this.#rows = rows;
    this.#usual = usual;
    const size = rows.reduce((sum, { width }) => sum + width, 0);
    this.numbers = new Float64Array(size);
    this.kept = new Float64Array(size);
    this.#view = makeView(this.numbers);
  }

  /**
   * Moves the numbers to other arrays of the same length.
   *
   * @param {Float64Array<ArrayBuffer>} numbers
   * @param {Float64Array<ArrayBuffer>} kept
   */
  moveTo(numbers, kept) {
    numbers.set(this.numbers);
    kept.set(this.kept);
    this.numbers = numbers;
    this.kept = kept;
    this.#view = makeView(numbers);
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
    if (!this.#namesWritten) puts.set(`${this.#key}.names`, this.#namesText());
    this.#namesWritten = true;
    const writer = this.#writer;
    const { numbers } = this;
    writer.length = 0;
    writer.varints(numbers);
    // The store copies the bytes before it returns.
    puts.set(this.#key, writer.view());
  }

  /** @param {KernelStore} store */
  load(store) {
    const names = store.get(`${this.#key}.names`);
    const bytes = store.getBytes(this.#key);
    if (names === undefined || bytes === undefined) return;
    const reader = new ByteReader(bytes);
    for (const text of names.split(' ')) {
      const [name, width = this.#usual] = text.split('/');
      const at = this.#find(name);
      for (let i = 0; i < Number(width); i += 1) {
        const value = reader.varint();
        // Counters that this version no longer has are skipped.
        if (i < at.width) this.write(at.start + i, value);
      }
    }
    this.#namesWritten = names === this.#namesText();
    this.keep();
  }

  #namesText() {
    return this.#rows
      .map(({ name, width }) => (width === this.#usual ? name : `${name}/${width}`))
      .join(' ');
  }

  /** @param {string} wanted */
  #find(wanted) {
    let start = 0;
    for (const { name, width } of this.#rows) {
      if (name === wanted) return { start, width };
      start += width;
    }
    return { start: 0, width: 0 };
  }
}

/** Several tables of numbers in one array, so that a crank keeps or drops all of them in one copy. */
export class NumberBank {
  #numbers;

  #kept;

  /** @param {...NumberRows} tables */
  constructor(...tables) {
    const size = tables.reduce((sum, { numbers }) => sum + numbers.length, 0);
    this.#numbers = new Float64Array(size);
    this.#kept = new Float64Array(size);
    let start = 0;
    for (const table of tables) {
      const end = start + table.numbers.length;
      table.moveTo(this.#numbers.subarray(start, end), this.#kept.subarray(start, end));
      start = end;
    }
  }

  keep() {
    this.#kept.set(this.#numbers);
  }

  drop() {
    this.#numbers.set(this.#kept);
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
  'ringWait',
  'nextHandOut',
  'lastCrankItem',
  'nextUpgrade',
  'mostVats',
  'mostFulfilled',
  'accepted',
  'mostAccepted',
]);

/**
 * The kernel's own numbers by name. The first identifiers are SwingSet's: `ko20`, `kd30`, `kp40`, `v1`, `d7`.
 */
export class Figures extends NumberRows {
  constructor() {
    super(
      'kernel.figures',
      figureNames.map(name => ({ name, width: 1 })),
      1,
    );
    this.numbers.set([20, 40, 30, 1, 1, 1, 7]);
    this.numbers[figure.nextHandOut] = 1;
    this.numbers[figure.nextUpgrade] = 1;
    this.keep();
  }

  /**
   * Sets the present tag.
   *
   * @param {number} timeNs
   * @param {number} microstep
   */
  writeNow(timeNs, microstep) {
    this.write(figure.nowTimeNs, timeNs);
    this.write(figure.nowMicrostep, microstep);
  }

  /**
   * Sets the present tag to that of a crank that begins, and notes which items are queued from now on.
   *
   * @param {number} timeNs
   * @param {number} microstep
   */
  beginCrank(timeNs, microstep) {
    this.writeNow(timeNs, microstep);
    this.write(figure.lastCrankItem, this.numbers[figure.nextItem]);
    if (this.numbers[figure.accepted] > 0) this.write(figure.accepted, 0);
  }

  /**
   * Counts what was sent since the last crank began, and keeps the most that waited at a time to be routed.
   *
   * @param {number} count  messages, notifies, starts and upgrades
   * @param {number} excess  how many more waited while they were routed one by one, for routing adds notifies
   */
  accept(count, excess) {
    const accepted = this.numbers[figure.accepted] + count;
    this.write(figure.accepted, accepted);
    this.raise(figure.mostAccepted, accepted + excess);
  }

  /**
   * Keeps the maximum of a number.
   *
   * @param {number} at  one of `figure`
   * @param {number} value  of the number now
   */
  raise(at, value) {
    if (value > this.numbers[at]) this.write(at, value);
  }

  /** @param {number} at  one of `figure` */
  allocate(at) {
    const id = this.numbers[at];
    this.write(at, id + 1);
    return id;
  }
}

/** The index of each figure in `Figures.numbers`. */
export const figure = Object.freeze(
  /** @type {Record<(typeof figureNames)[number], number>} */ (
    Object.fromEntries(figureNames.map((name, i) => [name, i]))
  ),
);
