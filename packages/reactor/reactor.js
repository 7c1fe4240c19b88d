// The class that reactors extend. Ports, actions, timers and reactions are fields of it:
//
//   class Doubler extends Reactor {
//     in = this.input();
//     out = this.output();
//     double = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(2 * this.in.get()));
//   }
//
// Fields are made in order, and reactions run in the order in which they were made.

import { UserError } from '#model';
import { Action } from './action.js';
import { Bank, takeBankIndex } from './bank.js';
import { builtInOf } from './built-in.js';
import { Connection } from './connect.js';
import { insistContainer, insistOwnMode, insistUnassembled } from './container.js';
import { Mode } from './mode.js';
import { connectRunning, deleteRunning, disconnectRunning, expectBirth } from './mutation.js';
import { InMultiPort, OutMultiPort } from './multiport.js';
import { ReactorNode, describe } from './node.js';
import { insistOptions } from './options.js';
import { InPort, OutPort } from './port.js';
import { flat } from './flat.js';
import { Reaction } from './reaction.js';
import { State } from './state.js';
import { Timer } from './timer.js';
import { Transient } from './transient.js';
import { makeUtil } from './util.js';
import { Watchdog } from './watchdog.js';

/** @import { ConnectOptions, Ends } from './connect.js' */
/** @import { Body, ReactionOptions } from './reaction.js' */
/** @import { Duration } from './time.js' */
/** @import { Policy } from './action.js' */

/**
 * @typedef {object} ActionOptions
 * @property {Duration} [minDelay]
 * @property {Duration} [minSpacing]
 * @property {Policy} [policy]
 */

const watchdogOptions = Object.freeze({ sources: 'value', effects: 'value', mode: 'value' });

const actionOptions = Object.freeze({
  minDelay: 'value',
  minSpacing: 'value',
  policy: 'value',
  mode: 'value',
});

/** @typedef {{ sources?: any, effects?: any, mode?: Mode }} WatchdogOptions  of its handler */

/**
 * The class that programs extend. Its parts are fields; reactions run in the order of the fields, each at most once at
 * a tag. Its methods declare parts, and throw a `UserError` if an argument is wrong or the program runs already.
 */
// eslint-disable-next-line house/max-class-lines -- the methods that authors call to declare parts, each some lines long
export class Reactor {
  /**
   * @param {any} [container]  the reactor or mode that contains it; null for a main reactor
   */
  constructor(container = null) {
    const { node: parent, mode } =
      container === null ? { node: null, mode: null } : insistContainer(container, new.target.name);
    const node = new ReactorNode(this, parent, mode, takeBankIndex());
    /**
     * The runtime's record of this reactor; not for authors.
     *
     * @type {ReactorNode}
     */
    this.node = node;
    Object.defineProperty(this, 'node', {
      enumerable: false,
      writable: false,
      configurable: false,
    });
    if (parent === null) return;
    if (parent.region !== null) expectBirth(node, parent);
    parent.addChild(node);
  }

  // Parts of a reactor

  /** @template [T=unknown] @returns {InPort<T>} */
  input() {
    return new InPort(this);
  }

  /** @template [T=unknown] @returns {OutPort<T>} */
  output() {
    return new OutPort(this);
  }

  /** @template [T=unknown] @param {number} width @returns {InMultiPort<T>} */
  inputs(width) {
    return new InMultiPort(this, width);
  }

  /** @template [T=unknown] @param {number} width @returns {OutMultiPort<T>} */
  outputs(width) {
    return new OutMultiPort(this, width);
  }

  /**
   * Makes a timer: an event at an offset, and at every period after it.
   *
   * @param {Duration} [offset]  from the first tag; 0 is the first tag itself
   * @param {Duration} [period]  0 for one event
   * @param {Mode} [mode]
   * @returns {Timer}
   * @throws {UserError} a duration is wrong, the mode is another reactor's, or the program runs already
   */
  timer(offset = 0, period = 0, mode = undefined) {
    insistOwnMode(this.node, mode ?? null, 'a timer');
    return new Timer(mode ?? this, offset, period);
  }

  /**
   * Makes a logical action.
   *
   * @template [T=unknown]
   * @param {ActionOptions & { mode?: Mode }} [options]
   * @returns {Action<T>}
   * @throws {UserError} an option is unknown or wrong, the mode is another reactor's, or the program runs already
   */
  action(options = undefined) {
    const what = 'logical action';
    const { minDelay, minSpacing, policy, mode } = insistOptions(
      options,
      actionOptions,
      () => `${this.node.path}: a ${what}`,
    );
    insistOwnMode(this.node, mode ?? null, `a ${what}`);
    return new Action(mode ?? this, 'logical', minDelay, minSpacing, policy);
  }

  /**
   * Makes a physical action: it may be scheduled from anywhere, and comes at the time of the clock.
   *
   * @template [T=unknown]
   * @param {ActionOptions & { mode?: Mode }} [options]
   * @returns {Action<T>}
   * @throws {UserError} an option is unknown or wrong, the mode is another reactor's, or the program runs already
   */
  physicalAction(options = undefined) {
    const what = 'physical action';
    const { minDelay, minSpacing, policy, mode } = insistOptions(
      options,
      actionOptions,
      () => `${this.node.path}: a ${what}`,
    );
    insistOwnMode(this.node, mode ?? null, `a ${what}`);
    return new Action(mode ?? this, 'physical', minDelay, minSpacing, policy);
  }

  /**
   * Makes a watchdog: reactions that have it as an effect start and stop it. When it expires, the handler runs. It is a
   * reaction in this place of the reactor; it may have sources and effects, and start the watchdog again.
   *
   * @param {Duration} timeout  from the tag of the start
   * @param {WatchdogOptions | Body} options  optional
   * @param {Body} [handler]
   * @returns {Watchdog}
   * @throws {UserError} an option is unknown or wrong, the mode is another reactor's, or the program runs already
   */
  watchdog(timeout, options, handler) {
    const body = handler ?? options;
    const { mode, sources, effects } = insistOptions(
      handler === undefined ? undefined : /** @type {WatchdogOptions} */ (options),
      watchdogOptions,
      () => `${this.node.path}: a watchdog`,
    );
    insistOwnMode(this.node, mode ?? null, 'a watchdog');
    const watchdog = new Watchdog(mode ?? this, timeout);
    this.reaction(
      {
        mode,
        triggers: watchdog,
        sources: sources ?? [],
        effects: effects === undefined ? watchdog : [effects, watchdog],
      },
      /** @type {Body} */ (body),
    );
    return watchdog;
  }

  /**
   * Makes a mode. Timers, actions, reactions and connections are put in it by their option `mode`, reactors and states
   * by having the mode as their container.
   *
   * @param {{ initial?: boolean }} [options]
   * @returns {Mode}
   * @throws {UserError} an option is unknown, or the program runs already
   */
  mode(options) {
    return new Mode(this, options);
  }

  /**
   * Makes state that a reset restores.
   *
   * @template T
   * @param {T | (() => T)} initial
   * @param {Mode} [mode]
   * @returns {State<T>}
   * @throws {UserError} the mode is another reactor's
   */
  state(initial, mode = undefined) {
    insistOwnMode(this.node, mode ?? null, 'a state');
    const state = new State(initial);
    state.mode = mode ?? null;
    this.node.states.push(state);
    return state;
  }

  /**
   * Makes a bank: `width` reactors of one class, constructed with this reactor and `args`.
   *
   * @template {Reactor} R
   * @param {number} width
   * @param {new (container: any, ...args: any[]) => R} type
   * @param {...any} args
   * @returns {Bank<R>}
   */
  bank(width, type, ...args) {
    return new Bank(this, width, type, ...args);
  }

  /**
   * Makes a place for transient children of a class, whose outputs `results` are ports of the place (transient.js).
   *
   * @param {new (container: any) => Reactor} type
   * @param {string[]} results
   * @returns {any}
   */
  transient(type, results) {
    return new Transient(this, type, results);
  }

  /** A trigger that is present at the first tag of the reactor. @returns {import('./built-in.js').BuiltIn} */
  get startup() {
    return builtInOf(this.node, null, 'startup');
  }

  /**
   * A trigger that is present at the last tag of the program, or of a reactor that is deleted.
   *
   * @returns {import('./built-in.js').BuiltIn}
   */
  get shutdown() {
    return builtInOf(this.node, null, 'shutdown');
  }

  /**
   * A trigger that is present when a mode around the reactor is entered by a reset.
   *
   * @returns {import('./built-in.js').BuiltIn}
   */
  get reset() {
    return builtInOf(this.node, null, 'reset');
  }

  /**
   * Adds a reaction. Reactions of a reactor run in the order in which they are added, each at most once a tag.
   *
   * @param {ReactionOptions & { mode?: Mode }} options
   * @param {Body} body  called with the reactor as `this`
   * @returns {Reaction}
   */
  reaction(options, body) {
    return this.#add(options?.mode ?? null, false, options, body);
  }

  /**
   * Adds a mutation: a reaction that runs before all that the reactor contains, and may change that (mutation.js).
   * Mutations run before the reactor's reactions.
   *
   * @param {ReactionOptions & { mode?: Mode }} options
   * @param {Body} body
   * @returns {Reaction}
   */
  mutation(options, body) {
    return this.#add(options?.mode ?? null, true, options, body);
  }

  /**
   * Connects ports within this reactor: its own, and those of reactors directly in it. Both sides are lists of ports,
   * multiports and channels, flattened, and connected channel by channel. Where ports have types, the source's values
   * must have the destination's type.
   *
   * @template To
   * @template {To} From
   * @param {Ends<From>} from
   * @param {Ends<To>} to
   * @param {ConnectOptions & { mode?: Mode }} [options]
   * @throws {UserError} now or when the program starts: an end is no port, belongs elsewhere, or has a source already
   */
  connect(from, to, options = undefined) {
    const mode = options?.mode ?? null;
    if (this.node.region !== null) connectRunning(this.node, mode, from, to, options);
    else this.node.connections.push(new Connection(this.node, mode, from, to, options));
  }

  /**
   * Removes connections, in a mutation.
   *
   * @param {any} from
   * @param {any} [to]  without it, all connections from `from`
   */
  disconnect(from, to) {
    disconnectRunning(this.node, from, to);
  }

  /**
   * Deletes a reactor that is directly in this one, in a reaction or mutation.
   *
   * @param {Reactor} reactor
   */
  delete(reactor) {
    deleteRunning(this.node, reactor);
  }

  // The names of reactor-ts

  /**
   * Declares a reaction in the form of reactor-ts: its triggers, then the arguments of its body.
   *
   * @param {any[] | Triggers} triggers
   * @param {any[] | Args} args  the arguments of `react`: ports, actions, `this.writable(port)` …
   * @param {Body} react
   * @param {Duration} [deadline]
   * @param {Body} [late]
   * @returns {Reaction}
   * @throws {UserError} it has no triggers, or an argument that a reaction cannot have
   */
  addReaction(triggers, args, react, deadline, late) {
    return this.#addWithArgs(false, triggers, args, react, deadline, late);
  }

  /**
   * Declares a mutation in the form of reactor-ts: a reaction that may change connections and make reactors.
   *
   * @param {any[] | Triggers} triggers
   * @param {any[] | Args} args
   * @param {Body} react
   * @param {Duration} [deadline]
   * @param {Body} [late]
   * @returns {Reaction}
   * @throws {UserError} it has no triggers, or an argument that a reaction cannot have
   */
  addMutation(triggers, args, react, deadline, late) {
    return this.#addWithArgs(true, triggers, args, react, deadline, late);
  }

  /**
   * Marks a port among the arguments of `addReaction` as one that the reaction writes.
   *
   * @param {any} port
   * @returns {Effect}
   */
  writable(port) {
    return new Effect(port);
  }

  /**
   * Marks a multiport among the arguments of `addReaction` as one that the reaction writes.
   *
   * @param {any} port
   * @returns {Effect}
   */
  allWritable(port) {
    return new Effect(port);
  }

  /**
   * Marks an action among the arguments of `addReaction` as one that the reaction schedules.
   *
   * @param {any} action
   * @returns {Effect}
   */
  schedulable(action) {
    return new Effect(action);
  }

  /** @param {any} from @param {any} to */
  _connect(from, to) {
    this.connect(from, to);
  }

  /** @param {any[]} from @param {any[]} to @param {boolean} [repeat] */
  _connectMulti(from, to, repeat = false) {
    this.connect(from, to, { repeat });
  }

  /** Its index in a bank, or -1. @returns {number} */
  getBankIndex() {
    return this.node.bankIndex;
  }

  /** The reactor itself, as in reactor-ts. @returns {this} */
  getReactor() {
    return this;
  }

  /** Time, tags and stopping, for use in reactions. @returns {ReturnType<typeof makeUtil>} */
  get util() {
    return makeUtil(this.node);
  }

  /** Ends the program at the next microstep. */
  requestStop() {
    this.util.requestStop();
  }

  /**
   * @param {Mode | null} mode
   * @param {boolean} isMutation
   * @param {ReactionOptions} options
   * @param {Body} body
   */
  #add(mode, isMutation, options, body) {
    const { node } = this;
    insistUnassembled(node, 'a reaction');
    insistOwnMode(node, mode, 'a reaction');
    const isPart = /** @type {any} */ (options)?.node !== undefined;
    if (typeof options !== 'object' || options === null || Array.isArray(options) || isPart) {
      throw new UserError(
        `${node.path}: a reaction is made of ${describe(options)}; give its triggers and the like, then its body`,
      );
    }
    const reaction = new Reaction(node, mode, isMutation, options, body);
    const at = isMutation ? node.reactions.filter(r => r.isMutation).length : node.reactions.length;
    node.reactions.splice(at, 0, reaction);
    return reaction;
  }

  /**
   * @param {boolean} isMutation
   * @param {any} triggers
   * @param {any} args
   * @param {Body} react
   * @param {Duration | undefined} deadline
   * @param {Body | undefined} late
   */
  #addWithArgs(isMutation, triggers, args, react, deadline, late) {
    const list = flat(triggers instanceof Triggers ? triggers.list : triggers);
    const missing = triggers === undefined ? 'triggers' : args === undefined ? 'arguments' : null;
    if (missing !== null)
      throw new UserError(
        `${this.node.path}: a reaction lacks its ${missing}; give a list of each`,
      );
    /** @type {any[]} */
    const given = args instanceof Args ? args.tuple : args;
    const effects = given.filter(arg => arg instanceof Effect).map(({ target }) => target);
    const values = given.map(arg => (arg instanceof Effect ? arg.target : arg));
    const sources = values.filter(
      arg =>
        !effects.includes(arg) &&
        !list.includes(arg) &&
        (arg?.slotAt || arg?.port?.slotAt || arg instanceof Action || arg instanceof Timer),
    );
    return this.#add(
      null,
      isMutation,
      {
        triggers: list,
        sources,
        effects,
        deadline,
        late: late && (() => late.apply(this, values)),
      },
      () => react.apply(this, values),
    );
  }
}

/** Marks an argument of a reaction as written or scheduled. */
export class Effect {
  /** @param {any} target */
  constructor(target) {
    this.target = target;
  }
}

/** A list of triggers in the form of reactor-ts; an array works too. */
export class Triggers {
  /** @param {...any} list */
  constructor(...list) {
    this.list = list;
  }
}

/** A list of arguments in the form of reactor-ts; an array works too. */
export class Args {
  /** @param {...any} tuple */
  constructor(...tuple) {
    this.tuple = tuple;
  }
}
