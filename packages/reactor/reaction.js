// Reactions: code that a reactor runs when one of its declared triggers is present. The ports that it reads and writes
// are declared too, and the order of reactions follows from that.

import { UserError, formatTag, tellThrown } from '#model';
import { Action } from './action.js';
import { BuiltIn, builtInOf } from './built-in.js';
import { changeDeadlines } from './graph.js';
import { describe } from './node.js';
import { flat } from './flat.js';
import { Channel, MultiPort } from './multiport.js';
import { insistOptions } from './options.js';
import { Port } from './port.js';
import { Mode, ModeTransition } from './mode.js';
import { Timer } from './timer.js';
import { duration } from './time.js';
import { ResultPort, Transient } from './transient.js';
import { Watchdog } from './watchdog.js';

/** @import { ReactorNode } from './node.js' */
/** @import { AnyPort } from './port.js' */
/** @import { Duration } from './time.js' */
/** @import { Level } from '#schedule' */

/**
 * @typedef {object} ReactionOptions
 * @property {any} triggers  ports, actions, timers, `this.startup` and the like: one, or a list, which may be nested
 * @property {any} [sources]  ports that are read without triggering
 * @property {any} [effects]  ports that are written, actions that are scheduled, modes that are entered, transient
 *   children that are spawned
 * @property {Duration} [deadline]  if physical time is ahead of the tag by more than this, `late` runs instead; 0 is
 *   always late
 * @property {(this: any) => void} [late]  without it a late reaction does nothing
 */

/** The names in `ReactionOptions`. */
const reactionOptions = Object.freeze({
  triggers: 'value',
  sources: 'value',
  effects: 'value',
  deadline: 'value',
  late: 'value',
  mode: 'value',
});

/** All channels of a port, or these. @typedef {Map<any, Set<number> | null>} Ports */

const nothing = Object.freeze(() => {});

/** @typedef {(...args: any[]) => void} Body  its result is ignored, except that a promise is an error */

/**
 * A reaction of a reactor, made by `this.reaction()` and `this.mutation()`: it runs once at a tag at which one of its
 * triggers is present, after all reactions on which it depends.
 */
export class Reaction {
  /**
   * @param {ReactorNode} node
   * @param {Mode | null} mode
   * @param {boolean} isMutation
   * @param {ReactionOptions & { mode?: Mode }} options
   * @param {Body} body
   */
  constructor(node, mode, isMutation, options, body) {
    insistOptions(options, reactionOptions, () => `${node.path}: a reaction`);
    this.node = node;
    this.reactor = node.reactor;
    this.mode = mode;
    this.isMutation = isMutation;
    this.body = body;
    this.late = options.late ?? nothing;
    this.deadlineNs =
      options.deadline === undefined
        ? Infinity
        : duration(options.deadline, () => `${node.path}: the deadline of a reaction`);
    this.hasDeadline = options.deadline !== undefined;
    /** @type {Level<Reaction>} */
    this.level = /** @type {any} */ (null);
    /** Length of the longest path to it. */
    this.depth = 0;
    this.stage = 0;
    /** The earliest deadline of it and all that depends on it. */
    this.inheritedNs = this.deadlineNs;
    this.queued = false;
    /** The port that it wrote last, in any channel, cached. @type {AnyPort | null} */
    this.writtenPort = null;
    this.active = true;
    /** @type {Reaction | null} */
    this.next = null;
    /** @type {Reaction | null} */
    this.previous = null;
    /** @type {Reaction[]} reactions of the same reactor directly before it */
    this.after = [];
    /** @type {Reaction[]} reactions of the same reactor directly after it */
    this.before = [];
    /** @type {Ports} */
    this.triggers = new Map();
    /** @type {Ports} triggers and sources */
    this.reads = new Map();
    /** @type {Ports} ports, and actions, modes and transient children, which have no channels */
    this.writes = new Map();
    /** @type {(Action<any> | Timer | Watchdog | BuiltIn)[]} */
    this.events = [];
    /** Sources that it reads without being triggered by them. @type {(Action<any> | Timer | Watchdog | BuiltIn)[]} */
    this.eventSources = [];
    insistBody(this, body);
    if (this.late !== nothing) insistBody(this, this.late);
    if (options.late !== undefined && !this.hasDeadline) {
      throw new UserError(
        `${this.path}: it has "late" and no "deadline", so "late" would never run; give a deadline`,
      );
    }
    if (options.triggers === undefined) {
      throw new UserError(
        'triggers' in options
          ? `${this.path}: its triggers are undefined; fields are made in order, so make what triggers it first`
          : `${this.path}: it has no triggers, so it would never run; name what it reacts to, or write "triggers: []"`,
      );
    }
    for (const item of flat(options.triggers)) this.#addTrigger(item);
    for (const item of flat(options.sources)) this.#addSource(item);
    for (const item of flat(options.effects)) this.#addEffect(item);
  }

  /** The name of the reaction in error messages: its reactor's path, and its field or its place. @returns {string} */
  get path() {
    const kind = this.isMutation ? 'm' : 'r';
    const alike = this.node.reactions.filter(({ isMutation }) => isMutation === this.isMutation);
    const at = alike.indexOf(this);
    return this.node.pathOf(this, `${kind}${at < 0 ? alike.length : at}`);
  }

  /**
   * Whether it may read an action, a timer, or a trigger such as startup.
   *
   * @param {any} event
   * @returns {boolean}
   */
  declaresEvent(event) {
    return (
      this.events.includes(event) || this.eventSources.includes(event) || this.writes.has(event)
    );
  }

  /**
   * Changes the deadline, like Lingua Franca's `lf_update_deadline` and reactor-ts.
   *
   * @param {Duration} deadline
   */
  setDeadline(deadline) {
    this.deadlineNs = duration(deadline, () => `the deadline of ${this.path}`);
    this.hasDeadline = true;
    if (this.level !== null) changeDeadlines(this.node);
  }

  /**
   * The error of a program whose reaction threw.
   *
   * @param {unknown} error
   * @returns {UserError} with the reaction's path and the tag
   */
  explain(error) {
    const { timeNs, microstep } = /** @type {import('./region.js').Region} */ (this.node.region)
      .scheduler;
    const when = formatTag({ timeNs, microstep });
    return new UserError(`${this.path} failed at ${when}: ${tellThrown(error)}`, {
      exitCode: 1,
      cause: error,
    });
  }

  /** @param {any} item */
  #addTrigger(item) {
    insistMode(this, item, 'trigger');
    if (isEvent(item)) {
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
    insistMode(this, item, 'source');
    if (isEvent(item)) {
      this.#insistOwn(item, 'source');
      this.eventSources.push(
        item instanceof BuiltIn ? builtInOf(this.node, this.mode, item.kind) : item,
      );
      return;
    }
    // Its own output may be read too, for the value that an earlier reaction wrote at this tag.
    const port = item instanceof Channel ? item.port : item;
    const isOwnOutput = isPort(port) && port.node === this.node && !port.isInput;
    if (!isOwnOutput) this.#insistReadable(item, 'source');
    addPort(this.reads, item);
  }

  /** @param {any} item */
  #addEffect(item) {
    insistMode(this, item, 'effect');
    if (
      item instanceof Action ||
      item instanceof Watchdog ||
      item instanceof ModeTransition ||
      item instanceof Transient
    ) {
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
    if (item instanceof Mode) {
      throw new UserError(
        `${this.path}: effect ${item.path} is a mode, which can be entered in two ways; name ${item.path}.reset or ` +
          `${item.path}.history, and enter it by its set()`,
      );
    }
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

/** Kinds of functions that return before their work is done. */
const lateKinds = Object.freeze(['AsyncFunction', 'GeneratorFunction', 'AsyncGeneratorFunction']);

/**
 * @param {Reaction} reaction
 * @param {unknown} body
 */
const insistBody = (reaction, body) => {
  if (typeof body !== 'function') {
    throw new UserError(`${reaction.path}: its body is ${describe(body)}; give a function`);
  }
  const kind = Object.prototype.toString.call(body).slice('[object '.length, -1);
  if (!lateKinds.includes(kind)) return;
  throw new UserError(
    `${reaction.path}: its body is ${kind === 'AsyncFunction' ? 'async' : 'a generator'}; a reaction is over when its body ` +
      'returns, so give a plain function, and schedule a physical action when something is done later',
  );
};

/**
 * Checks the value that a body returned: nothing would wait for a promise.
 *
 * @param {Reaction} reaction
 * @param {any} result
 */
export const insistNoPromise = (reaction, result) => {
  if (result === null || (typeof result !== 'object' && typeof result !== 'function')) return;
  if (typeof result.then !== 'function') return;
  throw new UserError(
    `${reaction.path}: its body returned a promise; a reaction is over when its body returns, so nothing waits for it. ` +
      'Give a body that returns nothing, as "() => { … }" does',
  );
};

/** @type {(item: any) => boolean} */
const isEvent = item =>
  item instanceof Action ||
  item instanceof Timer ||
  item instanceof Watchdog ||
  item instanceof BuiltIn;

/** @type {(item: any) => boolean} */
const isPort = item => item instanceof Port || item instanceof MultiPort;

/**
 * Checks that a reaction of a mode uses no part of another one, as in Lingua Franca, where it has no name for it.
 *
 * @param {Reaction} reaction
 * @param {any} item
 * @param {string} role
 */
const insistMode = (reaction, item, role) => {
  const { node, mode } = reaction;
  const other = modeOf(item, node);
  if (other === null || mode === null || mode === other) return;
  throw new UserError(
    `${reaction.path}: it is in ${mode.path}, and its ${role} ${item.path} in ${other.path}; modes are not active together, so a ` +
      'reaction uses what lies in its own mode or in none',
  );
};

/**
 * The mode of a reactor in which a part lies, or the contained reactor of a port.
 *
 * @param {any} item  anything that a person may name
 * @param {ReactorNode} node
 * @returns {Mode | null}
 */
const modeOf = (item, node) => {
  const port = item instanceof Channel ? item.port : item;
  if (isPort(port)) return port.node === node ? null : port.node.mode;
  const hasMode = item instanceof Transient || (isEvent(item) && !(item instanceof BuiltIn));
  return hasMode ? item.mode : null;
};

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
