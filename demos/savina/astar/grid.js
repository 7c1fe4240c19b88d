import { JavaRandom } from '../common/java-random.js';

/** Grids that were drawn, by size. @type {Map<number, number[][]>} */
const grids = new Map();

/**
 * The neighbours of each node of a cube: some of the six that lie ahead of it, in one or two directions, and one at least.
 *
 * @param {number} size  nodes along an edge
 * @returns {number[][]} by the number of a node, `(i * size + j) * size + k`
 */
export const provideGrid = size => {
  const known = grids.get(size);
  if (known !== undefined) return known;
  const random = new JavaRandom(123_456);
  const neighbours = [];
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < size; j += 1) {
      for (let k = 0; k < size; k += 1) {
        const own = (i * size + j) * size + k;
        const found = [];
        // Steps as bits: one of three directions each; neither none nor all of them.
        for (let step = 1; step < 7; step += 1) {
          const isNeeded = step === 6 && found.length === 0;
          if (!isNeeded && !random.nextBoolean()) continue;
          const ahead = (at, bit) => Math.min(size - 1, at + ((step >> bit) & 1));
          const other = (ahead(i, 2) * size + ahead(j, 1)) * size + ahead(k, 0);
          if (other !== own && !found.includes(other)) found.push(other);
        }
        neighbours.push(found);
      }
    }
  }
  grids.set(size, neighbours);
  return neighbours;
};

/** The node to be reached: at four fifths of each edge. @param {number} size */
export const targetOf = size => {
  const at = Math.floor(0.8 * size);
  return (at * size + at) * size + at;
};
