import { PseudoRandom } from '../common/pseudo-random.js';

/** A point as one number: two draws of 16 bits, from which its coordinates follow. */
const packPoint = (one, other) => one * 65_536 + other;

/** @param {number} seed @returns {() => number} draws points */
export const makePointSource = seed => {
  const random = new PseudoRandom(seed);
  return () => packPoint(random.next(), random.next());
};

/** @param {number} point @param {number} grid  the length of the plane's edges */
export const unpackPoint = (point, grid) => ({
  x: grid / (Math.floor(point / 65_536) + 1),
  y: grid / ((point % 65_536) + 1),
});

/** @param {{ x: number, y: number }} one @param {{ x: number, y: number }} other */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** A rectangle of the plane, the customers in it, and what they cost: each the way to the nearest facility known here. */
export class Quarter {
  #customers = [];

  #box;

  cost = 0;

  /**
   * @param {{ left: number, right: number, bottom: number, top: number }} box
   * @param {{ x: number, y: number }[]} facilities  that are known, without its own
   */
  constructor(box, facilities) {
    const { left, right, bottom, top } = box;
    this.#box = box;
    this.centre = { x: (left + right) / 2, y: (bottom + top) / 2 };
    this.facilities = [...facilities, this.centre];
  }

  get count() {
    return this.#customers.length;
  }

  contains({ x, y }) {
    const { left, right, bottom, top } = this.#box;
    return left <= x && x <= right && bottom <= y && y <= top;
  }

  add(customer) {
    this.#customers.push(customer);
    this.cost += Math.min(...this.facilities.map(facility => distance(facility, customer)));
  }

  /** Its quarters, left and right above, left and right below; a customer on an edge is in the first that has it. */
  split() {
    const { left, right, bottom, top } = this.#box;
    const { x, y } = this.centre;
    const quarters = [
      { left, right: x, bottom: y, top },
      { left: x, right, bottom: y, top },
      { left, right: x, bottom, top: y },
      { left: x, right, bottom, top: y },
    ].map(box => new Quarter(box, this.facilities));
    for (const customer of this.#customers) placeOf(quarters, customer).add(customer);
    return quarters;
  }
}

/** @param {Quarter[]} quarters @param {{ x: number, y: number }} point */
export const placeOf = (quarters, point) => quarters.find(quarter => quarter.contains(point));

/** The whole plane. @param {number} grid */
export const wholePlane = grid => new Quarter({ left: 0, right: grid, bottom: 0, top: grid }, []);
