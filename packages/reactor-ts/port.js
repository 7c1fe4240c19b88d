// Ports. Each has a value of its own: writing a port also writes the ports that are connected to
// it. A port is present from the tag at which it was written until the next tag begins.

import { Trigger } from './trigger.js';

/** @import { Reactor } from './reactor.js' */
/** @import { Runtime } from './runtime.js' */
/** @import { TriggerManager } from './types.js' */

/** The base of inputs, outputs and ports of calls. @template T */
export class Port extends Trigger {
  /** @protected @type {Runtime} */
  runtime = /** @type {any} */ (undefined);

  /** @protected @type {T | undefined} */
  value = undefined;

  /** The number of the tag at which the port was last written. @protected */
  stamp = -1;

  /** @param {Reactor} container */
  constructor(container) {
    super(container);
    this._linkToRuntimeObject();
  }

  /** @param {Runtime} runtime */
  _receiveRuntimeObject(runtime) {
    if (this.runtime !== undefined) {
      throw new Error(
        `Can only establish link to runtime once. Name: ${this._getFullyQualifiedName()}`,
      );
    }
    this.runtime = runtime;
    Object.defineProperty(this, 'runtime', { enumerable: false });
  }

  /** Whether the port has a value at this tag. @returns {boolean} */
  isPresent() {
    return this.value !== undefined && this.stamp === this.runtime.scheduler.tags;
  }

  /** @protected */
  get tag() {
    return this.stamp === this.runtime.scheduler.tags
      ? this.runtime.util.getCurrentTag()
      : undefined;
  }
}

/** A port that a mutation may connect. @template T */
export class ConnectablePort {
  /** @param {IOPort<T>} port */
  constructor(port) {
    this.port = port;
    /** @type {() => undefined} */
    this.get = () => undefined;
    /** @type {() => IOPort<T>} */
    this.getPort = () => this.port;
  }
}

/** The handle by which a reaction writes a port. @template T */
export class WritablePort {
  /** The value that was written at this tag. @returns {T | undefined} */
  get() {
    return undefined;
  }

  /** Write the port at this tag. @param {T} _value */
  set(_value) {}

  /**
   * The port that this writes.
   *
   * @returns {IOPort<T>}
   * @throws {Error} in this base class, which has no port
   */
  getPort() {
    throw new Error('This port has no writer.');
  }
}

/**
 * @template T
 * @extends {WritablePort<T>}
 */
class PortWriter extends WritablePort {
  /** @param {IOPort<T>} port */
  constructor(port) {
    super();
    this.port = port;
  }

  get() {
    return this.port.get();
  }

  /** @param {T} value */
  set(value) {
    this.port._write(value);
  }

  getPort() {
    return this.port;
  }

  toString() {
    return this.port.toString();
  }
}

/** @typedef {TriggerManager & { addReceiver: (port: WritablePort<any>) => void, delReceiver: (port: WritablePort<any>) => void }} IOPortManager */

/**
 * The base of inputs and outputs.
 *
 * @template T
 * @extends {Port<T>}
 */
export class IOPort extends Port {
  /** @protected @type {IOPort<T>[]} */
  receivers = [];

  /** @protected @type {WritablePort<T>} */
  writer = new PortWriter(this);

  /** @returns {import('./component.js').Kind} */
  get _kind() {
    return 'port';
  }

  /** The value of the port at this tag. @returns {T | undefined} undefined if it is absent */
  get() {
    return this.stamp === this.runtime.scheduler.tags ? this.value : undefined;
  }

  /** The port as an end of a connection. @returns {ConnectablePort<T>} */
  asConnectable() {
    return new ConnectablePort(this);
  }

  /**
   * @param {symbol | undefined} key
   * @returns {WritablePort<T>}
   * @throws {Error} if the key is not this port's
   */
  asWritable(key) {
    if (this._key !== key) {
      throw new Error(`Referenced port is out of scope: ${this._getFullyQualifiedName()}`);
    }
    return this.writer;
  }

  /** @param {T} value */
  _write(value) {
    const { runtime, receivers, reactions } = this;
    this.value = value;
    this.stamp = runtime.scheduler.tags;
    for (let i = 0; i < receivers.length; i += 1) receivers[i]._write(value);
    for (let i = 0; i < reactions.length; i += 1) runtime.stage(reactions[i]);
  }

  /**
   * The manager that connects the port to reactions and receivers, for callers with the key.
   *
   * @param {symbol | undefined} key
   * @returns {IOPortManager}
   */
  getManager(key) {
    return /** @type {IOPortManager} */ (super.getManager(key));
  }

  /** @protected @type {IOPortManager} */
  get manager() {
    return {
      ...super.manager,
      addReceiver: writer => {
        const port = writer.getPort();
        if (this.receivers.includes(port)) return;
        this.receivers.push(port);
        if (!this.runtime.isRunning()) return;
        const value = this.get();
        if (value !== undefined) port._write(value);
      },
      delReceiver: writer => {
        const at = this.receivers.indexOf(writer.getPort());
        if (at >= 0) this.receivers.splice(at, 1);
      },
    };
  }

  toString() {
    return this._getFullyQualifiedName();
  }
}

/** An output of one channel. @template T @extends {IOPort<T>} */
export class OutPort extends IOPort {}

/** An input of one channel. @template T @extends {IOPort<T>} */
export class InPort extends IOPort {}
