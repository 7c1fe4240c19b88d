// The triggers that every reactor has: startup, shutdown, reset.

import { UserError } from '#model';

/** @import { ReactorNode } from './node.js' */
/** @import { Slot } from './slot.js' */
/** @import { Mode } from './mode.js' */

export class BuiltIn {
  /**
   * @param {ReactorNode} node
   * @param {Mode | null} mode  the mode whose startup, shutdown or reset it is
   * @param {'startup' | 'shutdown' | 'reset'} kind
   */
  constructor(node, mode, kind) {
    this.node = node;
    this.mode = mode;
    this.kind = kind;
    /** @type {Slot} */
    this.slot = /** @type {any} */ (null);
  }

  get path() {
    return `${this.node.path}.${this.kind}`;
  }

  /** @throws {UserError} in a reaction that did not declare it */
  isPresent() {
    // The reaction's mode has a trigger of its own, apart from the reactor's.
    const running = this.node.region?.running ?? null;
    const own =
      running === null || running.node !== this.node || running.mode === this.mode
        ? this
        : builtInOf(this.node, running.mode, this.kind);
    if (running !== null && !running.declaresEvent(own)) {
      throw new UserError(
        `${running.path} reads ${this.path}, which it did not declare; add it to the triggers or sources of the reaction`,
      );
    }
    return own.slot?.present === true;
  }
}

/** The built-in triggers of a reactor, or of one of its modes, that have reactions. */
export class BuiltIns {
  constructor() {
    /** @type {BuiltIn | null} */
    this.startup = null;
    /** @type {BuiltIn | null} */
    this.shutdown = null;
    /** @type {BuiltIn | null} */
    this.reset = null;
  }

  /** @returns {BuiltIn[]} */
  all() {
    return /** @type {any[]} */ ([this.startup, this.shutdown, this.reset]).filter(b => b !== null);
  }
}

/**
 * The startup, shutdown or reset of a reactor, or of one of its modes.
 *
 * @param {ReactorNode} node
 * @param {Mode | null} mode
 * @param {'startup' | 'shutdown' | 'reset'} kind
 */
export const builtInOf = (node, mode, kind) => {
  const builtIns = mode === null ? node.builtIns : mode.builtIns;
  builtIns[kind] ??= new BuiltIn(node, mode, kind);
  return builtIns[kind];
};
