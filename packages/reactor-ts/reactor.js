// The class that reactors extend.

import { Dummy, Shutdown, Startup } from './action.js';
import { Bank } from './bank.js';
import { CalleePort, CallerPort } from './call-ports.js';
import { CanConnectResult, checkConnection, connectCall, isInScope } from './connecting.js';
import { bindTriggers, portsOf, recordDependencies } from './dependencies.js';
import { Log } from './log.js';
import { ConnectablePort, IOPort } from './port.js';
import { Mutation, Procedure, Reaction } from './reaction.js';
import { ReactorBase } from './reactor-base.js';

/** @import { Action } from './action.js' */
/** @import { MultiPort, WritableMultiPort } from './multiport.js' */
/** @import { WritablePort } from './port.js' */
/** @import { TimeValue } from './time.js' */
/** @import * as types from './types.js' */

/**
 * The class that programs of reactor-ts extend, with its methods under their names; they throw an `Error` where those of
 * reactor-ts do.
 */
// eslint-disable-next-line house/max-class-lines -- the methods that reactor-ts gives to authors, each some lines long, under their names
export class Reactor extends ReactorBase {
  /**
   * @param {Reactor | null} container  null for an app
   */
  constructor(container) {
    super(container);
    /** @type {number} */
    this._bankIndex = container === null ? -1 : (Bank.initializationMap.get(container) ?? -1);
    if (container === null) this._receiveRuntimeObject(this._makeRuntime());
    else this._linkToRuntimeObject();
    /** @readonly */
    this.shutdown = new Shutdown(this);
    /** @readonly */
    this.startup = new Startup(this);
    /** @readonly */
    this.__dummy = new Dummy(this);
    const { util } = this;
    const getBankIndex = () => this.getBankIndex();
    /** @type {types.ReactionSandbox} */
    this._reactionScope = { util, getBankIndex };
    /** @type {types.MutationSandbox} */
    this._mutationScope = {
      util,
      getBankIndex,
      connect: (source, destination) => this.#connectInMutation(source, destination),
      disconnect: (source, destination) => {
        if (
          source instanceof IOPort &&
          (destination === undefined || destination instanceof IOPort)
        )
          this._disconnect(source, destination);
      },
      getReactor: () => this,
      delete: reactor => reactor._delete(),
    };
    for (const key of ['_runtime', 'util', '_reactionScope', '_mutationScope'])
      Object.defineProperty(this, key, { enumerable: false });
    // It shuts down before the reactors in it.
    this.addMutation([this.shutdown], [], () => {
      for (const reactor of this._getOwnReactors()) reactor._delete();
    });
  }

  /** @returns {import('./component.js').Kind} */
  get _kind() {
    return 'reactor';
  }

  /** The place in a bank, or -1. @returns {number} */
  getBankIndex() {
    return this._bankIndex;
  }

  /**
   * Add a reaction after the earlier ones.
   *
   * @template {types.Variable[]} T
   * @param {types.Variable[]} trigs
   * @param {[...types.ArgList<T>]} args  the arguments of `react`: all that it reads, writes and
   *   schedules
   * @param {(this: types.ReactionSandbox, ...args: types.ArgList<T>) => void} react
   * @param {TimeValue} [deadline]  if physical time is ahead of the tag by more, `late` runs instead
   * @param {(this: types.ReactionSandbox, ...args: types.ArgList<T>) => void} [late]
   * @protected
   * @throws {Error} a procedure of a callee port has further triggers
   */
  addReaction(trigs, args, react, deadline, late) {
    const callee = trigs.find(trigger => trigger instanceof CalleePort);
    const type = callee === undefined ? Reaction : Procedure;
    const reaction = new type(this, this._reactionScope, trigs, args, react, deadline, late);
    if (callee !== undefined && trigs.length > 1) {
      throw new Error(`Procedure "${reaction}" has multiple triggers.`);
    }
    this.#add(reaction);
    this._reactions.push(reaction);
    // The first caller runs after the reaction that is last now.
    if (callee !== undefined) {
      const port = /** @type {any} */ (callee);
      port
        .getManager(this._getKey(port))
        .setLastCaller(this._reactions.at(-2) ?? this._mutations.at(-1));
    }
  }

  /**
   * Add a mutation: a reaction that may change the contents of its reactor.
   *
   * @template {types.Variable[]} T
   * @param {types.Variable[]} trigs
   * @param {[...types.ArgList<T>]} args
   * @param {(this: types.MutationSandbox, ...args: types.ArgList<T>) => void} react
   * @param {TimeValue} [deadline]
   * @param {(this: types.MutationSandbox, ...args: types.ArgList<T>) => void} [late]
   * @protected
   */
  addMutation(trigs, args, react, deadline, late) {
    const mutation = new Mutation(this, this._mutationScope, trigs, args, react, deadline, late);
    this.#add(mutation);
    this._mutations.push(mutation);
  }

  /**
   * A port of this reactor, or an input of a reactor in it, as an argument of a reaction that writes it.
   *
   * @template T
   * @param {IOPort<T>} port
   * @returns {WritablePort<T>}
   */
  writable(port) {
    return port.asWritable(this._getKey(port));
  }

  /**
   * A multiport as an argument of a reaction that writes it.
   *
   * @template T
   * @param {MultiPort<T>} port
   * @returns {WritableMultiPort<T>}
   */
  allWritable(port) {
    return port.asWritable(this._getKey(port));
  }

  /**
   * An action of this reactor as an argument of a reaction that schedules it.
   *
   * @template T
   * @param {Action<T>} action
   * @returns {types.Sched<T>}
   * @protected
   */
  schedulable(action) {
    return action.asSchedulable(this._getKey(action));
  }

  /**
   * Whether two ports can be connected here, and if not, why.
   *
   * @param {IOPort<any>} source
   * @param {IOPort<any>} destination
   * @returns {CanConnectResult}
   */
  canConnect(source, destination) {
    return checkConnection(this, source, destination);
  }

  /**
   * Whether a caller port and a callee port can be connected here: only before the program runs,
   * and if both belong to reactors in this one.
   *
   * @param {CallerPort<any, any>} caller
   * @param {CalleePort<any, any>} callee
   * @returns {boolean}
   */
  canConnectCall(caller, callee) {
    return (
      !this._isRunning() &&
      caller._isContainedByContainerOf(this) &&
      callee._isContainedByContainerOf(this)
    );
  }

  /** @returns {string} */
  toString() {
    return this._getFullyQualifiedName();
  }

  // Connections

  /**
   * @template R
   * @template {R} S
   * @param {IOPort<S>} source
   * @param {IOPort<R>} destination
   * @throws {Error} for ports that cannot be connected
   * @protected
   */
  _connect(source, destination) {
    if (source === undefined || source === null) {
      throw new Error('Cannot connect unspecified source');
    }
    if (destination === undefined || destination === null) {
      throw new Error('Cannot connect unspecified destination');
    }
    const reason = this.canConnect(source, destination);
    if (reason !== CanConnectResult.SUCCESS) {
      throw new Error(`ERROR connecting ${source} to ${destination}. Reason is ${reason}`);
    }
    this.#link(source, destination);
  }

  /**
   * Connect lists of ports, channel by channel. Left-over channels of one side are logged and not
   * connected.
   *
   * @template R
   * @template {R} S
   * @param {(MultiPort<S> | IOPort<S>)[]} sources
   * @param {(MultiPort<R> | IOPort<R>)[]} destinations
   * @param {boolean} repeatLeft  start again from the first source after the last one
   * @protected
   */
  _connectMulti(sources, destinations, repeatLeft) {
    const left = sources.flatMap(portsOf);
    const right = destinations.flatMap(portsOf);
    const count = left.length;
    if (repeatLeft && count > 0)
      while (left.length < right.length) left.push(left[left.length % count]);
    if (left.length !== right.length) {
      const [more, fewer] = left.length < right.length ? ['right', 'left'] : ['left', 'right'];
      Log.warn(
        null,
        () => `There are more ${more} ports than ${fewer} ports. Not all are connected.`,
      );
    }
    const pairs = Array.from(
      { length: Math.min(left.length, right.length) },
      (_, i) => /** @type {const} */ ([left[i], right[i]]),
    );
    for (const [source, destination] of pairs) {
      const reason = this.canConnect(source, destination);
      if (reason !== CanConnectResult.SUCCESS) {
        throw new Error(
          `ERROR connecting ${source} to ${destination} in multiple connections from ${sources} to ${destinations}. Reason is ${reason}`,
        );
      }
    }
    for (const [source, destination] of pairs) this.#link(source, destination);
  }

  /**
   * @template A, R, T, S
   * @param {CallerPort<A, R>} caller
   * @param {CalleePort<T, S>} callee
   * @protected
   */
  _connectCall(caller, callee) {
    connectCall(this, caller, callee);
  }

  /**
   * @param {IOPort<any>} source
   * @param {IOPort<any>} [destination]  without it, all of its connections in this reactor
   * @protected
   */
  _disconnect(source, destination) {
    if (!this._isRunning() && !isInScope(this, source, destination)) {
      throw new Error(`ERROR disconnecting ${source} to ${destination}`);
    }
    const ends =
      destination === undefined
        ? [...this._dependencyGraph.getDownstreamNeighbors(source)].filter(
            each => each instanceof IOPort,
          )
        : [destination];
    const manager = source.getManager(this._getKey(source));
    for (const end of ends) {
      manager.delReceiver(end.asWritable(this._getKey(end)));
      this._dependencyGraph.removeEdge(source, end);
    }
    this._runtime.change();
  }

  /** @param {Reaction<any>} reaction */
  #add(reaction) {
    bindTriggers(this, reaction);
    recordDependencies(this._dependencyGraph, this._getLastReactionOrMutation(), reaction);
    reaction.active = true;
    if (this._isRunning()) {
      this._runtime.order.add(reaction);
      this._runtime.change();
    }
    if (reaction.isTriggeredImmediately()) this._runtime.stage(reaction);
  }

  /**
   * @param {IOPort<any>} source
   * @param {IOPort<any>} destination
   */
  #link(source, destination) {
    this._dependencyGraph.addEdge(source, destination);
    const writer = destination.asWritable(this._getKey(destination));
    source.getManager(this._getKey(source)).addReceiver(writer);
    this._runtime.order.connect(source, destination);
    this._runtime.change();
  }

  /**
   * @param {unknown} source
   * @param {unknown} destination
   */
  #connectInMutation(source, destination) {
    if (source instanceof CallerPort && destination instanceof CalleePort) {
      this._connectCall(source, destination);
    } else if (source instanceof ConnectablePort && destination instanceof ConnectablePort) {
      this._connect(source.getPort(), destination.getPort());
    } else {
      throw new Error(
        'Logically unreachable code: src and dst type mismatch, Caller(ee) port cannot be connected to IOPort.',
      );
    }
  }
}
