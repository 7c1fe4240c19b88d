// The class `Compartment` of vats: that of SES, but that whatever is evaluated in its instances, by any way, goes through
// `guardSource`, and so does what is evaluated in compartments that are made in them.
//
// SES runs transforms in each compartment that it is given, and gives a vat ways around them: an own class of compartments in
// each compartment, which knows of no transforms, and an option of `evaluate` that leaves them out. So a vat never holds a
// class of SES, nor a compartment whose methods are those of SES.

/** @typedef {(text: string) => string} Transform */

/** @param {any} value @returns {value is Record<PropertyKey, any>} */
const isObject = value => typeof value === 'object' && value !== null;

/**
 * Own properties, read once: SES assigns them to the global object. `__proto__` would give that a prototype of the vat's
 * making, whose setters see the class of SES; and that class is looked up there when SES has returned.
 *
 * @param {unknown} given
 */
const copyGlobals = given => {
  const copy = { __proto__: null, .../** @type {object} */ (given) };
  Reflect.deleteProperty(copy, '__proto__');
  Reflect.deleteProperty(copy, 'Compartment');
  return copy;
};

/** @param {unknown} given  transforms of a vat's own; SES runs them in their order @param {Transform} guard */
const withGuard = (given, guard) =>
  // Last, so that it sees what they have made of a text.
  [...(given === undefined ? [] : /** @type {Iterable<Transform>} */ (given)), guard];

/**
 * The arguments of `new Compartment`, in either of the two forms that SES takes, with the guard among them.
 *
 * @param {unknown[]} args
 * @param {Transform} guard
 */
const guardArguments = (args, guard) => {
  const [first, modules = {}, third = {}] = args;
  // One of `transforms` would not do: SES applies those to modules no more.
  if (args.length === 1 && isObject(first) && '__options__' in first) {
    const options = { ...first };
    const { globals, __shimTransforms__: shims } = options;
    return [
      { ...options, globals: copyGlobals(globals), __shimTransforms__: withGuard(shims, guard) },
    ];
  }
  const options = { .../** @type {Record<string, unknown>} */ (third) };
  const { __shimTransforms__: shims } = options;
  return [copyGlobals(first), modules, { ...options, __shimTransforms__: withGuard(shims, guard) }];
};

/** Copies the options of `evaluate`, without the one that makes SES skip a compartment's transforms. @param {unknown} given */
const copyEvaluateOptions = given => {
  const { __moduleShimLexicals__: _, ...options } = /** @type {Record<string, unknown>} */ (
    given ?? {}
  );
  return options;
};

/**
 * The methods of vats' compartments. One for all, made when the first is needed: the realm is locked down by then.
 *
 * @type {object | undefined}
 */
let sharedPrototype;

const provideSharedPrototype = () => {
  if (sharedPrototype !== undefined) return sharedPrototype;
  const { evaluate } = Compartment.prototype;
  const methods = {
    /** @param {any} source @param {unknown} [options] */
    evaluate(source, options) {
      return Reflect.apply(evaluate, this, [source, copyEvaluateOptions(options)]);
    },
  };
  function InertCompartment() {
    throw TypeError('Compartment.prototype.constructor is not a constructor');
  }
  const given = Object.getOwnPropertyDescriptors(Compartment.prototype);
  const hidden = { enumerable: false, configurable: true, writable: true };
  const prototype = Object.create(Object.prototype, {
    ...given,
    evaluate: { value: methods.evaluate, ...hidden },
    constructor: { value: InertCompartment, ...hidden },
  });
  Object.defineProperties(InertCompartment, {
    name: { value: 'Compartment' },
    prototype: { value: prototype },
  });
  sharedPrototype = harden(prototype);
  return sharedPrototype;
};

/** @param {any} compartment  made by SES, with a prototype that may be a vat's */
const globalsOf = compartment => {
  const { get } = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(provideSharedPrototype(), 'globalThis')
  );
  return Reflect.apply(/** @type {() => any} */ (get), compartment, []);
};

/** The globals that SES puts into every compartment. @type {Record<PropertyKey, any> | undefined} */
let intrinsics;
const provideIntrinsics = () => {
  // Some that are shared are not those of the host's own global object.
  intrinsics ??= new Compartment().globalThis;
  return intrinsics;
};

/**
 * Replaces those globals of SES in a compartment for which vats have their own. Globals that the vat itself gave stay: they
 * cannot have been SES's.
 *
 * @param {Record<PropertyKey, any>} globals
 * @param {PropertyDescriptorMap} inherited
 */
const replaceIntrinsics = (globals, inherited) => {
  const given = provideIntrinsics();
  for (const name of Reflect.ownKeys(inherited)) {
    const isOwn = Object.hasOwn(globals, name) && globals[name] !== given[name];
    // A vat cannot override globals that are not writable.
    if (!isOwn || inherited[name].writable === false)
      Object.defineProperty(globals, name, inherited[name]);
  }
};

/**
 * Put the guarded class in the place of SES's in a new compartment, in which nothing has run yet.
 *
 * @param {Record<string, any>} globals  of the compartment
 * @param {Transform} guard  throws for what must not be evaluated
 * @param {PropertyDescriptorMap} inherited  globals that each compartment has which is made in it, instead of SES's
 */
export const guardGlobals = (globals, guard, inherited) => {
  const Inner = globals.Compartment;
  /** @param {unknown[]} args */
  function GuardedCompartment(...args) {
    if (new.target === undefined) throw TypeError('Compartment is called with new');
    const made = Reflect.construct(Inner, guardArguments(args, guard), new.target);
    const innerGlobals = globalsOf(made);
    replaceIntrinsics(innerGlobals, inherited);
    // It was called long ago.
    Reflect.deleteProperty(innerGlobals, 'lockdown');
    guardGlobals(innerGlobals, guard, inherited);
    return made;
  }
  Object.defineProperties(GuardedCompartment, {
    name: { value: 'Compartment' },
    prototype: { value: provideSharedPrototype(), writable: false },
  });
  const value = harden(GuardedCompartment);
  Object.defineProperty(globals, 'Compartment', {
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
};
