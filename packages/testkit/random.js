// Random numbers from a seed: the same everywhere, so that a failure can be run again.

/**
 * @typedef {object} Random
 * @property {(limit: number) => number} below  a whole number from 0, less than `limit`
 * @property {(probability: number) => boolean} chance
 * @property {<T>(list: readonly T[]) => T} pick  one of a list that is not empty
 * @property {(more: string | number) => void} stir  makes what comes next depend on `more`
 * @property {(name: string) => Random} fork  a sequence of its own
 */

/** A 32-bit mixer with full avalanche; the constants are those of MurmurHash3's finaliser. */
const mix = (/** @type {number} */ value) => {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/** The golden ratio in 32 bits: successive states are spread evenly. */
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
