// The place of a value. Connected ports have no value of their own: all ports connected at zero delay share the slot of
// the one that is written, so a write goes to one place, however many read it.

/** @import { Region } from './region.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { MultiPort } from './multiport.js' */
/** @import { Outlet } from './outlet.js' */
/** @import { Event } from './event.js' */

/** Shared by all slots that nothing reads. @type {readonly Reaction[]} */
export const noReactions = Object.freeze([]);

export class Slot {
  /**
   * @param {Region} region
   * @param {any} owner  the port, action, timer or delay that is written
   * @param {number} index  its channel; 0 if it has only one
   */
  constructor(region, owner, index) {
    /** @type {any} */
    this.value = undefined;
    this.present = false;
    this.region = region;
    /** @type {Slot | null} the slot written before it at this tag */
    this.nextWritten = null;
    /** @type {Slot | null} the slot written after it at this tag, unless it is the last one */
    this.previousWritten = null;
    /** @type {readonly Reaction[]} reactions that run when it is written */
    this.readers = noReactions;
    /** @type {readonly Reaction[]} those, and reactions that only read it */
    this.observers = noReactions;
    this.owner = owner;
    this.index = index;
    /** @type {Set<Event> | null} its pending events, once they may be taken out of turn */
    this.events = null;
    /** Mutations that may reconnect one of its ports. @type {readonly Reaction[]} */
    this.rewirers = noReactions;
    /** @type {Link | null} links to read multiports that have it as a channel */
    this.links = null;
    /** @type {Outlet[] | null} outlets from it: connections that are delayed, physical or of a mode */
    this.outlets = null;
    /** @type {Outlet[] | null} connections of modes that lead to it */
    this.inlets = null;
  }
}

/** A slot as a channel of a multiport that keeps a list of its present channels. */
export class Link {
  /**
   * @param {MultiPort<any>} port
   * @param {number} index
   * @param {Link | null} next  the next link of the slot
   */
  constructor(port, index, next) {
    this.port = port;
    this.index = index;
    this.next = next;
    /** @type {Link | null} the next present link of the port */
    this.nextPresent = null;
    /** @type {Link | null} the present link before it, unless it is the first one */
    this.previousPresent = null;
  }
}

/** Up to so many reactions are looked for one by one: a table would be made anew for each of a slot's ports. */
const fewReactions = 4;

/** Lists that belong to one slot only and may grow in place; all other lists are ports' own. @type {WeakSet<object>} */
const grown = new WeakSet();

/**
 * A slot's list with more reactions at its end. While a program runs, a slot that many ports share grows port by port,
 * so a copy each time would be slow.
 *
 * @param {readonly Reaction[]} present  the slot's list; not to be used any more
 * @param {readonly Reaction[]} more
 * @returns {readonly Reaction[]}
 */
export const withReactions = (present, more) => {
  if (more.length === 0) return present;
  if (present.length === 0) return more;
  if (grown.has(present)) {
    for (const reaction of more) /** @type {Reaction[]} */ (present).push(reaction);
    return present;
  }
  const list = [...present, ...more];
  grown.add(list);
  return list;
};

/**
 * @param {readonly Reaction[]} present
 * @param {readonly Reaction[]} gone  each is removed once
 */
export const withoutReactions = (present, gone) => {
  if (gone.length === 0) return present;
  if (present === gone) return noReactions;
  if (gone.length <= fewReactions) {
    const list = [...present];
    for (const reaction of gone) {
      const at = list.indexOf(reaction);
      if (at >= 0) list.splice(at, 1);
    }
    return list;
  }
  /** How often each is to be removed. @type {Map<Reaction, number>} */
  const counts = new Map();
  for (const reaction of gone) counts.set(reaction, (counts.get(reaction) ?? 0) + 1);
  return present.filter(reaction => {
    const count = counts.get(reaction) ?? 0;
    if (count > 0) counts.set(reaction, count - 1);
    return count === 0;
  });
};
