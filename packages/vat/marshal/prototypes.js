// The prototypes of remotables: objects of the library's form, which say that an object passes by reference and under
// which interface. The library makes one for each object. Here all objects of an interface share one, since V8 gives
// the objects of each prototype a hidden class of their own: many prototypes take memory and slow all code that looks
// at references.
//
// A vat must not be able to observe when the engine collects a prototype: it could use one as a weak key, and get it
// again by its interface. So each vat has a table that holds its prototypes for good, which also keeps vats apart. When
// the table is full, and for interfaces with long names, each object gets its own prototype, as in the library.

import { PASS_STYLE } from './pass-style.js';
import { intern } from './text.js';

const { create, freeze, prototype: objectPrototype } = Object;
const { toStringTag } = Symbol;

/** An interface that is in use. @typedef {{ iface: string, prototype: object }} Known */

/**
 * The interfaces of a vat.
 *
 * @typedef {object} InterfaceTable
 * @property {Map<string, Known>} known
 * @property {boolean} printsNames
 * @property {object} [shared]  prototype of all presences
 */

/** Bound on the interfaces of a vat, and so on the memory of the table. */
const mostInterfaces = 10_000;

/** Longer strings, which vats can make at will, are not kept in tables. */
export const longestKept = 100;

/** Interfaces of the host and of devices. @type {InterfaceTable} */
const hostInterfaces = { known: new Map(), printsNames: false };

/** Interfaces of the current vat. */
let interfaces = hostInterfaces;

/** Makes the shared prototype of presences: an own property has the interface, which they print as in 2020. */
const makeSharedPrototype = () =>
  freeze(
    create(objectPrototype, {
      [PASS_STYLE]: { value: 'remotable' },
      [toStringTag]: { value: 'Alleged: presence' },
      toString: {
        value: freeze(
          {
            /** @this {any} */
            toString() {
              return `[${this?.[toStringTag]}]`;
            },
          }.toString,
        ),
      },
    }),
  );

/**
 * @param {object} [options]
 * @param {boolean} [options.printsNames]  whether a remotable's `toString` gives `[Alleged: x]`, as in 2020; otherwise
 *   it gives `[object Alleged: x]`, as that of all objects. Default false
 * @param {boolean} [options.sharesPrototype]  whether presences share one prototype and have the interface as an own
 *   property; the library refuses such presences. Default false
 * @returns {InterfaceTable}
 */
export const makeInterfaceTable = ({ printsNames = false, sharesPrototype = false } = {}) => ({
  known: new Map(),
  printsNames,
  ...(sharesPrototype && { shared: makeSharedPrototype() }),
});

/** The prototype of all presences of the current vat; undefined if each interface has its own. */
export const findSharedPrototype = () => interfaces.shared;

/**
 * Makes a table current: remotables made from now on belong to its vat.
 *
 * @param {InterfaceTable} [table]  default: the host's
 */
export const enterInterfaces = (table = hostInterfaces) => {
  interfaces = table;
};

/**
 * @param {string} iface
 * @returns {object}
 */
export const providePrototype = iface => {
  const { known, printsNames } = interfaces;
  const found = known.get(iface);
  if (found !== undefined) return found.prototype;
  const prototype = freeze(
    create(objectPrototype, {
      [PASS_STYLE]: { value: 'remotable' },
      [toStringTag]: { value: iface },
      ...(printsNames && { toString: { value: freeze(() => `[${iface}]`) } }),
    }),
  );
  if (known.size < mostInterfaces && iface.length <= longestKept) {
    const own = intern(iface);
    known.set(own, { iface: own, prototype });
  }
  return prototype;
};

/**
 * The engine's own copy of an interface's name (see `intern`).
 *
 * @param {string} iface
 */
export const shareInterface = iface => interfaces.known.get(iface)?.iface ?? intern(iface);
