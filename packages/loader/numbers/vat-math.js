// `Math` for vats: constants and functions whose results the language fixes are the engine's, all others are ours
// (functions.js). It has the properties of Node 20's `Math`, and none of newer engines.

import { functions } from './functions.js';

/** The properties, in Node 20's order. */
const names = [
  ...['abs', 'acos', 'acosh', 'asin', 'asinh', 'atan', 'atanh', 'atan2', 'ceil', 'cbrt', 'expm1'],
  ...['clz32', 'cos', 'cosh', 'exp', 'floor', 'fround', 'hypot', 'imul', 'log', 'log1p', 'log2'],
  ...['log10', 'max', 'min', 'pow', 'round', 'sign', 'sin', 'sinh', 'sqrt', 'tan', 'tanh', 'trunc'],
  ...['E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2', 'random'],
  // Functions that functions.js lacks are the engine's. `hypot` consists of divisions, multiplications, additions and a
  // root, and V8 compiles it without fusing them.
];

/** @param {string} name @param {(x: number, y: number) => number} compute */
const makeFunction = (name, compute) => {
  const { [name]: one } = { [name]: (/** @type {any} */ x) => compute(+x, 0) };
  const { [name]: two } = {
    [name]: (/** @type {any} */ x, /** @type {any} */ y) => compute(+x, +y),
  };
  return compute.length === 2 ? two : one;
};

/** @type {typeof Math | undefined} */
let vatMath;

/**
 * All vats share it, since it has no state.
 *
 * @returns {typeof Math}
 */
export const provideVatMath = () => {
  if (vatMath !== undefined) return vatMath;
  // The `Math` of compartments lacks the engine's `random`.
  const engineMath = new Compartment().globalThis.Math;
  /** @type {PropertyDescriptorMap} */
  const properties = {};
  for (const name of names) {
    const compute = functions[name];
    const value = compute === undefined ? engineMath[name] : makeFunction(name, compute);
    const isConstant = typeof value === 'number';
    properties[name] = {
      value,
      writable: !isConstant,
      enumerable: false,
      configurable: !isConstant,
    };
  }
  vatMath = harden(
    Object.defineProperty(Object.create(Object.prototype, properties), Symbol.toStringTag, {
      value: 'Math',
    }),
  );
  return /** @type {typeof Math} */ (vatMath);
};
