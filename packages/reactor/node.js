// The runtime's record of a reactor, separate from the object that its author wrote: its container, and its parts in
// the order in which they were made.

import { UserError, quote, withArticle } from '#model';
import { BuiltIns } from './built-in.js';
import { readOwn } from './names.js';

/** @import { Reactor } from './reactor.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */
/** @import { Mode, ModeTransition } from './mode.js' */
/** @import { Connection } from './connect.js' */
/** @import { Port } from './port.js' */
/** @import { AnyPort } from './port.js' */
/** @import { MultiPort } from './multiport.js' */
/** @import { Action } from './action.js' */
/** @import { Timer } from './timer.js' */
/** @import { Watchdog } from './watchdog.js' */
/** @import { State } from './state.js' */
/** @import { Transient } from './transient.js' */
/** @import { Outlet } from './outlet.js' */
/** @import { Slot } from './slot.js' */

/** Ports with one channel, or some. @typedef {Map<AnyPort, number | Set<number>>} Ends */

/** Names of a path that an error shows, an even number; the middle of a longer path is left out. */
const mostNames = 32;

/**
 * Depth of nested reactors, at most: walks use the engine's stack, whose size differs between engines.
 */
const deepest = 500;

export class ReactorNode {
  /**
   * @param {Reactor} reactor
   * @param {ReactorNode | null} parent
   * @param {Mode | null} mode  of the parent
   * @param {number} bankIndex  -1 outside a bank
   */
  constructor(reactor, parent, mode, bankIndex) {
    this.reactor = reactor;
    this.parent = parent;
    this.mode = mode;
    this.bankIndex = bankIndex;
    /** Reactors that it lies in. @type {number} */
    this.depth = depthIn(parent);
    if (this.depth > deepest) {
      throw new UserError(
        `${reactor.constructor.name}: reactors lie in each other at most ${deepest} deep; this one would be deeper`,
      );
    }
    /** @type {Region | null} null until it is assembled */
    this.region = null;
    this.isRemoved = false;
    /** @type {ReactorNode[]} in the order of `place` */
    this.children = [];
    /** Its place among those of its container, counted also after some were removed. */
    this.place = 0;
    /** Reactors that it ever contained. */
    this.places = 0;
    /**
     * Channels to which its connections lead, or once led, by the port and channel from which they lead; null until they are
     * looked for.
     *
     * @type {Map<AnyPort, Map<number, Ends>> | null}
     */
    this.targets = null;
    /** @type {(Port<any> | MultiPort<any>)[]} */
    this.ports = [];
    /** @type {Reaction[]} mutations first, then in lexical order */
    this.reactions = [];
    /** @type {(Action<any> | Timer | Watchdog)[]} */
    this.triggers = [];
    /** @type {Connection[]} */
    this.connections = [];
    /** @type {Set<Outlet>} outlets of its connections, in the order in which they were made */
    this.outlets = new Set();
    /** @type {Mode[]} */
    this.modes = [];
    /** @type {State<any>[]} */
    this.states = [];
    /** @type {Transient[]} */
    this.transients = [];
    /** @type {BuiltIns} built-in triggers outside of modes */
    this.builtIns = new BuiltIns();
    /** Whether it has been started. */
    this.started = false;
    /** @type {ModeTransition | null} to be carried out when the tag ends */
    this.transition = null;
  }

  /** @param {ReactorNode} child  contained from now on */
  addChild(child) {
    child.place = this.places;
    this.places += 1;
    this.children.push(child);
  }

  /**
   * Its name within a program: `filter.stages[2]`; the main reactor's is the name of its class.
   *
   * @returns {string}
   */
  get path() {
    if (this.#isMain()) return this.reactor.constructor.name || 'main';
    // From inside out, in a loop, not a recursion.
    /** @type {string[]} */
    const names = [];
    /** @type {ReactorNode} */
    let node = this;
    while (!node.#isMain()) {
      const { parent } = node;
      if (parent === null) {
        const transient = /** @type {Transient} */ (/** @type {Region} */ (node.region).transient);
        names.push(transient.ownName);
        node = transient.node;
      } else {
        names.push(findField(parent.reactor, node.reactor) ?? node.reactor.constructor.name);
        node = parent;
      }
    }
    const { length } = names;
    if (length > mostNames)
      names.splice(mostNames / 2, length - mostNames, `(${length - mostNames} more)`);
    return names.reverse().join('.');
  }

  #isMain() {
    return this.parent === null && !this.region?.transient;
  }

  /**
   * The innermost mode that contains it, of any reactor.
   *
   * @returns {Mode | null}
   */
  get enclosing() {
    return this.mode ?? this.parent?.enclosing ?? null;
  }

  /**
   * The name of something that it contains.
   *
   * @param {object} component
   * @param {string} [otherwise]  if it is in no field
   * @returns {string}
   */
  pathOf(component, otherwise = component.constructor.name) {
    const name = this.nameOf(component, otherwise);
    return this.#isMain() ? name : `${this.path}.${name}`;
  }

  /**
   * @param {object} component
   * @param {string} otherwise
   * @returns {string}
   */
  nameOf(component, otherwise) {
    return findField(this.reactor, component) ?? otherwise;
  }

  /**
   * The slots of its timers, actions, watchdogs, built-in triggers and delayed connections: those with events.
   *
   * @returns {Generator<Slot>}
   */
  *eventSlots() {
    for (const { slot } of this.triggers) yield slot;
    for (const { builtIns } of [this, ...this.modes])
      for (const { slot } of builtIns.all()) yield slot;
    for (const { slot } of this.outlets) if (slot !== null) yield slot;
  }

  /**
   * It, and all that it contains at any depth, containers first.
   *
   * @returns {ReactorNode[]}
   */
  subtree() {
    /** @type {ReactorNode[]} */
    const nodes = [this];
    for (let i = 0; i < nodes.length; i += 1) {
      for (const child of nodes[i].children) nodes.push(child);
    }
    return nodes;
  }
}

/** An array, or the members of a bank. @param {any} value */
const listOf = value => {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? value : readOwn(value, 'members');
};

/**
 * @param {object} holder
 * @param {object} sought
 */
const findField = (holder, sought) => {
  for (const name of Object.keys(holder)) {
    const value = readOwn(holder, name);
    if (value === sought) return name;
    const list = listOf(value);
    if (Array.isArray(list)) {
      const found = findInList(list, sought);
      if (found !== undefined) return `${name}${found}`;
    }
  }
  return undefined;
};

/**
 * @param {any[]} list
 * @param {object} sought
 * @returns {string | undefined}
 */
const findInList = (list, sought) => {
  for (let i = 0; i < list.length; i += 1) {
    const item = readOwn(list, i);
    if (item === sought) return `[${i}]`;
    const inner = listOf(item);
    const found = Array.isArray(inner) ? findInList(inner, sought) : undefined;
    if (found !== undefined) return `[${i}]${found}`;
  }
  return undefined;
};

/**
 * How an error message shows a value that is no component.
 *
 * @param {any} value
 */
export const describe = value => {
  if (value === null || value === undefined) return String(value);
  if (typeof value?.path === 'string') return value.path;
  if (typeof value === 'object' || typeof value === 'function') {
    const { name } = Object(value.constructor);
    return withArticle(typeof name === 'string' && name !== '' ? name : typeof value);
  }
  return quote(value);
};

/** @param {ReactorNode | null} parent */
const depthIn = parent => (parent === null ? 0 : parent.depth + 1);
