// Ports for calls: a reaction writes an argument to a caller port, the procedure of the connected
// callee port runs at once, and the caller port gets the result.

import { Port } from './port.js';

/** @import { Reaction } from './reaction.js' */

/**
 * The port by which a reactor calls another one and gets the result within the tag.
 *
 * @template A, R
 * @extends {Port<R>}
 */
export class CallerPort extends Port {
  /** @type {CalleePort<A, R> | undefined} */
  remotePort = undefined;

  /** The result of the call at this tag. @returns {R | undefined} */
  get() {
    return this.stamp === this.runtime.scheduler.tags ? this.remotePort?.retValue : undefined;
  }

  /** Call the connected procedure; without a connection nothing happens. @param {A} argument */
  set(argument) {
    this.remotePort?.invoke(argument);
    this.stamp = this.runtime.scheduler.tags;
  }

  /**
   * Call the connected procedure, and get its result.
   *
   * @param {A} argument
   * @returns {R | undefined}
   */
  invoke(argument) {
    this.set(argument);
    return this.get();
  }

  /** @protected */
  get manager() {
    const refuse = () => {
      throw new Error('A Caller port cannot use used as a trigger.');
    };
    return { getContainer: () => this.getContainer(), addReaction: refuse, delReaction: refuse };
  }

  toString() {
    return 'CallerPort';
  }
}

/**
 * The port at which one reactor serves the calls of others, within one tag.
 *
 * @template A, R
 * @extends {Port<A>}
 */
export class CalleePort extends Port {
  /** @type {R | undefined} */
  retValue = undefined;

  /** @type {A | undefined} */
  argValue = undefined;

  /** @protected @type {Reaction<any> | undefined} */
  procedure = undefined;

  /** @protected @type {Reaction<any> | undefined} */
  lastCaller = undefined;

  /** The argument of the call. @returns {A | undefined} */
  get() {
    return this.argValue;
  }

  /** Set the result of the call. @param {R} result */
  set(result) {
    this.retValue = result;
  }

  /** Set the result of the call; as `set`. @param {R} result */
  return(result) {
    this.set(result);
  }

  /**
   * Run the procedure of this port at once.
   *
   * @param {A} argument
   * @returns {R | undefined}
   */
  invoke(argument) {
    this.argValue = argument;
    this.procedure?.doReact();
    return this.retValue;
  }

  /**
   * The manager that connects the port to reactions, for callers with the key.
   *
   * @param {symbol | undefined} key
   * @returns {any}
   */
  getManager(key) {
    return super.getManager(key);
  }

  /** @protected */
  get manager() {
    return {
      getContainer: () => this.getContainer(),
      /** @param {Reaction<any>} procedure */
      addReaction: procedure => {
        if (this.procedure !== undefined) {
          throw new Error(
            `Each callee port can trigger only a single reaction, but two or more are found on: ${this}`,
          );
        }
        this.procedure = procedure;
      },
      delReaction: () => {
        throw new Error('Method not implemented.');
      },
      /** @param {Reaction<any> | undefined} reaction */
      setLastCaller: reaction => {
        this.lastCaller = reaction;
      },
      getProcedure: () => this.procedure,
      getLastCaller: () => this.lastCaller,
    };
  }

  toString() {
    return 'CalleePort';
  }
}
