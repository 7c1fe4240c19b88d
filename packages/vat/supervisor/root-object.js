// Checks the root object of a vat of today.

import { findInterface, isMethodsOnly, rememberRemotable } from '../marshal/references.js';
import { passStyleOf } from '../marshal/index.js';
import { styleOf2020 } from '../marshal/qclass-style.js';

/**
 * @param {any} built  hardened
 * @param {boolean} lenient  whether it need not be declared `Far`
 * @throws {TypeError} if it cannot be a root object
 */
export const insistRoot = (built, lenient) => {
  if (findInterface(built) !== undefined || (lenient && isLenientRoot(built))) return;
  const what = describeRoot(built);
  throw TypeError(`buildRootObject returned ${what}; it must return Far(name, {methods})`);
};

/** @param {any} built  hardened, and no remotable */
const describeRoot = built => {
  if (built === undefined || built === null) return String(built);
  if (isMethodsOnly(built)) return 'an object of methods that is not declared';
  try {
    return `a ${passStyleOf(built)}`;
  } catch {
    return 'an object that cannot be passed';
  }
};

/**
 * Whether an object without an interface can be a root: any object that vats of 2020 passed by reference, including
 * instances of a class and objects without methods. Objects without methods pass as remotables from now on.
 *
 * @param {any} built  hardened
 */
const isLenientRoot = built => {
  try {
    if (styleOf2020(built) !== 'remotable') return false;
  } catch {
    return false;
  }
  if (!isMethodsOnly(built)) rememberRemotable(built, 'Alleged: root');
  return true;
};
