// Multiports: ports of several channels, each of which is a port of the same reactor.

import { Component } from './component.js';
import { InPort, OutPort } from './port.js';
import { Trigger } from './trigger.js';

/** @import { IOPort } from './port.js' */
/** @import { Reactor } from './reactor.js' */

/** The handle by which a reaction writes a multiport. @template T */
export class WritableMultiPort {
  /**
   * The value that was written to a channel at this tag.
   *
   * @param {number} _index
   * @returns {T | undefined}
   */
  get(_index) {
    return undefined;
  }

  /**
   * Write a channel at this tag.
   *
   * @param {number} _index
   * @param {T} _value
   */
  set(_index, _value) {}

  /** The number of channels. @returns {number} */
  width() {
    return 0;
  }

  /** The values that were written at this tag, by channel. @returns {(T | undefined)[]} */
  values() {
    return [];
  }

  /** The ports of the channels, in order. @returns {IOPort<T>[]} */
  getPorts() {
    return [];
  }
}

/**
 * @template T
 * @extends {WritableMultiPort<T>}
 */
class MultiPortWriter extends WritableMultiPort {
  /** @param {MultiPort<T>} port */
  constructor(port) {
    super();
    this.port = port;
  }

  /** @param {number} index */
  get(index) {
    return this.port.get(index);
  }

  /** @param {number} index @param {T} value */
  set(index, value) {
    this.port._existing(index)._write(value);
  }

  width() {
    return this.port.width();
  }

  values() {
    return this.port.values();
  }

  getPorts() {
    return this.port.channels();
  }
}

/** A port of several channels, addressed by index from 0. @template T */
export class MultiPort extends Trigger {
  /**
   * @param {Reactor} container
   * @param {number} width
   * @param {(container: Reactor) => IOPort<T>} makeChannel
   * @throws {RangeError} for a width that is no whole number, which a flag of the program may give
   */
  constructor(container, width, makeChannel) {
    if (!Number.isInteger(width) || width < 0) {
      throw new RangeError(
        `a multiport of ${container._getFullyQualifiedName()} cannot have the width ${width}; it takes a whole number from 0`,
      );
    }
    super(container);
    /** @protected @type {IOPort<T>[]} */
    this._channels = Array.from({ length: width }, () => makeChannel(container));
    /** @protected @type {WritableMultiPort<T>} */
    this.writer = new MultiPortWriter(this);
  }

  /** @returns {any} */
  get _kind() {
    return 'multiport';
  }

  /**
   * The values of ports at this tag, in their order.
   *
   * @template T
   * @param {IOPort<T>[]} ports
   * @returns {(T | undefined)[]}
   */
  static values(ports) {
    return ports.map(port => port.get());
  }

  /** The ports of all channels, in order. @returns {IOPort<T>[]} */
  channels() {
    return this._channels;
  }

  /**
   * The port of one channel.
   *
   * @param {number} index
   * @returns {IOPort<T>} `undefined` for an index that the port does not have
   */
  channel(index) {
    return this._channels[index];
  }

  /**
   * The port of a channel that is read or written.
   *
   * @param {number} index
   * @throws {RangeError} there is no such channel
   */
  _existing(index) {
    const channel = this._channels[index];
    if (channel === undefined) {
      throw new RangeError(
        `${this} has no channel ${index}; ${this.width() === 0 ? 'its width is 0' : `its channels are 0 to ${this.width() - 1}`}`,
      );
    }
    return channel;
  }

  /**
   * @param {symbol | undefined} key
   * @returns {WritableMultiPort<T>}
   * @throws {Error} if the key is not this port's
   */
  asWritable(key) {
    if (this._key !== key) {
      throw new Error(`Referenced port is out of scope: ${this._getFullyQualifiedName()}`);
    }
    return this.writer;
  }

  /**
   * The value of a channel at this tag.
   *
   * @param {number} index
   * @returns {T | undefined}
   * @throws {RangeError} there is no such channel
   */
  get(index) {
    return this._existing(index).get();
  }

  /** Whether any channel has a value at this tag. @returns {boolean} */
  isPresent() {
    return this._channels.some(channel => channel.isPresent());
  }

  /** The number of channels. @returns {number} */
  width() {
    return this._channels.length;
  }

  /** The values of all channels at this tag, undefined where one is absent. @returns {(T | undefined)[]} */
  values() {
    return MultiPort.values(this._channels);
  }

  /** @protected */
  get manager() {
    /** @param {IOPort<T>} channel */
    const managerOf = channel => channel.getManager(this.getContainer()._getKey(channel));
    return {
      getContainer: () => this.getContainer(),
      /** @param {any} reaction */
      addReaction: reaction => {
        for (const channel of this._channels) managerOf(channel).addReaction(reaction);
      },
      /** @param {any} reaction */
      delReaction: reaction => {
        for (const channel of this._channels) managerOf(channel).delReaction(reaction);
      },
    };
  }

  /** @param {any} _runtime @returns {void} */
  _receiveRuntimeObject(_runtime) {
    throw new Error(
      'Multiports do not request to be linked to the runtime object, hence this method shall not be invoked.',
    );
  }

  toString() {
    const container = this.getContainer();
    return `${container.toString()}.${Component.keyOfMatchingEntry(this, container)}`;
  }
}

/** An input of several channels. @template T @extends {MultiPort<T>} */
export class InMultiPort extends MultiPort {
  /** @param {Reactor} container @param {number} width */
  constructor(container, width) {
    super(container, width, owner => new InPort(owner));
  }
}

/** An output of several channels. @template T @extends {MultiPort<T>} */
export class OutMultiPort extends MultiPort {
  /** @param {Reactor} container @param {number} width */
  constructor(container, width) {
    super(container, width, owner => new OutPort(owner));
  }
}
