// The base of classes that mark objects. A private field is cheaper than a weak map (docs/v8-in-a-locked-down-realm.md),
// and no code outside of the subclass can see it.

/** A constructor that returns its argument, so that a subclass adds its private field to it. */
export class Stamped {
  /** @param {object} object  extensible */
  constructor(object) {
    return object;
  }
}
