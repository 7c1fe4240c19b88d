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

/** @type {Map<string, WeakRef<object>>} by interface */
const prototypes = new Map();

/** Interfaces that nobody uses any more are looked for when there are so many. */
const fewInterfaces = 1_000;

let most = fewInterfaces;

const sweep = () => {
  for (const [iface, ref] of prototypes) if (ref.deref() === undefined) prototypes.delete(iface);
  most = Math.max(fewInterfaces, 2 * prototypes.size);
};

/**
 * @param {string} iface
 * @returns {object}
 */
export const providePrototype = iface => {
  const known = prototypes.get(iface)?.deref();
  if (known !== undefined) return known;
  const made = freeze(
    create(objectPrototype, {
      [PASS_STYLE]: { value: 'remotable' },
      [toStringTag]: { value: iface },
    }),
  );
  if (prototypes.size >= most) sweep();
  prototypes.set(iface, new WeakRef(made));
  return made;
};
