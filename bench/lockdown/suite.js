// Measures storing an element and other small steps, before and after lockdown. V8 stores by index
// quickly only while the prototypes of arrays are not frozen; hardened JavaScript freezes them.

import { ask } from '../process.js';

/** @import { Suite } from '../suite.js' */

const module = new URL('run.js', import.meta.url);

/** @type {Suite} */
export default {
  about: 'an element stored, and other small steps, before and after lockdown',
  async run({ small }) {
    const plain = await ask(module, { isLocked: false, small });
    const locked = await ask(module, { isLocked: true, small });
    if (plain.digest !== locked.digest) throw Error('lockdown changed what the loops compute');
    /** @type {import('#measure').Figure[]} */
    const figures = plain.figures.flatMap((/** @type {any} */ figure, /** @type {number} */ i) => [
      figure,
      locked.figures[i],
    ]);
    return { figures, digest: plain.digest };
  },
};
