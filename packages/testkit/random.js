// Random numbers from a seed, equal on all machines, so that a failure can be repeated.

/**
 * @typedef {object} Random
 * @property {(limit: number) => number} below  an integer from 0, less than `limit`
 * @property {(probability: number) => boolean} chance
 * @property {<T>(list: readonly T[]) => T} pick  an element of a non-empty list
 * @property {(more: string | number) => void} stir  makes later numbers depend on `more`
 * @property {(name: string) => Random} fork  a separate sequence
 */

/** A 32-bit mixer with full avalanche; the constants are those of MurmurHash3's finaliser. */
const mix = (/** @type {number} */ value) => {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/** The golden ratio in 32 bits: it spreads successive states evenly. */
const step = 0x9e3779b9;

/** @type {(state: number, more: string | number) => number} */
const stirred = (state, more) => {
  let next = state;
  for (const char of String(more)) next = mix(next + step + (char.codePointAt(0) ?? 0));
  return next;
};

/**
 * @param {string | number} seed
 * @returns {Random}
 */
export const makeRandom = seed => {
  let state = stirred(1, seed);
  const next = () => {
    state = (state + step) >>> 0;
    return mix(state);
  };
  return Object.freeze({
    below: limit => Math.floor((next() / 2 ** 32) * limit),
    chance: probability => next() / 2 ** 32 < probability,
    pick: list => list[Math.floor((next() / 2 ** 32) * list.length)],
    stir: more => {
      state = stirred(state, more);
    },
    fork: name => makeRandom(`${state}/${name}`),
  });
};
