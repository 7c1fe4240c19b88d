// The modules that vats import by name and that the system provides: one E, one Far, one marshalling for all. They are
// made once and shared by every vat of the process, so nothing in them remembers its users: an object with state is
// made by a call and belongs to the caller.

// First: the libraries that the others import must find a `HandledPromise` while they load (marshal/pass-style.js).
import '../marshal/index.js';
import { makeAgoricShims } from './agoric.js';
import { makeEndoShims } from './endo.js';

/**
 * @returns {Record<string, Record<string, unknown>>} hardened exports by module name
 */
export const makeVatShims = () => harden({ ...makeEndoShims(), ...makeAgoricShims() });

export { provideLazyAssert } from './assert-2020.js';
