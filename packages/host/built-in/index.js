// The vats that every SwingSet has beside those of its config. A run hands them to bootstrap; one that nobody uses
// costs nothing.

import { buildDispatch as comms } from './comms/index.js';
import { buildRoot as timer } from './timer/index.js';
import { buildRoot as vatAdmin } from './vat-admin/index.js';
import { buildRoot as vattp } from './vattp/index.js';

/** @import { BuiltInPowers } from '#vat' */

/** Those that take their deliveries raw, instead. @type {Readonly<Record<string, typeof comms>>} */
export const rawBuiltInVats = Object.freeze({ comms });

/**
 * How the root of each is made with its powers and the name of the profile.
 *
 * @type {Readonly<Record<string, (powers: BuiltInPowers & { profile: string }) => object>>}
 */
export const builtInVats = Object.freeze({ vatAdmin, vattp, timer });

/** Those that every run has, in the order of their ids, which come behind those of the config. */
export const usualVats = Object.freeze(['vatAdmin', 'comms', 'vattp', 'timer']);
