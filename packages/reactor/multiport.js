// Multiports: ports of several channels. A multiport that is read keeps a list of the channels that are present, so that
// a reaction that looks at ten of a thousand channels looks at ten.

import { UserError, quote } from '#model';
import { insistContainer, insistUnassembled, insistWidth } from './container.js';
import { copyValue } from './freeze-value.js';
import { checkReader, checkWriter, notRunning } from './port.js';

/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Slot, Link } from './slot.js' */
/** @import { Outlet } from './outlet.js' */

/** @typedef {{ triggered: Reaction[], observed: Reaction[] }} Readers */

/** @template T */
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
    /** @type {Reaction[]} by any of its channels */
    this.triggered = [];
    /** @type {Reaction[]} triggered by it, or reading it only */
    this.observed = [];
    /** @type {Map<number, Readers> | null} reactions that name single channels */
    this.ofChannels = null;
    /** @type {Reaction[]} */
    this.writers = [];
    /** @type {Reaction | undefined} the last that wrote, so may write; undefined is none, as no reaction is null */
    this.writer = undefined;
    /** @type {Reaction | null} the last that read; outside reactions anybody may */
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

  /** @param {number} index */
  isPresent(index) {
    const slot = this.#slot(index);
    const { running } = slot.region;
    if (running !== this.reader) checkReader(this, running, index);
    return slot.present;
  }

  /**
   * @param {number} index
   * @param {T} value
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

  /** All values by channel, undefined where a channel is absent. */
  values() {
    return Array.from({ length: this.width }, (_, i) => this.get(i));
  }

  /**
   * The channels that are present, in ascending order. It costs what is present, not what the port is wide.
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
      // Nothing is declared to read it, so no list is kept: it is a reaction that looks at what it writes itself.
      return Array.from({ length: this.width }, (_, i) => i).filter(i => this.slots[i]?.present);
    }
    /** @type {number[]} */
    const indexes = [];
    for (let link = this.presentFirst; link !== null; link = link.nextPresent)
      indexes.push(link.index);
    if (this.isSorted) return indexes;
    // Of many it is quicker to look at each channel than to sort.
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
   * Call `visit` for each channel that is present, in ascending order.
   *
   * @param {(value: T, index: number) => void} visit
   */
  forEachPresent(visit) {
    const { presentLast } = this;
    if (presentLast === null || !this.isSorted || !this.#knowsAll()) {
      for (const index of this.present()) visit(/** @type {T} */ (this.get(index)), index);
      return;
    }
    // What the visitor itself makes present is not visited.
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
   */
  channel(index) {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.width) {
      throw new UserError(
        `${this.path} has no channel ${quote(index)}; it has 0 to ${this.width - 1}`,
      );
    }
    this.facets ??= new Array(this.width);
    this.facets[index] ??= new Channel(this, index);
    return this.facets[index];
  }

  /** All channels in order. */
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
      if (last.index > link.index) this.isSorted = false;
    }
    this.presentLast = link;
  }

  clearPresent() {
    this.presentFirst = null;
    this.presentLast = null;
    this.isSorted = true;
  }

  /** @param {number} index */
  slotAt(index) {
    return this.slots[index];
  }

  /**
   * @param {number} index
   * @param {Slot | null} slot
   */
  setSlot(index, slot) {
    this.slots[index] = slot;
  }

  /** @param {number} index */
  fromAt(index) {
    return this.from === null ? null : this.from[index];
  }

  /** @param {number} index */
  fromIndexAt(index) {
    return this.fromIndexes === null ? 0 : this.fromIndexes[index];
  }

  /**
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

  /** @param {number} index */
  triggeredAt(index) {
    const own = this.ofChannels?.get(index)?.triggered;
    return own === undefined ? this.triggered : [...this.triggered, ...own];
  }

  /** @param {number} index */
  observedAt(index) {
    const own = this.ofChannels?.get(index)?.observed;
    return own === undefined ? this.observed : [...this.observed, ...own];
  }

  /** @param {number} index */
  channelPath(index) {
    return `${this.path}[${index}]`;
  }

  /** Whether the reaction that runs may look at all channels, of which a list is kept. */
  #knowsAll() {
    const { running } = this.#slot(0).region;
    if (running === this.reader) return this.observed.length > 0;
    return false;
  }

  /** @param {number} index */
  #slot(index) {
    const slot = this.slots[index];
    if (slot === undefined) {
      throw new UserError(
        `${this.path} has no channel ${quote(index)}; it has 0 to ${this.width - 1}`,
      );
    }
    if (slot === null) throw notRunning(this);
    return slot;
  }
}

/**
 * The channels of which a reaction may know, if it declared some only; null for all, or none.
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

  get path() {
    return this.port.channelPath(this.index);
  }

  /** @returns {T | undefined} */
  get() {
    return this.port.get(this.index);
  }

  mutable() {
    return this.port.mutable(this.index);
  }

  isPresent() {
    return this.port.isPresent(this.index);
  }

  /** @param {T} value */
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
