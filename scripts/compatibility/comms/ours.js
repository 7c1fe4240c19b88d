// Random conversations of two comms vats of this kernel. Import after lockdown.

import { makeLoneComms } from '../../../packages/host/test/comms/comms-machines.js';
import { converseBySeed } from '../../../packages/host/test/comms/conversation.js';
import { makeRandom } from '../../../packages/testkit/random.js';

/** @param {number} seed @param {number} steps @returns {string[]} */
export const converseHere = (seed, steps) =>
  converseBySeed(() => makeLoneComms().deliver, makeRandom, seed, steps);
