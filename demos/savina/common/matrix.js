import { makeNumbers } from './make-numbers.js';

/**
 * A matrix of numbers. It is handed on as it is between reactors of one vat, since an instance of a class is; for another
 * vat, which can only be sent plain data, `pack` makes a list of its rows. Who has handed one on does not change it.
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
    return { columns: this.columns, numbers: [...this.#numbers] };
  }

  /** @param {Matrix | { columns: number, numbers: number[] }} matrix  one, or what `pack` gave */
  static from(matrix) {
    if (matrix instanceof Matrix) return matrix;
    const { columns, numbers } = matrix;
    const unpacked = new Matrix(numbers.length / columns, columns);
    numbers.forEach((number, i) => {
      unpacked.#numbers[i] = number;
    });
    return unpacked;
  }
}
