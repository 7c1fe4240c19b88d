// Decides which messages and notifies of the next microstep may begin before the items of the present one are applied:
// those that nothing in front can reach any more. So a thread need not wait until the kernel has applied a whole microstep.
// Changes nothing.
//
// THE CONDITION. Let X be an item of the next microstep that goes to the vat V. X may begin if:
// - X is the first item there for V, and no item of the present tag that is not applied yet goes to V. Items that cranks
//   queue go behind X, since X is queued already, except those of object collection;
// - no step of object collection is queued at the next microstep, and none of the vats that still run at the present tag
//   may become due for it (`Reaper.isNear`), since then V could be asked before X;
// - all items of the present tag and those before X are messages and notifies whose vats are known. Others, such as the
//   start or the upgrade of a vat, may change where items go;
// - no vat has reactors;
// - X reaches only settled promises if it is a notify, so that its batch is fixed, and gives V no device;
// - V need not wait for its turn (`When.mustNotWait`), since V's thread may be needed by items before X, and V can be
//   taken back;
// - X still runs in this call of `pump`.
//
// Some things cannot be foreseen; they are counted in `ReactorKeeper.unforeseen`, and `LookAhead` takes V back as
// later-reactions.js describes.

import { compareTags, isObjectKref } from '#model';
import { classes } from '#schedule';
import { bringsDevice, isFixed, mayBringDevice, planFlight } from './ahead.js';
import { isDelivery, route } from './routing.js';

/** @import { Tag } from '#model' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Flight } from './flight.js' */

/** An item of the next tag, and how many are in front of it there. @typedef {{ vatId: string, item: Item, place: number }} Next */

/** @type {readonly Flight[]} */
const none = Object.freeze([]);

/** @type {ReadonlySet<string>} */
const noVats = new Set();

/**
 * The vat that an item goes to, unless that vat has ended; undefined if it may go elsewhere, or is neither a message to
 * an object nor a notify.
 *
 * @param {KernelState} state
 * @param {Item} item
 */
const findVat = ({ owners }, { kind, vatId, home, target }) => {
  if (kind === 'notify') return vatId;
  if (kind !== 'send') return undefined;
  if (vatId !== '') return vatId;
  if (home !== null && home.isListed) return home.clist.parts?.id;
  return isObjectKref(target) ? owners.get(target) : undefined;
};

/** The number of an item that comes after all others. */
const lastSeq = Infinity;

export class NextTag {
  #state;

  #lookahead;

  #isNear;

  /** The tag of the head at the last search. */
  #timeNs = -1;

  #microstep = -1;

  /** @type {Flight | undefined} the last head that was searched for */
  #searched;

  /**
   * The items of the present tag, from the first head that was searched for, and their vats; '' if they are not known.
   *
   * @type {{ seq: number, vatId: string }[]}
   */
  #present = [];

  /** How many of them have passed. */
  #passed = 0;

  /** The vats of those items, and the number of the last item for each. @type {Map<string, number>} */
  #lastSeqs = new Map();

  /** Nothing begins before the item of this number is applied. */
  #blockedUntil = -1;

  /** The items of the present tag are listed again from the item of this number on, if not all of them were. */
  #listedUntil = lastSeq;

  /** The number of items of the next tag that were looked at. */
  #looked = 0;

  /** Vats of those items. @type {Set<string>} */
  #seen = new Set();

  /** Vats that still have items at the present tag, and their first items at the next. @type {Map<string, Next>} */
  #waiting = new Map();

  /** Whether an item of the next tag stops the search. */
  #isStopped = false;

  /**
   * @param {KernelState} state
   * @param {number} lookahead  items of a tag that are listed, at most
   * @param {(vatId: string, cranks: number) => boolean} isNear  whether some more cranks of a vat may make vats due for
   *   object collection
   */
  constructor(state, lookahead, isNear) {
    this.#state = state;
    this.#lookahead = lookahead;
    this.#isNear = isNear;
  }

  /**
   * The items that may begin now and could not at the head before, in their order.
   *
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind the head
   * @param {Tag} until  items of a later tag wait
   * @param {(vatId: string) => boolean} isFree  whether a vat can begin now, and be taken back
   * @returns {readonly Flight[]}
   */
  find(head, room, until, isFree) {
    const { item } = head;
    if (head === this.#searched || head.isPrepared || item.class !== classes.message) return none;
    this.#searched = head;
    const isSame = item.timeNs === this.#timeNs && item.microstep === this.#microstep;
    if (!isSame || item.seq >= this.#listedUntil) this.#list(item, isSame);
    if (this.#isStopped || item.seq <= this.#blockedUntil) return none;
    const next = { timeNs: item.timeNs, microstep: item.microstep + 1 };
    if (compareTags(next, until) > 0) return none;
    const found = this.#findItems(item, next);
    if (found.length === 0) return none;
    const left = this.#present.length - this.#passed;
    /** @type {Flight[]} */
    const flights = [];
    for (const { vatId, item: each, place } of found) {
      // The head is one of those left, and `place` counts from 0.
      if (left + place > room || !isFree(vatId)) continue;
      const flight = this.#plan(vatId, each);
      if (flight !== undefined) flights.push(flight);
    }
    return flights;
  }

  /** @param {Item} item  the head's @param {boolean} isSame  whether the tag is the one of the last search */
  #list(item, isSame) {
    const { queue, reactors } = this.#state;
    this.#timeNs = item.timeNs;
    this.#microstep = item.microstep;
    this.#passed = 0;
    this.#lastSeqs.clear();
    this.#blockedUntil = -1;
    this.#listedUntil = lastSeq;
    if (!isSame) {
      this.#looked = 0;
      this.#seen.clear();
      this.#waiting.clear();
    }
    this.#isStopped = reactors.hasAny || (isSame && this.#isStopped);
    this.#present = [];
    if (this.#isStopped) return;
    const items = [item, ...queue.ahead(this.#lookahead)];
    this.#present = items.map(each => ({
      seq: each.seq,
      vatId: findVat(this.#state, each) ?? '',
    }));
    const { length } = this.#present;
    if (length > this.#lookahead) {
      this.#blockedUntil = lastSeq;
      this.#listedUntil = this.#present[length >> 1].seq;
      return;
    }
    for (const { seq, vatId } of this.#present) {
      if (vatId === '' || this.#isNear(vatId, length)) this.#blockedUntil = seq;
      else this.#lastSeqs.set(vatId, seq);
    }
  }

  /** @param {Item} item  the head's @param {Tag} next */
  #findItems({ seq }, next) {
    /** @type {Next[]} */
    const found = [];
    const present = this.#present;
    for (; this.#passed < present.length && present[this.#passed].seq < seq; this.#passed += 1) {
      const { vatId, seq: passed } = present[this.#passed];
      const waiting = this.#waiting.get(vatId);
      if (waiting === undefined || this.#lastSeqs.get(vatId) !== passed) continue;
      this.#waiting.delete(vatId);
      found.push(waiting);
    }
    const items = this.#state.queue.messagesOf(next, this.#looked, this.#lookahead);
    // A step of object collection is queued.
    if (items === undefined) return [];
    for (let i = 0; i < items.length; i += 1) {
      const item = items[i];
      const vatId = findVat(this.#state, item);
      if (vatId === undefined) {
        this.#isStopped = true;
        break;
      }
      const place = this.#looked;
      this.#looked += 1;
      if (this.#seen.has(vatId)) continue;
      this.#seen.add(vatId);
      if ((this.#lastSeqs.get(vatId) ?? -1) >= seq)
        this.#waiting.set(vatId, { vatId, item, place });
      else found.push({ vatId, item, place });
    }
    return found;
  }

  /** @param {string} vatId @param {Item} item @returns {Flight | undefined} undefined if it must not begin */
  #plan(vatId, item) {
    const state = this.#state;
    const found = route(state, item);
    if (!isDelivery(found) || found.vatId !== vatId || mayBringDevice(state, found))
      return undefined;
    if (!isFixed(state, found, noVats, true)) return undefined;
    const flight = planFlight(state, item, found);
    return bringsDevice(flight.plan) ? undefined : flight;
  }
}
