// Writes the text of a row, based on the row before. Most counters do not change in a block, and
// most changes affect only the last digit; so the row before is copied, and only differing digits
// are written. If a number's length changes, the rest of the row is moved.

import { lengthOfNumber, replaceNumber, writeNumber } from './digits.js';

const tab = 9;
const newline = 10;

/** The value of an empty cell. */
const empty = NaN;

/** The engine's own method, if this module is loaded before lockdown (packages/kernel/tables/figures.js). */
const { setFloat64 } = DataView.prototype;

export class RowText {
  #bytes;

  #view;

  /** The number in each cell of the row before. */
  #values;

  /** A view of `#values`, for writing: see packages/model/bytes.js. */
  #valuesView;

  /** The end of each cell, from the start of the row. */
  #ends;

  #endsView;

  /** The number of cells that have been written before. */
  #known = 0;

  /** Offset at which the last row starts. */
  #start = 0;

  #length = 0;

  /** The index of the next cell. */
  #column = 0;

  /** The position of the next cell if it is written for the first time; otherwise -1. */
  #at = -1;

  /**
   * @param {Uint8Array} bytes  the caller must not change the last row in it
   * @param {number} columns  cells in a row
   */
  constructor(bytes, columns) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#values = new Float64Array(columns);
    this.#valuesView = Object.defineProperty(new DataView(this.#values.buffer), 'setFloat64', {
      value: setFloat64,
    });
    this.#ends = new Int32Array(columns);
    this.#endsView = new DataView(this.#ends.buffer);
  }

  /** @param {number} start  of the new row; there must be room for the longest one */
  begin(start) {
    if (this.#start !== start) {
      this.#bytes.copyWithin(start, this.#start, this.#start + this.#length);
      this.#start = start;
    }
    this.#column = 0;
    this.#at = -1;
  }

  /** @param {number | undefined} value  finite */
  cell(value) {
    const column = this.#column;
    this.#column = column + 1;
    this.#change(column, value ?? empty);
  }

  /**
   * Write several cells.
   *
   * @param {ArrayLike<number>} numbers  finite
   * @param {readonly number[]} positions  the index in `numbers` of each cell's value
   */
  cells(numbers, positions) {
    const first = this.#column;
    const values = this.#values;
    const count = positions.length;
    this.#column = first + count;
    for (let i = 0; i < count; i += 1) {
      const value = numbers[positions[i]];
      // Most values did not change, so their text stays.
      if (value !== values[first + i] || this.#at >= 0 || this.#known < this.#column)
        this.#change(first + i, value);
    }
  }

  /**
   * @param {number} column
   * @param {number} value
   */
  #change(column, value) {
    if (this.#at < 0 && column < this.#known) {
      const before = this.#values[column];
      if (Object.is(value, before)) return;
      this.#valuesView.setFloat64(column * 8, value, true);
      if (!replaceNumber(this.#view, this.#start + this.#ends[column], before, value))
        this.#resize(column, value);
      return;
    }
    this.#writeCell(column, value);
  }

  /**
   * Change the length of a cell.
   *
   * @param {number} column
   * @param {number} value
   */
  #resize(column, value) {
    const ends = this.#ends;
    const start = this.#start;
    const at = column === 0 ? start : start + ends[column - 1] + 1;
    const end = start + ends[column];
    const more = at + lengthOfNumber(value) - end;
    this.#bytes.copyWithin(end + more, end, start + this.#length);
    this.#length += more;
    if (!Number.isNaN(value)) writeNumber(this.#view, at, value);
    for (let i = column; i < this.#known; i += 1)
      this.#endsView.setInt32(i * 4, ends[i] + more, true);
  }

  /**
   * @param {number} column
   * @param {number} value
   */
  #writeCell(column, value) {
    const view = this.#view;
    let at = this.#at;
    if (at < 0) at = this.#start + (column === 0 ? 0 : this.#ends[column - 1]);
    if (column > 0) {
      view.setUint8(at, tab);
      at += 1;
    }
    if (!Number.isNaN(value)) at = writeNumber(view, at, value);
    this.#at = at;
    if (column === this.#known) this.#known += 1;
    this.#valuesView.setFloat64(column * 8, value, true);
    this.#endsView.setInt32(column * 4, at - this.#start, true);
  }

  /** @returns {number} where the next row starts */
  end() {
    if (this.#at >= 0) {
      this.#view.setUint8(this.#at, newline);
      this.#length = this.#at + 1 - this.#start;
    }
    return this.#start + this.#length;
  }
}
