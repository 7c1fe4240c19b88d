/**
 * A list of zeros. Vats have no Float64Array, since the bits of a NaN in one are not the same on all machines; there it is
 * an ordinary array, and does the same.
 *
 * @type {(length: number) => Float64Array | number[]}
 */
export const makeNumbers =
  typeof Float64Array === 'function'
    ? length => new Float64Array(length)
    : length => new Array(length).fill(0);
