// The random program of a seed: which vats there are, and what they may do. It has rounds; in each, the actors begin
// anew with other seeds.

import { makeRandom } from '../../../test/fixtures/deliveries/random.js';

/** @typedef {{ name: string, seed: number, peers: string[], features: string[] }} ActorParameters */

/** Vats by name, bootstrap's first. @typedef {{ seed: number, vats: Record<string, ActorParameters>, hasDevice: boolean }} Program */

const names = ['ann', 'ben', 'cat', 'dan', 'eve'];

/** Actors may do this beside the usual: one program of so many has it. */
const chances = { device: 3, vats: 3, exits: 4, virtual: 3, functions: 2 };

/** @param {number} seed @returns {Program} */
export const makeProgram = seed => {
  const random = makeRandom(seed);
  const peers = names.slice(0, 1 + random(names.length - 1));
  const features = Object.entries(chances)
    .filter(([, limit]) => random(limit) === 0)
    .map(([feature]) => feature);
  const makeActor = (/** @type {string} */ name) => ({
    ...{ name, seed: random(2 ** 31), peers, features },
  });
  return {
    seed,
    vats: Object.fromEntries(['bootstrap', ...peers].map(name => [name, makeActor(name)])),
    hasDevice: features.includes('device'),
  };
};
