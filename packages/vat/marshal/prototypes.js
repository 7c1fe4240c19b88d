// The prototypes of remotables: an object of the library's form, which says that the object passes by reference and
// under which interface. The library makes one for each object; here all objects of an interface share one, since an
// engine gives each prototype's objects a hidden class of their own: with 30 prototypes a round, everything that looked
// at references was slow to do so, a presence took 1.8 us to make instead of 0.1, and each held a kilobyte.
//
// Nobody can tell what others do from it. A prototype is frozen, it is shared for as long as any object has it, in
// whatever vat, and when none has it there is nothing left to compare the next one with.

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

/** An interface that is in use. */
class Known {
  /**
   * @param {string} iface
   * @param {object} prototype
   */
  constructor(iface, prototype) {
    this.iface = intern(iface);
    this.ref = new WeakRef(prototype);
  }
}

/** @type {Map<string, Known>} by interface */
const prototypes = new Map();

/** Interfaces that nobody uses any more are looked for when there are so many. */
const fewInterfaces = 1_000;

let most = fewInterfaces;

const sweep = () => {
  for (const [iface, { ref }] of prototypes)
    if (ref.deref() === undefined) prototypes.delete(iface);
  most = Math.max(fewInterfaces, 2 * prototypes.size);
};

/**
 * @param {string} iface
 * @returns {object}
 */
export const providePrototype = iface => {
  const known = prototypes.get(iface)?.ref.deref();
  if (known !== undefined) return known;
  const made = freeze(
    create(objectPrototype, {
      [PASS_STYLE]: { value: 'remotable' },
      [toStringTag]: { value: iface },
    }),
  );
  if (prototypes.size >= most) sweep();
  const entry = new Known(iface, made);
  prototypes.set(entry.iface, entry);
  return made;
};

/**
 * The same text, as the engine finds it soonest.
 *
 * @param {string} iface
 */
export const shareInterface = iface => prototypes.get(iface)?.iface ?? intern(iface);

/** Longer texts, which vats may make as they like, are in no table of texts that were seen. */
export const longestKept = 100;
