// Presences of other vats' objects, and device nodes.

import { isAllocatedByVat, isVref, parseVref, quote, typeOfVref } from '#model';
import { makePresence } from '../eventual-send/index.js';
import { makeImported, Remotable } from '../marshal/index.js';

/** @import { Handler } from '../eventual-send/handles.js' */

/**
 * Makes the presence or device node of a new import. The caller makes promises and subscribes to them.
 *
 * @param {string} vref
 * @param {string | undefined} iface
 * @param {Handler} handler  who takes messages to the object
 * @returns {object}
 * @throws {Error} for a vref that only the vat itself can allocate
 */
export const makeImport = (vref, iface, handler) => {
  if (isAllocatedByVat(vref)) throw Error(`I don't remember allocating ${vref}`);
  const type = isVref(vref) ? typeOfVref(vref) : parseVref(vref).type;
  if (type === 'device') return Remotable(iface ?? `Alleged: device ${vref}`);
  if (type !== 'object') throw Error(`unrecognized slot type ${quote(type)}`);
  return makeImported(iface ?? `Alleged: presence ${vref}`, prototype =>
    makePresence(handler, prototype),
  );
};
