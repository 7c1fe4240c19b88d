// Makes a frozen object from a literal with getters. V8 keeps such a literal as a dictionary, in which look-ups are
// slow, and does not inline code that uses it (docs/v8-in-a-locked-down-realm.md). An object that gets its getters
// afterwards is not a dictionary, as long as it is the only one of its kind: a second one has other getters in the same
// places, and is a dictionary again.

/**
 * @template {object} T
 * @param {T} literal
 * @returns {Readonly<T>}
 */
export const freezeWithGetters = literal =>
  Object.freeze(
    Object.defineProperties(/** @type {T} */ ({}), Object.getOwnPropertyDescriptors(literal)),
  );
