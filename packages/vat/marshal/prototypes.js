// The prototypes of remotables: an object of the library's form, which says that the object passes by reference and under
// which interface. The library makes one for each object; here all objects of an interface share one, since V8 gives the
// objects of each prototype a hidden class of their own: with many prototypes, all code that looks at references is slow,
// and each takes memory.
//
// A vat must not be able to tell when the engine collects a prototype: it could keep one as a weak key, and ask for it again
// by its interface. So each vat has a table of its own that holds them for good, which also keeps vats apart. What comes
// when that is full, and interfaces with long names, get a prototype for each object, as in the library.

import { PASS_STYLE } from './pass-style.js';

const { create, freeze, prototype: objectPrototype } = Object;
const { toStringTag } = Symbol;

/**
 * The engine's own copy of a text, which it finds in a map by its address. One that was cut out of a message or put
 * together has to be hashed and compared, by slow calls, and may hold on to the message.
 *
 * @param {string} text
 */
const intern = text => Object.keys({ [text]: true })[0];

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

/** Longer texts, which vats may make as they like, are in no table of texts that were seen. */
export const longestKept = 100;

/** Interfaces of the host and of devices. @type {InterfaceTable} */
const hostInterfaces = { known: new Map(), printsNames: false };

/** Interfaces of the vat that runs. */
let interfaces = hostInterfaces;

/** Presences that share it are named by an own property, and print the name as in 2020. */
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
 * @param {boolean} [options.printsNames]  whether a remotable's `toString` gives `[Alleged: x]`, as in 2020; otherwise it is
 *   that of all objects, and gives `[object Alleged: x]`. Default false
 * @param {boolean} [options.sharesPrototype]  whether presences share one prototype, with the interface as a property of
 *   their own; the library refuses such presences. Default false
 * @returns {InterfaceTable}
 */
export const makeInterfaceTable = ({ printsNames = false, sharesPrototype = false } = {}) => ({
  known: new Map(),
  printsNames,
  ...(sharesPrototype && { shared: makeSharedPrototype() }),
});

/** Prototype of all presences of the vat that runs; undefined if it is that of their interface. */
export const findSharedPrototype = () => interfaces.shared;

/**
 * Remotables that are made from now on belong to the vat whose table this is.
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
