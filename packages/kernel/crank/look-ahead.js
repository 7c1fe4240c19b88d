// Items that begin ahead of their turn: of vats that run elsewhere while the kernel goes on, and of vats on the
// kernel's thread while it waits for another thread. ahead.js decides which items of the present tag may begin,
// later-reactions.js which reactions of later tags.

import { ChurnMap, Fail, numberOfId } from '#model';
import { beginReady, keyOfItem, openStage, planFlight } from './ahead.js';
import { LaterReactions } from './later-reactions.js';
import { route } from './routing.js';

/** @import { Tag, When } from '#model' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Rest } from './ahead.js' */
/** @import { Flight, Transport } from './flight.js' */
/** @import { TransportKeeper } from './transports.js' */

/** @type {readonly string[]} */
const none = Object.freeze([]);

/** With this many items begun ahead, a turn looks for no others. */
const fewAhead = 8;

/** Items examined to find work for the kernel's thread while it waits for another one. */
const mostLooked = 64;

/**
 * A reaction that began ahead of earlier tags.
 *
 * @typedef {{ flight: Flight, when: When, unforeseen: number }} Later  `unforeseen`: `ReactorKeeper.unforeseen` at its
 *   beginning
 */

/** @param {Route} found @param {Route} other  both of reactions of one vat */
const areSame = (found, other) =>
  found.step === 'react' &&
  other.step === 'react' &&
  found.isLast === other.isLast &&
  found.stages.length === other.stages.length &&
  found.values.length === other.values.length &&
  found.values.every((value, i) => value === other.values[i]);

/** After a search among many items, the next one waits until this part of them has had its turn. */
const leastPassed = 1 / 16;

/**
 * The outcome of the last search at a tag and stage. The next search is made only where it may find something, and not
 * after each crank if it is long.
 */
class Looked {
  #timeNs = -1;

  #microstep = -1;

  #stage = -1;

  /** @type {Rest | undefined} */
  #rest;

  /** The last head, and the number of heads since the search. @type {Flight | undefined} */
  #head;

  #passed = 0;

  /** Whether a search since then would have found something. */
  #isDue = false;

  /**
   * @param {Flight} head
   * @param {string} freed  the vat of the head before it
   */
  isWorthwhile(head, freed) {
    const { item } = head;
    const rest = this.#rest;
    const isSame =
      this.#microstep === item.microstep &&
      this.#timeNs === item.timeNs &&
      this.#stage === openStage(item);
    if (rest === undefined || !isSame) return true;
    if (head !== this.#head) {
      this.#head = head;
      this.#passed += 1;
    }
    this.#isDue ||=
      rest.mayFind === 'anything' || (rest.mayFind === 'vats' && rest.vatIds.has(freed));
    return this.#isDue && this.#passed >= Math.floor(rest.looked * leastPassed);
  }

  /** @param {Flight} head @param {Rest} rest */
  note({ item }, rest) {
    this.#timeNs = item.timeNs;
    this.#microstep = item.microstep;
    this.#stage = openStage(item);
    this.#rest = rest;
    this.#passed = 0;
    this.#isDue = false;
  }
}

export class LookAhead {
  #state;

  #transports;

  #lookahead;

  #begin;

  /** @type {ChurnMap<number, Flight>} by `keyOfItem` */
  #flights = new ChurnMap();

  /** For vats that run elsewhere. */
  #elsewhere = new Looked();

  /** For vats on the kernel's thread. */
  #here = new Looked();

  /** Flights that began ahead of earlier tags, by `keyOfItem`. @type {Map<number, Later>} */
  #later = new Map();

  #laterReactions;

  /** How many reactions began ahead of earlier tags, and how many of their vats were taken back. */
  counts = { begunLater: 0, takenBack: 0 };

  /** @type {Flight | undefined} */
  #head;

  /** The vat of the head before it. */
  #freed = '';

  /**
   * @param {KernelState} state
   * @param {TransportKeeper} transports
   * @param {number} lookahead  how many items behind the head may be begun early
   * @param {(flight: Flight, transport: Transport, when?: When) => void} begin  hands a delivery to its vat
   */
  constructor(state, transports, lookahead, begin) {
    this.#state = state;
    this.#transports = transports;
    this.#lookahead = lookahead;
    this.#begin = begin;
    this.#laterReactions = new LaterReactions(state);
  }

  /** Whether items have begun ahead of their turn. */
  get hasBegun() {
    return this.#flights.size > 0;
  }

  /**
   * Takes the flight of an item whose turn has come.
   *
   * @param {Item} item
   * @returns {Flight | undefined} undefined if it was not begun ahead
   */
  take(item) {
    if (this.#flights.size === 0) return undefined;
    const key = keyOfItem(item);
    const early = this.#flights.get(key);
    if (early === undefined) return undefined;
    const later = this.#later.get(key);
    if (later !== undefined && !this.#isAsPlanned(later, item)) {
      this.takeBack(early.vatId);
      return undefined;
    }
    this.#later.delete(key);
    this.#flights.delete(key);
    // If its vat has ended meanwhile, its result is discarded and the item is routed again.
    return this.#state.vats.isRunning(early.vatId) ? early : undefined;
  }

  /** Whether nothing has reached a vat since its reactions began. @param {Later} later @param {Item} item  its own */
  #isAsPlanned({ flight: { found }, when }, item) {
    return (
      item.timeNs === when.timeNs &&
      item.microstep === when.microstep &&
      item.stage === when.stage &&
      areSame(found, route(this.#state, item))
    );
  }

  /**
   * Takes a vat back if its reactions have begun ahead of earlier tags, because something reaches it before them.
   *
   * @param {string} vatId
   */
  takeBack(vatId) {
    if (this.#later.size === 0) return;
    const key = -numberOfId(vatId);
    const later = this.#later.get(key);
    if (later === undefined) return;
    later.unforeseen < this.#state.reactors.unforeseen ||
      Fail`vat ${vatId} has run ahead of something that could reach it`;
    this.#later.delete(key);
    this.#flights.delete(key);
    this.counts.takenBack += 1;
    const { transport } = later.flight;
    if (transport?.rewind === undefined) throw Fail`vat ${vatId} cannot be taken back`;
    transport.rewind();
  }

  /** Forgets the reactions of an ended vat; their item has left the queue. @param {string} vatId */
  forget(vatId) {
    if (this.#lookahead === 0) return;
    this.#flights.delete(-numberOfId(vatId));
    this.#later.delete(-numberOfId(vatId));
  }

  /**
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind the head
   * @param {Tag} until  items of a later tag wait
   */
  beginAhead(head, room, until) {
    if (this.#lookahead === 0) return;
    if (!this.#transports.hasOverlapping && !this.hasBegun) return;
    this.#beginElsewhere(head, room);
    const { hasAny, mayBeginLater } = this.#state.reactors;
    if (hasAny && mayBeginLater) this.#beginLater(head, until);
  }

  /** @param {Flight} head @param {Tag} until  items of a later tag wait */
  #beginLater(head, until) {
    if (this.#flights.size > fewAhead) return;
    const state = this.#state;
    const isFree = (/** @type {string} */ vatId) => {
      const transport = this.#transports.find(vatId);
      if (transport?.rewind === undefined || this.#flights.has(-numberOfId(vatId))) return false;
      return transport.waitsForTurn === true || !state.vats.require(vatId).holdsDevice;
    };
    for (const { vatId, item } of this.#laterReactions.find(head, until, isFree)) {
      const flight = planFlight(state, item, route(state, item));
      const { timeNs, microstep, stage } = item;
      const when = { timeNs, microstep, stage, mustNotWait: true };
      this.#flights.set(keyOfItem(item), flight);
      this.#later.set(keyOfItem(item), { flight, when, unforeseen: state.reactors.unforeseen });
      this.counts.begunLater += 1;
      this.#begin(flight, this.#transports.require(vatId), when);
    }
  }

  /**
   * @param {Flight} head
   * @param {number} room  cranks that may still run behind the head
   */
  #beginElsewhere(head, room) {
    const transports = this.#transports;
    this.#noteHead(head);
    if (!this.#elsewhere.isWorthwhile(head, this.#freed)) return;
    // Searching many items again after each crank costs more than it gains.
    if (this.#flights.size > fewAhead && this.#flights.size * 2 > this.#lookahead) return;
    const begin = (/** @type {Flight} */ flight, /** @type {boolean} */ mustNotWait) => {
      // A vat that was just created begins in its turn.
      const transport = transports.find(flight.vatId);
      if (transport === undefined) return 'notYet';
      this.#flights.set(keyOfItem(flight.item), flight);
      const { timeNs, microstep, stage } = flight.item;
      const when = mustNotWait ? { timeNs, microstep, stage, mustNotWait } : undefined;
      this.#begin(flight, transport, when);
      return 'begun';
    };
    const limit = Math.min(this.#lookahead, room);
    const { earlinessOf } = transports;
    this.#elsewhere.note(
      head,
      beginReady(this.#state, head, this.#flights, this.#busyLater(), limit, earlinessOf, begin),
    );
  }

  /** Vats whose reactions of later tags have begun. @returns {readonly string[]} */
  #busyLater() {
    return this.#later.size === 0
      ? none
      : Array.from(this.#later.values(), each => each.flight.vatId);
  }

  /** @param {Flight} head */
  #noteHead(head) {
    if (head === this.#head) return;
    this.#freed = this.#head?.vatId ?? '';
    this.#head = head;
  }

  /**
   * Lets vats on this thread carry out items behind the head while the head's vat runs elsewhere.
   *
   * @param {Flight} head
   * @param {Transport} transport  the head's
   * @param {number} room  cranks that may still run behind the head
   * @returns {Promise<void> | null} wait for it, then call again
   */
  workMeanwhile(head, transport, room) {
    if (transport.isDone === undefined || transport.isDone()) return null;
    return this.#workHere(head, transport, room);
  }

  /**
   * @param {Flight} head
   * @param {Transport} transport  the head's
   * @param {number} room  cranks that may still run behind the head
   * @returns {Promise<void> | null} as `workMeanwhile`
   */
  #workHere(head, transport, room) {
    this.#noteHead(head);
    if (!this.#here.isWorthwhile(head, this.#freed)) return null;
    /** @type {Promise<void> | null} */
    let waiting = null;
    const begin = (/** @type {Flight} */ flight) => {
      const own = this.#transports.find(flight.vatId) ?? Fail`vat ${flight.vatId} runs nowhere`;
      this.#flights.set(keyOfItem(flight.item), flight);
      this.#begin(flight, own);
      waiting = own.work?.() ?? null;
      return waiting === null && !transport.isDone?.() ? 'begun' : 'last';
    };
    const limit = Math.min(mostLooked, room);
    const { earlinessHere } = this.#transports;
    const later = this.#busyLater();
    const rest = beginReady(this.#state, head, this.#flights, later, limit, earlinessHere, begin);
    this.#here.note(head, rest);
    return waiting;
  }
}
