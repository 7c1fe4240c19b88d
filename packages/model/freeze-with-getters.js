// A frozen object made of a literal with getters. V8 keeps such a literal as a dictionary, in which each look-up takes 25
// ns, and code that uses it is not inlined. An object to which getters are added afterwards is kept as any other, as long
// as there is one of its kind: a second one has other getters in the same place, and is a dictionary again.

/**
 * @template {object} T
 * @param {T} literal
 * @returns {Readonly<T>}
 */
export const freezeWithGetters = literal =>
  Object.freeze(
    Object.defineProperties(/** @type {T} */ ({}), Object.getOwnPropertyDescriptors(literal)),
  );
