// `Math` for vats: constants and functions whose results the language fixes are the engine's, all others are ours
// (functions.js). It has what Node 20's has, whatever the engine has beside that.

import { functions } from './functions.js';

/** In the order of Node 20's. */
const names = [
  ...['abs', 'acos', 'acosh', 'asin', 'asinh', 'atan', 'atanh', 'atan2', 'ceil', 'cbrt', 'expm1'],
  ...['clz32', 'cos', 'cosh', 'exp', 'floor', 'fround', 'hypot', 'imul', 'log', 'log1p', 'log2'],
  ...['log10', 'max', 'min', 'pow', 'round', 'sign', 'sin', 'sinh', 'sqrt', 'tan', 'tanh', 'trunc'],
  ...['E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2', 'random'],
  // These are the engine's. `hypot` consists of divisions, multiplications, additions and a root, and V8 writes it in a
  // language whose compiler does not fuse them.
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
 * One for all vats: it has no state.
 *
 * @returns {typeof Math}
 */
export const provideVatMath = () => {
  if (vatMath !== undefined) return vatMath;
  // That of compartments is without chance.
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
