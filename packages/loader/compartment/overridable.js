// Makes frozen prototypes whose properties can still be overridden by assignment on inheriting objects, as lockdown
// does for the language's own (`overrideTaming`): `Mine.prototype.constructor = Mine` works.

/**
 * @param {string} name
 * @param {unknown} value
 * @param {object} owner
 * @returns {PropertyDescriptor}
 */
const makeOverridable = (name, value, owner) => {
  // A getter hides the value from `harden`, so freeze it here. The constructor is a global, which is hardened.
  if (name !== 'constructor') Object.freeze(value);
  const methods = {
    /** @this {unknown} */
    get() {
      return value;
    },
    /** @this {unknown} @param {unknown} given */
    set(given) {
      if (Object(this) !== this || this === owner)
        throw TypeError(`Cannot assign to the property ${name} of what all share`);
      const object = /** @type {Record<string, unknown>} */ (this);
      if (Object.hasOwn(object, name)) object[name] = given;
      else
        Object.defineProperty(object, name, {
          value: given,
          writable: true,
          enumerable: true,
          configurable: true,
        });
    },
  };
  return { get: methods.get, set: methods.set, enumerable: false, configurable: false };
};

/**
 * Make the prototype of a class: methods and `constructor` as properties that can be overridden by assignment. Accessors
 * stay as they are.
 *
 * @param {Function} constructor
 * @param {object} parent  the prototype's prototype
 * @param {PropertyDescriptorMap} properties  of the prototype, without `constructor`
 */
export const addPrototype = (constructor, parent, properties) => {
  const prototype = Object.create(parent);
  /** @type {PropertyDescriptorMap} */
  const all = {
    constructor: { value: constructor },
    ...properties,
  };
  for (const key of Reflect.ownKeys(all)) {
    const { value, get, set } = all[/** @type {string} */ (key)];
    // A prototype that carries one is not the place where it is assigned to.
    const isPlain = get === undefined && set === undefined;
    Object.defineProperty(
      prototype,
      key,
      isPlain && typeof key === 'string'
        ? makeOverridable(key, value, prototype)
        : { ...(isPlain ? { value } : { get, set }), enumerable: false, configurable: false },
    );
  }
  Object.defineProperty(constructor, 'prototype', {
    value: prototype,
    writable: false,
    enumerable: false,
    configurable: false,
  });
};
