// Who contains what is made: a reactor or one of its modes, given as the first argument of every constructor.

import { UserError } from '#model';
import { describe } from './node.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */

/**
 * @param {any} container  a reactor, or a mode of one
 * @param {string} what
 * @returns {{ node: ReactorNode, mode: Mode | null }}
 */
export const insistContainer = (container, what) => {
  const { node } = container ?? {};
  if (node === undefined || node === null) {
    throw new UserError(
      `${what}: its container is ${describe(container)}; give the reactor (or the mode) that it belongs to, mostly "this"`,
    );
  }
  return { node, mode: container === node.reactor ? null : container };
};

/**
 * Ports, actions and the like are part of a reactor's class; once it runs, only reactors and connections may be made.
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
