// The random program of a seed: which vats there are, and what they may do. It has rounds; in each, the actors begin
// anew with other seeds.

import { makeRandom } from '../../../test/fixtures/deliveries/random.js';

/** @typedef {{ name: string, seed: number, peers: string[], features: string[] }} ActorParameters */

/**
 * Vats by name, bootstrap's first. `hasComms`: there are two sides, which know each other through comms.
 *
 * @typedef {{ seed: number, vats: Record<string, ActorParameters>, hasDevice: boolean, hasComms: boolean }} Program
 */

const names = ['ann', 'ben', 'cat', 'dan', 'eve'];

/** Features of actors beside the usual ones; a feature with the number n is in one of n programs. */
const chances = { device: 3, vats: 3, exits: 4, virtual: 3, functions: 2 };

/** Features that pass through comms: devices do not, and comms has no messages about vats. */
const featuresOfComms = ['virtual', 'functions'];

/**
 * @param {number} seed
 * @param {boolean} [hasComms]
 * @returns {Program}
 */
export const makeProgram = (seed, hasComms = false) => {
  const random = makeRandom(seed);
  const peers = names.slice(0, 1 + random(names.length - 1));
  const drawn = Object.entries(chances)
    .filter(([, limit]) => random(limit) === 0)
    .map(([feature]) => feature);
  const features = hasComms
    ? ['comms', ...drawn.filter(feature => featuresOfComms.includes(feature))]
    : drawn;
  const makeActor = (/** @type {string} */ name) => ({
    ...{ name, seed: random(2 ** 31), peers, features },
  });
  return {
    seed,
    vats: Object.fromEntries(['bootstrap', ...peers].map(name => [name, makeActor(name)])),
    hasDevice: features.includes('device'),
    hasComms,
  };
};
