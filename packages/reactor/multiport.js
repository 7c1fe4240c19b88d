// Multiports: ports of several channels. A multiport that is read keeps a list of its present channels, so that a
// reaction to ten of a thousand channels visits ten.

import { UserError, quote } from '#model';
import { insistContainer, insistUnassembled, insistWidth } from './container.js';
import { copyValue } from './freeze-value.js';
import { checkReader, checkWriter, notRunning } from './port.js';

/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Slot, Link } from './slot.js' */
/** @import { Outlet } from './outlet.js' */

/** @typedef {{ triggered: Reaction[], observed: Reaction[] }} Readers */

/** A port of several channels, addressed by index from 0. `InMultiPort` and `OutMultiPort` are its two kinds. @template T */
// eslint-disable-next-line house/max-class-lines -- the methods that authors call on ports of several channels, each some lines long
export class MultiPort {
  /**
   * @param {any} container
   * @param {number} width  channels, from 0
   * @param {boolean} isInput
   */
  constructor(container, width, isInput) {
    const { node } = insistContainer(container, isInput ? 'an input' : 'an output');
    insistUnassembled(node, 'a port');
    insistWidth(() => `${node.path}: a multiport's`, width);
    this.node = node;
    this.isInput = isInput;
    this.width = width;
    /** @type {(Slot | null)[]} */
    this.slots = new Array(width).fill(null);
    /** @type {(AnyPort | Outlet | null)[] | null} */
    this.from = null;
    /** @type {number[] | null} */
    this.fromIndexes = null;
    /** @type {Reaction[]} reactions triggered by any of its channels */
    this.triggered = [];
    /** @type {Reaction[]} reactions triggered by it, or only reading it */
    this.observed = [];
    /** @type {Map<number, Readers> | null} reactions that name single channels */
    this.ofChannels = null;
    /** @type {Reaction[]} */
    this.writers = [];
    /**
     * @type {Reaction | undefined} the last reaction that wrote and so may write; undefined for none, since null means
     *   outside reactions
     */
    this.writer = undefined;
    /** @type {Reaction | null} the last reaction that read it; outside reactions reading is always allowed */
    this.reader = null;
    /** @type {Link | null} present channels, in order if `isSorted` */
    this.presentFirst = null;
    /** @type {Link | null} */
    this.presentLast = null;
    this.isSorted = true;
    /** @type {Channel<T>[] | null} */
    this.facets = null;
    node.ports.push(this);
  }

  /** The name of the port in error messages: its reactor's path and its field. @returns {string} */
  get path() {
    return this.node.pathOf(
      this,
      `${this.isInput ? 'input' : 'output'}${this.node.ports.indexOf(this)}`,
    );
  }

  /**
   * The value of a channel at this tag, or undefined if it is absent.
   *
   * @param {number} index
   * @returns {T | undefined}
   */
  get(index) {
    const slot = this.#slot(index);
    const { running } = slot.region;
    if (running !== this.reader) checkReader(this, running, index);
    return slot.value;
  }

  /**
   * A copy of the value of a channel that may be changed; the value itself is frozen, since others may read it.
   *
   * @param {number} index
   * @returns {T | undefined}
   */
  mutable(index) {
    return copyValue(this.get(index));
  }

  /**
   * Whether a channel has a value at this tag.
   *
   * @param {number} index
   * @returns {boolean}
   * @throws {UserError} there is no such channel, the reaction did not declare it, or its program does not run yet
   */
  isPresent(index) {
    const slot = this.#slot(index);
    const { running } = slot.region;
    if (running !== this.reader) checkReader(this, running, index);
    return slot.present;
  }

  /**
   * Writes a channel at this tag; the last value written counts.
   *
   * @param {number} index
   * @param {T} value
   * @throws {UserError} there is no such channel, outside a reaction, or in one that did not declare it as an effect
   */
  set(index, value) {
    const slot = this.#slot(index);
    const { region } = slot;
    const { running } = region;
    if (running !== this.writer && running?.writtenPort !== this) checkWriter(this, running, index);
    const { scheduler } = region;
    scheduler.portWrites += 1;
    if (typeof value === 'object' && value !== null) scheduler.prepareValue(value);
    region.write(slot, value);
  }

  /** All values by channel, undefined where a channel is absent. @returns {(T | undefined)[]} */
  values() {
    return Array.from({ length: this.width }, (_, i) => this.get(i));
  }

  /**
   * The present channels in ascending order. The cost depends on their number, not on the width of the port.
   *
   * @returns {number[]}
   */
  present() {
    if (this.width === 0) return [];
    const { running } = this.#slot(0).region;
    if (running !== this.reader) {
      const declared = channelsOf(this, running);
      if (declared !== null) return declared.filter(i => this.slots[i]?.present);
      checkReader(this, running);
    }
    if (this.triggered.length + this.observed.length === 0) {
      // No list is kept, since no reaction declares to read it: a reaction looks at its own writes.
      return Array.from({ length: this.width }, (_, i) => i).filter(i => this.slots[i]?.present);
    }
    /** @type {number[]} */
    const indexes = [];
    for (let link = this.presentFirst; link !== null; link = link.nextPresent)
      indexes.push(link.index);
    if (this.isSorted) return indexes;
    // With many present channels, checking each channel is faster than sorting.
    if (indexes.length * 4 < this.width) return indexes.sort((a, b) => a - b);
    let count = 0;
    for (let i = 0; i < this.width; i += 1) {
      if (!this.slots[i]?.present) continue;
      indexes[count] = i;
      count += 1;
    }
    return indexes;
  }

  /**
   * Calls `visit` for each present channel, in ascending order.
   *
   * @param {(value: T, index: number) => void} visit
   */
  forEachPresent(visit) {
    const { presentLast } = this;
    if (presentLast === null || !this.isSorted || !this.#knowsAll()) {
      for (const index of this.present()) visit(/** @type {T} */ (this.get(index)), index);
      return;
    }
    // Channels that the visitor itself makes present are not visited.
    for (let link = this.presentFirst; link !== null; link = link.nextPresent) {
      const { index } = link;
      visit(/** @type {Slot} */ (this.slots[index]).value, index);
      if (link === presentLast) return;
    }
  }

  /**
   * One channel, for use as a trigger, an effect or an end of a connection.
   *
   * @param {number} index
   * @returns {Channel<T>}
   * @throws {UserError} there is no such channel
   */
  channel(index) {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.width)
      throw noChannel(this, index);
    this.facets ??= new Array(this.width);
    this.facets[index] ??= new Channel(this, index);
    return this.facets[index];
  }

  /** All channels in order. @returns {Channel<T>[]} */
  channels() {
    return Array.from({ length: this.width }, (_, i) => this.channel(i));
  }

  /** @param {Link} link  of a channel that was absent */
  markPresent(link) {
    link.nextPresent = null;
    const last = this.presentLast;
    if (last === null) {
      this.presentFirst = link;
    } else {
      last.nextPresent = link;
      link.previousPresent = last;
      if (last.index > link.index) this.isSorted = false;
    }
    this.presentLast = link;
  }

  /** @param {Link} link  of a channel that was present */
  markAbsent(link) {
    const { nextPresent: next, previousPresent: previous } = link;
    link.nextPresent = null;
    if (link === this.presentFirst) this.presentFirst = next;
    else /** @type {Link} */ (previous).nextPresent = next;
    if (link === this.presentLast) this.presentLast = this.presentFirst === null ? null : previous;
    else /** @type {Link} */ (next).previousPresent = previous;
    if (this.presentFirst === null) this.isSorted = true;
  }

  /** Makes all channels absent at the end of a tag. For the scheduler. */
  clearPresent() {
    this.presentFirst = null;
    this.presentLast = null;
    this.isSorted = true;
  }

  /**
   * The slot of a channel, for the scheduler.
   *
   * @param {number} index
   * @returns {Slot | null} null before the program runs
   */
  slotAt(index) {
    return this.slots[index];
  }

  /**
   * Sets the slot of a channel, or removes it with null. For the scheduler.
   *
   * @param {number} index
   * @param {Slot | null} slot
   */
  setSlot(index, slot) {
    this.slots[index] = slot;
  }

  /**
   * The port or the child that a channel is connected from.
   *
   * @param {number} index
   * @returns {AnyPort | Outlet | null} null if it has no source
   */
  fromAt(index) {
    return this.from === null ? null : this.from[index];
  }

  /**
   * The channel of the source that a channel is connected from.
   *
   * @param {number} index
   * @returns {number} 0 for a single port
   */
  fromIndexAt(index) {
    return this.fromIndexes === null ? 0 : this.fromIndexes[index];
  }

  /**
   * Connects a channel from a source. For assembling.
   *
   * @param {number} index
   * @param {AnyPort | Outlet | null} from
   * @param {number} fromIndex
   */
  setFrom(index, from, fromIndex) {
    this.from ??= new Array(this.width).fill(null);
    this.fromIndexes ??= new Array(this.width).fill(0);
    this.from[index] = from;
    this.fromIndexes[index] = fromIndex;
  }

  /**
   * The reactions that name one channel of it.
   *
   * @param {number} index
   * @returns {{ triggered: Reaction[], observed: Reaction[] }}
   */
  readersOf(index) {
    this.ofChannels ??= new Map();
    let readers = this.ofChannels.get(index);
    if (readers === undefined) {
      readers = { triggered: [], observed: [] };
      this.ofChannels.set(index, readers);
    }
    return readers;
  }

  /**
   * The reactions that a channel triggers.
   *
   * @param {number} index
   * @returns {Reaction[]}
   */
  triggeredAt(index) {
    const own = this.ofChannels?.get(index)?.triggered;
    return own === undefined ? this.triggered : [...this.triggered, ...own];
  }

  /**
   * The reactions that read a channel without being triggered by it.
   *
   * @param {number} index
   * @returns {Reaction[]}
   */
  observedAt(index) {
    const own = this.ofChannels?.get(index)?.observed;
    return own === undefined ? this.observed : [...this.observed, ...own];
  }

  /**
   * The name of a channel in error messages.
   *
   * @param {number} index
   * @returns {string}
   */
  channelPath(index) {
    return `${this.path}[${index}]`;
  }

  /** Whether the running reaction may read all channels, of which a list is kept. */
  #knowsAll() {
    const { running } = this.#slot(0).region;
    if (running === this.reader) return this.observed.length > 0;
    return false;
  }

  /** @param {number} index */
  #slot(index) {
    // A name such as "length" is an index of a list, too.
    const slot = typeof index === 'number' ? this.slots[index] : undefined;
    if (slot === undefined) throw noChannel(this, index);
    if (slot === null) throw notRunning(this);
    return slot;
  }
}

/** @param {MultiPort<any>} port @param {unknown} index */
const noChannel = ({ path, width }, index) => {
  const which = width === 0 ? 'its width is 0' : `it has 0 to ${width - 1}`;
  return new UserError(`${path} has no channel ${quote(index)}; ${which}`);
};

/**
 * The channels that a reaction may read, if it declared only some; null for all, or none.
 *
 * @param {MultiPort<any>} port
 * @param {Reaction | null} running
 */
const channelsOf = (port, running) => {
  const read = running?.reads.get(port);
  const written = running?.writes.get(port);
  if (read === null || written === null || (read ?? written) === undefined) return null;
  return [...new Set([...(read ?? []), ...(written ?? [])])].sort((a, b) => a - b);
};

/**
 * One channel of a multiport.
 *
 * @template T
 */
export class Channel {
  /**
   * @param {MultiPort<T>} port
   * @param {number} index
   */
  constructor(port, index) {
    this.port = port;
    this.index = index;
  }

  /** The name of the channel in error messages: the multiport's path and the index. @returns {string} */
  get path() {
    return this.port.channelPath(this.index);
  }

  /**
   * The value of the channel at this tag.
   *
   * @returns {T | undefined} undefined if it is absent
   * @throws {UserError} in a reaction that did not declare it, or before its program runs
   */
  get() {
    return this.port.get(this.index);
  }

  /**
   * A copy of the channel's value, which the reaction may change.
   *
   * @returns {T | undefined} undefined if it is absent
   * @throws {UserError} in a reaction that did not declare it, or before its program runs
   */
  mutable() {
    return this.port.mutable(this.index);
  }

  /**
   * Whether the channel has a value at this tag.
   *
   * @returns {boolean}
   * @throws {UserError} in a reaction that did not declare it, or before its program runs
   */
  isPresent() {
    return this.port.isPresent(this.index);
  }

  /**
   * Writes the channel at this tag; the last value written counts.
   *
   * @param {T} value
   * @throws {UserError} outside a reaction, or in one that did not declare it as an effect
   */
  set(value) {
    this.port.set(this.index, value);
  }
}

/**
 * `new InMultiPort(this, width)` in a reactor; the shorter form is `this.inputs(width)`.
 *
 * @template T
 * @extends {MultiPort<T>}
 */
export class InMultiPort extends MultiPort {
  /**
   * @param {any} container
   * @param {number} width
   */
  constructor(container, width) {
    super(container, width, true);
  }
}

/**
 * `new OutMultiPort(this, width)` in a reactor; the shorter form is `this.outputs(width)`.
 *
 * @template T
 * @extends {MultiPort<T>}
 */
export class OutMultiPort extends MultiPort {
  /**
   * @param {any} container
   * @param {number} width
   */
  constructor(container, width) {
    super(container, width, false);
  }
}
