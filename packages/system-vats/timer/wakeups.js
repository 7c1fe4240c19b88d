// All waiting events of the timer vat, and the device's one wake-up for the earliest of them.
//
// An event is registered by its cancel token and by its handler until it ends; it is in the schedule only while it has
// a time. A repeater has no time while its handler is at work.

import { Schedule } from './schedule.js';

/**
 * The device, with times as numbers.
 *
 * @typedef {object} Alarm
 * @property {() => number} now
 * @property {() => number} last  the latest possible time
 * @property {(time: number) => void} set  wake the vat at this time; no wake-up may be set
 * @property {() => void} clear
 */

/**
 * @typedef {object} Event
 * @property {number | undefined} time  when it is due, if it is in the schedule
 * @property {unknown} token  cancels it, unless it is undefined
 * @property {unknown} handler  the object that it wakes
 * @property {(now: number) => void} fire
 * @property {() => void} onCancel
 */

/** Sets of events by key. An empty set is removed. */
class Index {
  /** By objects. @type {WeakMap<object, Set<Event>>} */
  #ofObjects = new WeakMap();

  /** By other values. @type {Map<unknown, Set<Event>>} */
  #ofData = new Map();

  /** @param {any} key @returns {Pick<WeakMap<any, Set<Event>>, 'get' | 'set' | 'delete'>} */
  #setsFor(key) {
    return Object(key) === key ? this.#ofObjects : this.#ofData;
  }

  /** @param {unknown} key @param {Event} event */
  add(key, event) {
    if (key === undefined) return;
    const sets = this.#setsFor(key);
    const known = sets.get(key);
    if (known === undefined) sets.set(key, new Set([event]));
    else known.add(event);
  }

  /** @param {unknown} key @param {Event} event */
  delete(key, event) {
    if (key === undefined) return;
    const sets = this.#setsFor(key);
    const events = sets.get(key);
    if (events?.delete(event) && events.size === 0) sets.delete(key);
  }

  /** @param {unknown} key @returns {Event[]} in the order in which they were added */
  list(key) {
    return [...(this.#setsFor(key).get(key) ?? [])];
  }
}

export class Wakeups {
  #alarm;

  /** @type {Schedule<Event>} */
  #schedule = new Schedule();

  #byToken = new Index();

  #byHandler = new Index();

  /** The time of the device's wake-up, if one is set. @type {number | undefined} */
  #setTo;

  /** @param {Alarm} alarm */
  constructor(alarm) {
    this.#alarm = alarm;
  }

  now() {
    return this.#alarm.now();
  }

  last() {
    return this.#alarm.last();
  }

  /** @param {Event} event  new */
  register(event) {
    this.#byToken.add(event.token, event);
    this.#byHandler.add(event.handler, event);
  }

  /** @param {Event} event  ended */
  forget(event) {
    this.#byToken.delete(event.token, event);
    this.#byHandler.delete(event.handler, event);
  }

  /**
   * @param {Event} event  registered, without a time
   * @param {number} time  in the future
   */
  schedule(event, time) {
    event.time = time;
    this.#schedule.add(time, event);
    this.#adjust();
  }

  /** Cancel the events with this token. @param {unknown} token */
  cancel(token) {
    this.#end(this.#byToken.list(token));
  }

  /**
   * Cancel the events of this handler.
   *
   * @param {unknown} handler
   * @returns {number[]} the times of its wake-ups, in order
   */
  removeHandler(handler) {
    const times = this.#end(this.#byHandler.list(handler));
    return times.sort((left, right) => left - right);
  }

  /** The device's wake-up has come: fire the due events. */
  wake() {
    const now = this.now();
    // An early wake-up, sent before a later time was set, leaves the later one set.
    if (this.#setTo !== undefined && this.#setTo <= now) this.#setTo = undefined;
    for (const event of this.#schedule.takeUpTo(now)) {
      event.time = undefined;
      event.fire(now);
    }
    this.#adjust();
  }

  /** @param {Event[]} events @returns {number[]} the times of those that had one */
  #end(events) {
    /** @type {number[]} */
    const times = [];
    for (const event of events) {
      this.forget(event);
      if (event.time !== undefined) {
        times.push(event.time);
        this.#schedule.remove(event.time, event);
        event.time = undefined;
      }
      event.onCancel();
    }
    this.#adjust();
    return times;
  }

  /** Set the device's wake-up to the earliest event. */
  #adjust() {
    const { first } = this.#schedule;
    if (first === this.#setTo) return;
    if (this.#setTo !== undefined) this.#alarm.clear();
    // If the device refuses, it throws and no wake-up is set.
    this.#setTo = undefined;
    if (first !== undefined) this.#alarm.set(first);
    this.#setTo = first;
  }
}
