// The triggers that every reactor has: startup, shutdown, reset.

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

  isPresent() {
    return this.slot.present;
  }
}

/** Those of a reactor or of one of its modes that have reactions. */
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
