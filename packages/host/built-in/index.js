// The vats that every SwingSet has beside those of its config. A run hands them to bootstrap; one that nobody uses
// costs nothing.

import { Far } from '#vat';
import { buildRoot as timer } from './timer/index.js';
import { buildRoot as vatAdmin } from './vat-admin/index.js';

/** @import { BuiltInPowers } from '#vat' */

/**
 * A root whose methods say that they are not there.
 *
 * @param {string} name
 * @param {string[]} methods
 */
const comesLater = (name, methods) => () =>
  Far(
    name,
    Object.fromEntries(
      methods.map(method => [
        method,
        () => {
          throw Error(`${name}.${method} is not in this version`);
        },
      ]),
    ),
  );

/**
 * How the root of each is made with its powers and the name of the profile, in the order of their ids, which come behind those of the config.
 *
 * @type {Readonly<Record<string, (powers: BuiltInPowers & { profile: string }) => object>>}
 */
export const builtInVats = Object.freeze({
  vatAdmin,
  comms: comesLater('comms', ['init', 'addRemote', 'addEgress', 'addIngress']),
  vattp: comesLater('vattp', ['registerMailboxDevice', 'addRemote']),
  timer,
});
