// The class `Compartment` of vats. It is SES's, but every text that is evaluated in an instance, or in compartments
// made in it, goes through `guardSource`.
//
// SES applies transforms only in the compartment that was given them, and leaves two ways around them: each compartment
// has its own class of compartments, without transforms, and an option of `evaluate` skips them. So a vat never gets
// SES's class, nor a compartment with SES's methods.

import { KeptTexts } from './kept-texts.js';

/** @typedef {(text: string) => string} Transform */

/** @param {any} value @returns {value is Record<PropertyKey, any>} */
const isObject = value => typeof value === 'object' && value !== null;

/**
 * Copy own properties, each read once: SES assigns them to the global object. `__proto__` would set that object's
 * prototype to a vat's object, whose setters would see SES's class; `Compartment` would replace the class that is read
 * there afterwards.
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
  // The guard comes last, so that it sees the output of the vat's transforms.
  [...(given === undefined ? [] : /** @type {Iterable<Transform>} */ (given)), guard];

/**
 * Add the guard to the arguments of `new Compartment`, which have two forms in SES.
 *
 * @param {unknown[]} args
 * @param {Transform} guard
 */
const guardArguments = (args, guard) => {
  const [first, modules = {}, third = {}] = args;
  // SES does not apply `transforms` to modules, so this option is used.
  if (args.length === 1 && isObject(first) && '__options__' in first) {
    // SES looks for the mark among inherited properties too, which a copy of the own ones would lose.
    const { __options__, ...options } = first;
    const { globals, __shimTransforms__: shims } = options;
    const transforms = withGuard(shims, guard);
    return [
      { __options__, ...options, globals: copyGlobals(globals), __shimTransforms__: transforms },
    ];
  }
  const options = { .../** @type {Record<string, unknown>} */ (third) };
  const { __shimTransforms__: shims } = options;
  return [copyGlobals(first), modules, { ...options, __shimTransforms__: withGuard(shims, guard) }];
};

/** Copy the options of `evaluate` without the one that makes SES skip transforms. @param {unknown} given */
const copyEvaluateOptions = given => {
  const { __moduleShimLexicals__: _, ...options } = /** @type {Record<string, unknown>} */ (
    given ?? {}
  );
  return options;
};

/**
 * Texts that SES evaluated without options, and so found no direct `eval` in. This search takes longer than its others.
 *
 * @type {KeptTexts<true>}
 */
const searched = new KeptTexts();

/** The option of `evaluate` that keeps SES from searching. */
const withoutSearch = { __rejectSomeDirectEvalExpressions__: false };

/**
 * The prototype of all vats' compartments. It is made at first use, since the realm must be locked down.
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
      const copy = copyEvaluateOptions(options);
      const isPlain = typeof source === 'string' && Reflect.ownKeys(copy).length === 0;
      if (isPlain && searched.get(source))
        return Reflect.apply(evaluate, this, [source, withoutSearch]);
      const made = Reflect.apply(evaluate, this, [source, copy]);
      // SES refuses the text otherwise.
      if (isPlain) searched.keep(source, true, source.length);
      return made;
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
  // Some shared globals differ from those of the host's global object.
  intrinsics ??= new Compartment().globalThis;
  return intrinsics;
};

/**
 * Replace SES's globals in a compartment by the vats' own. Globals that the vat itself gave stay.
 *
 * @param {Record<PropertyKey, any>} globals
 * @param {PropertyDescriptorMap} inherited
 */
const replaceIntrinsics = (globals, inherited) => {
  const given = provideIntrinsics();
  for (const name of Reflect.ownKeys(inherited)) {
    const isOwn = Object.hasOwn(globals, name) && globals[name] !== given[name];
    // A vat may not override a global that is not writable.
    if (!isOwn || inherited[name].writable === false)
      Object.defineProperty(globals, name, inherited[name]);
  }
};

/**
 * Replace SES's class by the guarded one in a new compartment, before any code runs in it.
 *
 * @param {Record<string, any>} globals  of the compartment
 * @param {Transform} guard  throws for a text that must not be evaluated
 * @param {PropertyDescriptorMap} inherited  globals that replace SES's in each compartment made in it
 */
export const guardGlobals = (globals, guard, inherited) => {
  const Inner = globals.Compartment;
  /** @param {unknown[]} args */
  function GuardedCompartment(...args) {
    if (new.target === undefined) throw TypeError('Compartment is called with new');
    const made = Reflect.construct(Inner, guardArguments(args, guard), new.target);
    const innerGlobals = globalsOf(made);
    replaceIntrinsics(innerGlobals, inherited);
    // It was called before.
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
