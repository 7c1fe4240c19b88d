// Ports: a reactor's inputs and outputs. A value is in a slot (slot.js) that all connected ports share, and it is there
// for one tag. Only a reaction may write a port, and only if it declared the port as an effect; it may read only ports
// that it declared, since the order of reactions depends on the declarations.

import { UserError } from '#model';
import { insistContainer, insistUnassembled } from './container.js';
import { copyValue } from './freeze-value.js';
import { fromPath, isConnectedFor } from './outlet.js';

/** @import { ReactorNode } from './node.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Slot } from './slot.js' */
/** @import { MultiPort } from './multiport.js' */
/** @import { Outlet } from './outlet.js' */

/** @typedef {Port<any> | MultiPort<any>} AnyPort */

/**
 * @param {AnyPort} port
 * @param {Reaction | null} running
 * @param {number} [index]
 */
export const checkWriter = (port, running, index = 0) => {
  if (running === null) {
    throw new UserError(`${port.path} was written outside a reaction; only reactions write ports`);
  }
  const indexes = running.writes.get(port);
  if (!isDeclared(indexes, index)) {
    throw new UserError(
      `${running.path} writes ${port.channelPath(index)}, which it did not declare; add it to the effects of the reaction`,
    );
  }
  if (!running.isMutation) {
    if (indexes === null) {
      port.writer = running;
      running.writtenPort = port;
    }
    return;
  }
  // A mutation may connect the ports that it can write, so this is checked each time.
  if (isConnectedFor(running, port, index)) {
    throw new UserError(
      `${running.path} writes ${port.channelPath(index)}, which is connected from ${fromPath(port, index, running.mode)}; disconnect it first`,
    );
  }
};

/**
 * @param {AnyPort} port
 * @param {Reaction | null} running
 * @param {number} [index]
 */
export const checkReader = (port, running, index = 0) => {
  if (running === null) {
    port.reader = null;
    return;
  }
  const indexes = running.reads.get(port);
  const written = running.writes.get(port);
  if (indexes === null || written === null) {
    port.reader = running;
    return;
  }
  if (isDeclared(indexes, index) || isDeclared(written, index)) return;
  throw new UserError(
    `${running.path} reads ${port.channelPath(index)}, which it did not declare; add it to the triggers or sources of the reaction`,
  );
};

/**
 * @param {Set<number> | null | undefined} indexes  null: all channels
 * @param {number} index
 */
const isDeclared = (indexes, index) =>
  indexes === null || (indexes !== undefined && indexes.has(index));

/**
 * @param {{ path: string, reader: Reaction | null }} event  an action or a timer
 * @param {Reaction | null} running
 */
export const checkEventReader = (event, running) => {
  if (running !== null && !running.declaresEvent(event)) {
    throw new UserError(
      `${running.path} reads ${event.path}, which it did not declare; add it to the triggers or sources of the reaction`,
    );
  }
  event.reader = running;
};

/**
 * The slot of an action, a timer or a watchdog that is read now.
 *
 * @param {{ path: string, slot: Slot, reader: Reaction | null }} event
 * @throws {UserError} in a reaction that did not declare it, or before its program runs
 */
export const slotToRead = event => {
  const { slot } = event;
  if (slot === null) throw notRunning(event);
  const { running } = slot.region;
  if (running !== event.reader) checkEventReader(event, running);
  return slot;
};

/** @param {{ path: string }} port */
export const notRunning = port =>
  new UserError(`${port.path} is used before its program runs, or in a reactor that was deleted`);

/** A port of a reactor: its value, if it is present at this tag. `InPort` and `OutPort` are its two kinds. @template T */
export class Port {
  /**
   * @param {any} container
   * @param {boolean} isInput
   */
  constructor(container, isInput) {
    const { node } = insistContainer(container, isInput ? 'an input' : 'an output');
    insistUnassembled(node, 'a port');
    this.node = node;
    this.isInput = isInput;
    /** @type {Slot | null} null until it is assembled */
    this.slot = null;
    /** @type {AnyPort | Outlet | null} its source */
    this.from = null;
    this.fromIndex = 0;
    /** @type {Reaction[]} */
    this.triggered = [];
    /** @type {Reaction[]} reactions triggered by it, or only reading it */
    this.observed = [];
    /** @type {Reaction[]} */
    this.writers = [];
    /**
     * @type {Reaction | undefined} the last reaction that wrote and so may write; undefined for none, since null means
     *   outside reactions
     */
    this.writer = undefined;
    /** @type {Reaction | null} the last reaction that read it; outside reactions reading is always allowed */
    this.reader = null;
    node.ports.push(this);
  }

  /** Channels: 1, as a multiport of one channel has. @returns {number} */
  get width() {
    return 1;
  }

  /** The name of the port in error messages: its reactor's path and its field. @returns {string} */
  get path() {
    return this.node.pathOf(
      this,
      `${this.isInput ? 'input' : 'output'}${this.node.ports.indexOf(this)}`,
    );
  }

  /**
   * The value at this tag, or undefined if the port is absent.
   *
   * @returns {T | undefined}
   * @throws {UserError} in a reaction that did not declare the port
   */
  get() {
    const { slot } = this;
    if (slot === null) throw notRunning(this);
    const { running } = slot.region;
    if (running !== this.reader) checkReader(this, running);
    return slot.value;
  }

  /**
   * A copy of the value that may be changed; the value itself is frozen, since others may read it.
   *
   * @returns {T | undefined}
   */
  mutable() {
    return copyValue(this.get());
  }

  /**
   * Whether there is a value at this tag; it may be `undefined`, which `get` cannot tell.
   *
   * @returns {boolean}
   * @throws {UserError} in a reaction that did not declare the port, or before its program runs
   */
  isPresent() {
    const { slot } = this;
    if (slot === null) throw notRunning(this);
    const { running } = slot.region;
    if (running !== this.reader) checkReader(this, running);
    return slot.present;
  }

  /**
   * Writes the port at this tag; the last value written counts.
   *
   * @param {T} value
   * @throws {UserError} outside a reaction, or in one that did not declare the port as an effect
   */
  set(value) {
    const { slot } = this;
    if (slot === null) throw notRunning(this);
    const { region } = slot;
    const { running } = region;
    if (running !== this.writer && running?.writtenPort !== this) checkWriter(this, running);
    const { scheduler } = region;
    scheduler.portWrites += 1;
    if (typeof value === 'object' && value !== null) scheduler.prepareValue(value);
    region.write(slot, value);
  }

  // The interface that ports share with multiports, channel by channel.

  /**
   * The slot of the port, for the scheduler.
   *
   * @param {number} _index
   * @returns {Slot | null} null before the program runs
   */
  slotAt(_index) {
    return this.slot;
  }

  /**
   * Sets the slot of the port, or removes it with null. For the scheduler.
   *
   * @param {number} _index
   * @param {Slot | null} slot
   */
  setSlot(_index, slot) {
    this.slot = slot;
  }

  /**
   * The port or the child that the port is connected from.
   *
   * @param {number} _index
   * @returns {AnyPort | Outlet | null} null if it has no source
   */
  fromAt(_index) {
    return this.from;
  }

  /**
   * The channel of the source that the port is connected from.
   *
   * @param {number} _index
   * @returns {number} 0 for a single port
   */
  fromIndexAt(_index) {
    return this.fromIndex;
  }

  /**
   * Connects the port from a source. For assembling.
   *
   * @param {number} _index
   * @param {AnyPort | Outlet | null} from
   * @param {number} fromIndex
   */
  setFrom(_index, from, fromIndex) {
    this.from = from;
    this.fromIndex = fromIndex;
  }

  /**
   * The reactions that the port triggers.
   *
   * @param {number} _index
   * @returns {Reaction[]}
   */
  triggeredAt(_index) {
    return this.triggered;
  }

  /**
   * The reactions that read the port without being triggered by it.
   *
   * @param {number} _index
   * @returns {Reaction[]}
   */
  observedAt(_index) {
    return this.observed;
  }

  /**
   * The name of the port in error messages.
   *
   * @param {number} _index
   * @returns {string}
   */
  channelPath(_index) {
    return this.path;
  }
}

/**
 * An input. `new InPort(this)` in a reactor; the shorter form is `this.input()`.
 *
 * @template T
 * @extends {Port<T>}
 */
export class InPort extends Port {
  /** @param {any} container */
  constructor(container) {
    super(container, true);
  }
}

/**
 * An output. `new OutPort(this)` in a reactor; the shorter form is `this.output()`.
 *
 * @template T
 * @extends {Port<T>}
 */
export class OutPort extends Port {
  /** @param {any} container */
  constructor(container) {
    super(container, false);
  }
}
