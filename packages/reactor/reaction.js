// Reactions: what a reactor does when something that it declared as a trigger is present. What a reaction reads and
// writes is declared too, and the order of reactions follows from it.

import { UserError, formatTag } from '#model';
import { Action } from './action.js';
import { BuiltIn } from './built-in.js';
import { changeDeadlines } from './graph.js';
import { describe } from './node.js';
import { Channel, MultiPort } from './multiport.js';
import { Port } from './port.js';
import { ModeTransition } from './mode.js';
import { Timer } from './timer.js';
import { duration } from './time.js';
import { ResultPort, Transient } from './transient.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Duration } from './time.js' */
/** @import { Level } from '#schedule' */

/**
 * @typedef {object} ReactionOptions
 * @property {any} [triggers]  ports, actions, timers, `this.startup` and the like: one, or a list; lists may be nested
 * @property {any} [sources]  ports that are read without triggering
 * @property {any} [effects]  ports that are written, actions that are scheduled, modes that are entered, transient
 *   children that are spawned
 * @property {Duration} [deadline]  if physical time is ahead of the tag by more, `late` runs instead; 0 is always late
 * @property {(this: any) => void} [late]  without it a reaction that is late does nothing
 */

/** All channels of a port, or these. @typedef {Map<any, Set<number> | null>} Ports */

const nothing = Object.freeze(() => {});

/** @typedef {(...args: any[]) => void} Body */

export class Reaction {
  /**
   * @param {ReactorNode} node
   * @param {Mode | null} mode
   * @param {boolean} isMutation
   * @param {ReactionOptions} options
   * @param {Body} body
   */
  constructor(node, mode, isMutation, options, body) {
    this.node = node;
    this.reactor = node.reactor;
    this.mode = mode;
    this.isMutation = isMutation;
    this.body = body;
    this.late = options.late ?? nothing;
    this.deadlineNs =
      options.deadline === undefined
        ? Infinity
        : duration(options.deadline, `${node.path}: the deadline of a reaction`);
    this.hasDeadline = options.deadline !== undefined;
    /** @type {Level<Reaction>} */
    this.level = /** @type {any} */ (null);
    /** The longest path to it. */
    this.depth = 0;
    this.stage = 0;
    /** The earliest deadline of it and all that depends on it. */
    this.inheritedNs = this.deadlineNs;
    this.queued = false;
    this.active = true;
    /** @type {Reaction | null} */
    this.next = null;
    /** @type {Reaction[]} of the same reactor, directly before it */
    this.after = [];
    /** @type {Reaction[]} of the same reactor, directly behind it */
    this.before = [];
    /** @type {Ports} */
    this.triggers = new Map();
    /** @type {Ports} triggers and sources */
    this.reads = new Map();
    /** @type {Ports} also actions, modes and transient children, which have no channels */
    this.writes = new Map();
    /** @type {(Action<any> | Timer | BuiltIn)[]} */
    this.events = [];
    if (typeof body !== 'function') {
      throw new UserError(`${this.path}: its body is ${describe(body)}; give a function`);
    }
    for (const item of flat(options.triggers)) this.#addTrigger(item);
    for (const item of flat(options.sources)) this.#addSource(item);
    for (const item of flat(options.effects)) this.#addEffect(item);
  }

  get path() {
    const kind = this.isMutation ? 'm' : 'r';
    const alike = this.node.reactions.filter(({ isMutation }) => isMutation === this.isMutation);
    const at = alike.indexOf(this);
    return this.node.pathOf(this, `${kind}${at < 0 ? alike.length : at}`);
  }

  /**
   * Another deadline from now on, as Lingua Franca's `lf_update_deadline` and reactor-ts have it.
   *
   * @param {Duration} deadline
   */
  setDeadline(deadline) {
    this.deadlineNs = duration(deadline, `the deadline of ${this.path}`);
    this.hasDeadline = true;
    if (this.level !== null) changeDeadlines(this.node);
  }

  /**
   * The error of a program whose reaction threw.
   *
   * @param {unknown} error
   */
  explain(error) {
    const { timeNs, microstep } = /** @type {import('./region.js').Region} */ (this.node.region)
      .scheduler;
    const text = error instanceof Error ? error.message : String(error);
    return new UserError(`${this.path} failed at ${formatTag({ timeNs, microstep })}: ${text}`, {
      exitCode: 1,
      cause: error,
    });
  }

  /** @param {any} item */
  #addTrigger(item) {
    if (item instanceof Action || item instanceof Timer || item instanceof BuiltIn) {
      this.#insistOwn(item, 'trigger');
      const event = item instanceof BuiltIn ? builtInOf(this.node, this.mode, item.kind) : item;
      if (!this.events.includes(event)) this.events.push(event);
      return;
    }
    this.#insistReadable(item, 'trigger');
    addPort(this.triggers, item);
    addPort(this.reads, item);
  }

  /** @param {any} item */
  #addSource(item) {
    if (item instanceof Action || item instanceof Timer || item instanceof BuiltIn) {
      this.#insistOwn(item, 'source');
      return;
    }
    // An output of its own may be read too: what an earlier reaction wrote at this tag.
    const port = item instanceof Channel ? item.port : item;
    const isOwnOutput = isPort(port) && port.node === this.node && !port.isInput;
    if (!isOwnOutput) this.#insistReadable(item, 'source');
    addPort(this.reads, item);
  }

  /** @param {any} item */
  #addEffect(item) {
    if (item instanceof Action || item instanceof ModeTransition || item instanceof Transient) {
      this.#insistOwn(item, 'effect');
      this.writes.set(item, null);
      if (item instanceof Transient) for (const port of item.ports) addPort(this.writes, port);
      return;
    }
    const port = item instanceof Channel ? item.port : item;
    const isWritable =
      isPort(port) &&
      !(port instanceof ResultPort) &&
      (port.isInput ? port.node.parent === this.node : port.node === this.node);
    if (!isWritable) {
      throw new UserError(
        `${this.path}: effect ${describe(item)} is not one that it can have; a reaction writes outputs of its own ` +
          'reactor, inputs of directly contained ones, and its own actions and modes',
      );
    }
    addPort(this.writes, item);
  }

  /**
   * @param {any} item
   * @param {string} role
   */
  #insistReadable(item, role) {
    const port = item instanceof Channel ? item.port : item;
    const isReadable =
      isPort(port) && (port.isInput ? port.node === this.node : port.node.parent === this.node);
    if (isReadable || (port instanceof ResultPort && port.node === this.node)) return;
    throw new UserError(
      `${this.path}: ${role} ${describe(item)} is not one that it can have; a reaction reads inputs of its own reactor, ` +
        'outputs of directly contained ones, and its own actions and timers',
    );
  }

  /**
   * @param {{ node: ReactorNode, path: string }} item
   * @param {string} role
   */
  #insistOwn(item, role) {
    if (item.node === this.node) return;
    throw new UserError(
      `${this.path}: ${role} ${item.path} belongs to another reactor; actions, timers and modes are used in their own`,
    );
  }
}

/** @type {(item: any) => boolean} */
const isPort = item => item instanceof Port || item instanceof MultiPort;

/**
 * @param {Ports} ports
 * @param {any} item
 */
const addPort = (ports, item) => {
  if (!(item instanceof Channel)) {
    ports.set(item, null);
    return;
  }
  const known = ports.get(item.port);
  if (known === null) return;
  if (known === undefined) ports.set(item.port, new Set([item.index]));
  else known.add(item.index);
};

/**
 * @param {any} list  one, or a list of ones and lists
 * @returns {any[]}
 */
export const flat = list => (list === undefined ? [] : flatten(list));

/** @type {(list: any) => any[]} */
export const flatten = list => (Array.isArray(list) ? list.flatMap(flatten) : [list]);

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
