// The text of a row, made from that of the row before. Most counters do not change in a block, and of those that do
// it is mostly the last digit; so the row before is copied, and only digits that differ are written. As soon as a
// number has more or fewer digits than before, everything behind it moves and is written anew.

import { replaceNumber, writeNumber } from './digits.js';

const tab = 9;
const newline = 10;

export class RowText {
  #bytes;

  #view;

  /** The number in each cell of the row before; undefined for an empty one. @type {(number | undefined)[]} */
  #values = [];

  /** Where each cell ends, from the start of the row. @type {number[]} */
  #ends = [];

  /** Of the row that was written last. */
  #start = 0;

  #length = 0;

  /** The next cell. */
  #column = 0;

  /** Where it goes, once the text is written anew; until then -1. */
  #at = -1;

  /** @param {Uint8Array} bytes  nobody else may write to the row that was written last */
  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
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

  /**
   * As many cells in each row as in the first.
   *
   * @param {number | undefined} value  finite
   */
  cell(value) {
    const column = this.#column;
    this.#column = column + 1;
    if (this.#at < 0 && column < this.#values.length) {
      const before = this.#values[column];
      if (value === before) return;
      this.#values[column] = value;
      if (replaceNumber(this.#view, this.#start + this.#ends[column], before, value)) return;
    }
    this.#writeCell(column, value);
  }

  /**
   * @param {number} column
   * @param {number | undefined} value
   */
  #writeCell(column, value) {
    const view = this.#view;
    let at = this.#at;
    if (at < 0) at = this.#start + (column === 0 ? 0 : this.#ends[column - 1]);
    if (column > 0) {
      view.setUint8(at, tab);
      at += 1;
    }
    if (value !== undefined) at = writeNumber(view, at, value);
    this.#at = at;
    if (column === this.#values.length) {
      this.#values.push(value);
      this.#ends.push(at - this.#start);
    } else {
      this.#values[column] = value;
      this.#ends[column] = at - this.#start;
    }
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
