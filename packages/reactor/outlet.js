// An outlet: a connection with a delay, by the physical clock, or only while a mode is active.

/** @import { Slot } from './slot.js' */
/** @import { ReactorNode } from './node.js' */
/** @import { Mode } from './mode.js' */
/** @import { AnyPort, Port } from './port.js' */
/** @import { MultiPort } from './multiport.js' */

export class Outlet {
  /**
   * @param {ReactorNode} node  the reactor that contains the connection
   * @param {Mode | null} mode
   * @param {{ delayNs: number, isPhysical: boolean }} kind  `delayNs` is -1 for a connection without `after`
   */
  constructor(node, mode, { delayNs, isPhysical }) {
    this.node = node;
    this.mode = mode;
    this.delayNs = delayNs;
    this.isPhysical = isPhysical;
    /** Whether it has no delay, so that levels must respect it. */
    this.isImmediate = delayNs < 0 && !isPhysical;
    /** @type {Port<any> | MultiPort<any> | null} */
    this.source = null;
    this.sourceIndex = 0;
    /** @type {Port<any> | MultiPort<any> | null} */
    this.destination = null;
    this.index = 0;
    /** @type {Slot | null} of the destination */
    this.target = null;
    /** @type {Slot | null} of its events, if it has a delay: its own in a mode, otherwise the destination's */
    this.slot = null;
    /** @type {Mode | null} the innermost mode that it lies in, when it runs */
    this.enclosing = mode;
    /** All connections to its destination, in the order in which they were made: with it those of other modes. */
    this.rivals = /** @type {Outlet[]} */ ([this]);
  }

  get path() {
    return /** @type {any} */ (this.destination).channelPath(this.index);
  }

  /** @param {Outlet} known  leads to the same channel, in another mode */
  join(known) {
    this.rivals = known.rivals;
    this.rivals.push(this);
  }

  /** Takes it from the connections to its destination. */
  leave() {
    const { rivals } = this;
    rivals.splice(rivals.indexOf(this), 1);
  }

  /** @param {unknown} value */
  passOn(value) {
    if (!this.isImmediate || !isActive(this.mode)) return;
    const target = /** @type {Slot} */ (this.target);
    target.region.write(target, value);
  }

  /** @param {unknown} value  the value at the end of the tag */
  schedule(value) {
    if (this.isImmediate || !isActive(this.enclosing)) return;
    const slot = /** @type {Slot} */ (this.slot);
    const { scheduler } = slot.region;
    if (this.isPhysical) scheduler.schedulePhysical(slot, Math.max(this.delayNs, 0), value);
    else scheduler.schedule(slot, this.delayNs, value);
  }
}

/** @param {Mode | null} mode  with all modes around it */
export const isActive = mode => {
  for (let m = mode; m !== null; m = m.node.enclosing) if (!m.active) return false;
  return true;
};

/**
 * The name of a channel's source.
 *
 * @param {AnyPort} port
 * @param {number} index  connected
 * @param {Mode | null} mode  in which it is meant, where it has sources in several
 */
export const fromPath = (port, index, mode) => {
  const from = port.fromAt(index);
  if (from instanceof Outlet) {
    const { source, sourceIndex } = from.rivals.find(other => other.mode === mode) ?? from;
    return /** @type {AnyPort} */ (source).channelPath(sourceIndex);
  }
  return /** @type {AnyPort} */ (from).channelPath(port.fromIndexAt(index));
};

/**
 * Whether a channel is connected, so that a reaction cannot write it; ignores connections of other modes.
 *
 * @param {{ mode: Mode | null }} reaction
 * @param {AnyPort} port
 * @param {number} index
 */
export const isConnectedFor = ({ mode }, port, index) => {
  const from = port.fromAt(index);
  if (from === null) return false;
  if (!(from instanceof Outlet)) return true;
  return from.rivals.some(outlet => outlet.mode === null || outlet.mode === mode);
};
