// The random program of a seed: what the host has vats with durable data do in a round. Vats are made, act, are upgraded (now and then
// to code that fails), forget what they hold, and end.

import { makeRandom } from '../../../test/fixtures/deliveries/random.js';

/**
 * A message to the bootstrap vat's root, a request for dead references to all vats, or a look at c-lists and stores.
 *
 * @typedef {[method: string, ...args: unknown[]] | 'reap' | 'look'} Call
 */

const names = ['ann', 'ben', 'cat', 'dan'];

/** Further features of actors; each is in one of two programs. */
const features = ['finish', 'weak', 'watch'];

/** An object that a chain of vats held may need a request for each link, in either kernel. @type {Call[]} */
const reaps = ['reap', 'reap', 'reap'];

/** @param {number} seed @returns {number[]} seeds of its rounds */
export const seedsOfRounds = (seed, /** @type {number} */ rounds) => {
  const random = makeRandom(seed * 7919);
  return Array.from({ length: rounds }, () => random(2 ** 31));
};

/** @param {number} seed @returns {Call[]} */
export const makeRound = seed => {
  const random = makeRandom(seed);
  const peers = names.slice(0, 2 + random(3));
  const drawn = features.filter(() => random(2) === 0);
  const parametersOf = (/** @type {string} */ name) => ({
    ...{ name, seed: random(1e6), features: drawn },
  });
  /** @type {Call[]} */
  const calls = peers.map(name => ['create', name, parametersOf(name)]);
  const parts = 2 + random(4);
  for (let part = 0; part < parts; part += 1) {
    for (const name of peers)
      if (random(4) > 0) {
        const [itsSeed, fuel] = [random(1e9), 3 + random(16)];
        calls.push(['begin', name, itsSeed, fuel, ...peers.filter(() => random(2) === 0)]);
      }
    const way = random(8);
    const who = peers[random(peers.length)];
    if (way < 3) {
      const fails = random(5) === 0 && { fails: 2 };
      const message = random(2) === 0 && { upgradeMessage: `to ${part}` };
      const vatParameters = { ...parametersOf(who), ...fails };
      calls.push(...reaps, ['upgrade', who, { vatParameters, ...message }]);
    }
    if (way === 3) calls.push(['terminate', who, `why ${part}`]);
    if (way > 3 && random(2) === 0) calls.push(...reaps);
    if (random(3) === 0)
      for (const name of peers)
        if (random(2) === 0) calls.push(['call', name, 'forget', random(3)]);
  }
  calls.push(...reaps, ...reaps, 'look');
  if (random(3) > 0) {
    const vatParameters = { name: peers[0], seed: 1, features: drawn };
    calls.push(['upgrade', peers[0], { vatParameters }], ...reaps, 'look');
  }
  return [...calls, ['end'], ...reaps, 'look'];
};

/** @param {object} sources  of `bootstrap` and `actor`, by name */
export const configOf = (/** @type {Record<string, object>} */ { bootstrap, actor }) => ({
  bootstrap: 'bootstrap',
  defaultReapInterval: /** @type {const} */ ('never'),
  // Otherwise a vat is asked after a number of drops and retirements.
  defaultReapGCKrefs: /** @type {const} */ ('never'),
  vats: { bootstrap },
  bundles: { actor },
});
