// Checks the container of a new part: a reactor or one of its modes, the first argument of every constructor.

import { UserError, quote } from '#model';
import { ReactorNode, describe } from './node.js';

/** @import { Mode } from './mode.js' */

/**
 * @param {any} container  a reactor, or a mode of one
 * @param {string} what
 * @returns {{ node: ReactorNode, mode: Mode | null }}
 */
export const insistContainer = (container, what) => {
  const { node } = container ?? {};
  const isContainer =
    node instanceof ReactorNode && (container === node.reactor || node.modes.includes(container));
  if (!isContainer) {
    throw new UserError(
      `${what}: its container is ${describe(container)}; give the reactor (or the mode) that it belongs to, mostly "this"`,
    );
  }
  return { node, mode: container === node.reactor ? null : container };
};

/**
 * Checks that a mode in an option is one of the reactor's own.
 *
 * @param {ReactorNode} node
 * @param {Mode | null} mode
 * @param {string} what
 */
export const insistOwnMode = (node, mode, what) => {
  if (mode === null || (mode.node === node && mode !== /** @type {any} */ (node.reactor))) return;
  throw new UserError(
    mode.node === undefined || mode === /** @type {any} */ (mode.node.reactor)
      ? `${node.path}: the mode of ${what} is ${describe(mode)}; give a mode of the reactor`
      : `${node.path}: ${what} is in ${mode.path}, a mode of another reactor`,
  );
};

/**
 * Checks that a reactor does not run yet: afterwards only reactors and connections may be added.
 *
 * @param {ReactorNode} node
 * @param {string} what
 */
export const insistUnassembled = (node, what) => {
  if (node.region !== null) {
    throw new UserError(
      `${node.path}: ${what} cannot be added while it runs; a reactor's own parts are made in its constructor`,
    );
  }
};

/**
 * Checks the class of which a bank or a transient place makes reactors.
 *
 * @param {unknown} type
 * @param {() => string} what  called for an error only, since a path takes time
 * @param {string} remedy
 */
export const insistClass = (type, what, remedy) => {
  if (typeof type === 'function' && type.prototype !== undefined) return;
  throw new UserError(`${what()} made from ${describe(type)}; ${remedy}`);
};

/**
 * Checks what such a class made, since the class itself does not show it.
 *
 * @param {any} made
 * @param {() => string} what  called for an error only, since a path takes time
 * @param {string} remedy
 */
export const insistReactor = (made, what, remedy) => {
  if (made?.node instanceof ReactorNode && made === made.node.reactor) return;
  throw new UserError(`${what()} ${describe(made)}, which is no reactor; ${remedy}`);
};

/** Channels of a multiport, and members of a bank, at most: more would be a mistake, and take all memory. */
const mostWide = 2 ** 20;

/**
 * @param {() => string} subject
 * @param {unknown} width
 */
export const insistWidth = (subject, width) => {
  const isWhole = typeof width === 'number' && Number.isSafeInteger(width) && width >= 0;
  if (isWhole && width <= mostWide) return;
  throw new UserError(
    isWhole
      ? `${subject()} width is at most ${mostWide}, got ${width}`
      : `${subject()} width is a whole number from 0, got ${quote(width)}${early(width)}`,
  );
};

/**
 * A hint for an undefined width.
 *
 * @param {unknown} width
 */
const early = width =>
  width === undefined
    ? "; fields are made before the constructor's body runs, so a part that depends on a parameter is made in the body"
    : '';
