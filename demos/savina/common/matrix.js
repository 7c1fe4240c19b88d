import { makeNumbers } from './make-numbers.js';
import { readNumbers, writeNumbers } from './number-text.js';

/** Unpacked matrices, by what `pack` gave: members of a bank may get the same. @type {WeakMap<object, Matrix>} */
const known = new WeakMap();

/**
 * A matrix of numbers. It is handed on as it is between reactors of one vat, since an instance of a class is; for another
 * vat, which can only be sent plain data, `pack` writes its numbers into one string. Nobody changes one that was
 * handed on.
 */
export class Matrix {
  #numbers;

  /**
   * @param {number} rows
   * @param {number} columns
   * @param {(row: number, column: number) => number} [valueAt]
   */
  constructor(rows, columns, valueAt) {
    this.rows = rows;
    this.columns = columns;
    this.#numbers = makeNumbers(rows * columns);
    if (valueAt === undefined) return;
    for (let i = 0; i < rows; i += 1) {
      for (let j = 0; j < columns; j += 1) this.#numbers[i * columns + j] = valueAt(i, j);
    }
  }

  /** Its numbers, row by row: for loops that look at many of them. */
  get numbers() {
    return this.#numbers;
  }

  at(row, column) {
    return this.#numbers[row * this.columns + column];
  }

  set(row, column, value) {
    this.#numbers[row * this.columns + column] = value;
  }

  /** As plain data. */
  pack() {
    const { rows, columns } = this;
    return { rows, columns, text: writeNumbers(this.#numbers) };
  }

  /** @param {Matrix | { rows: number, columns: number, text: string }} matrix  one, or what `pack` gave */
  static from(matrix) {
    if (matrix instanceof Matrix) return matrix;
    const before = known.get(matrix);
    if (before !== undefined) return before;
    const { rows, columns, text } = matrix;
    const unpacked = new Matrix(rows, columns);
    readNumbers(text, unpacked.#numbers);
    known.set(matrix, unpacked);
    return unpacked;
  }
}
