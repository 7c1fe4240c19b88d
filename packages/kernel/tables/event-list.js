// The values under way to one vat, in the order of tags, then of channels. Most are added at the end and removed at the
// beginning; the place of others is found in log n. Each is a row of its own in the store (reactors.js).

import { forms } from '#model';
import { parseCount, parseList } from './row-fields.js';

/** @import { CapData } from '#model' */

const { count, text, texts } = forms;

/** Removed slots at the front are freed when there are more than this, and more than slots left. */
const fewTaken = 64;

/** Digits of a safe integer. */
const digits = 16;

/** @param {number} number */
const pad = number => String(number).padStart(digits, '0');

/** A value under way to a vat. */
export class PortEvent {
  /** Whether it is in the list now. */
  isThere = false;

  /** Changed since the last commit. */
  isDirty = false;

  /** Whether the store has it. */
  isStored = false;

  /**
   * @param {string} vatId
   * @param {number} timeNs
   * @param {number} microstep
   * @param {number} stage  of the channel; 0 unless the value arrives at the tag at which it was written
   * @param {number} channel  a number after the inputs is a physical action's
   * @param {CapData} data  in krefs
   */
  constructor(vatId, timeNs, microstep, stage, channel, data) {
    this.vatId = vatId;
    this.timeNs = timeNs;
    this.microstep = microstep;
    this.stage = stage;
    this.channel = channel;
    this.data = data;
  }

  /** The key in the store; keys sort in the order of the list. */
  get key() {
    return `value.${this.vatId}.${pad(this.timeNs)}.${pad(this.microstep)}.${pad(this.channel)}`;
  }

  get text() {
    const { stage, data } = this;
    return JSON.stringify([stage, data.body, data.slots]);
  }
}

const eventForms = /** @type {const} */ ([
  ['stage', count],
  ['body', text],
  ['slots', texts],
]);

/**
 * @param {string} key
 * @param {string} written
 * @throws {Error} it is no value for a port
 */
export const parseEvent = (key, written) => {
  const [, vatId, ...place] = key.split('.');
  if (place.length !== 3) throw Error('its key must end with three numbers');
  const [timeNs, microstep, channel] = place.map(parseCount);
  const [stage, body, slots] = parseList(written, eventForms);
  return new PortEvent(vatId, timeNs, microstep, stage, channel, { body, slots });
};

/**
 * Consecutive microsteps of one time at which a channel has a value; `to` is exclusive.
 *
 * @typedef {{ timeNs: number, from: number, to: number }} Run
 */

export class EventList {
  /** @type {PortEvent[]} */
  #events = [];

  #head = 0;

  /** The last run found, by channel. @type {Map<number, Run>} */
  #runs = new Map();

  #hasRuns = false;

  /** The least stage of the values at the first tag; -1: not known. */
  #leastStage = -1;

  get length() {
    return this.#events.length - this.#head;
  }

  /** @param {number} place */
  at(place) {
    return this.#events[this.#head + place];
  }

  /** @returns {PortEvent | undefined} */
  get first() {
    return this.#events[this.#head];
  }

  /** The least stage of the values at the first tag. The list must not be empty. */
  get leastStage() {
    if (this.#leastStage < 0) this.#leastStage = this.#findLeastStage();
    return this.#leastStage;
  }

  #findLeastStage() {
    const events = this.#events;
    const { timeNs, microstep, stage } = events[this.#head];
    let least = stage;
    for (let i = this.#head + 1; i < events.length; i += 1) {
      const event = events[i];
      if (event.timeNs !== timeNs || event.microstep !== microstep) break;
      if (event.stage < least) least = event.stage;
    }
    return least;
  }

  /**
   * Updates the least stage for a new value, since it is read after each of many values at one tag.
   *
   * @param {PortEvent} event
   */
  #noteStage({ timeNs, microstep, stage }) {
    if (this.#leastStage < 0) return;
    const first = this.#events[this.#head];
    const later = first === undefined ? -1 : timeNs - first.timeNs || microstep - first.microstep;
    if (later < 0 || (later === 0 && stage < this.#leastStage)) this.#leastStage = stage;
  }

  *[Symbol.iterator]() {
    for (let i = this.#head; i < this.#events.length; i += 1) yield this.#events[i];
  }

  /**
   * The index in the array of the first event that does not come before this tag and channel.
   *
   * @param {number} timeNs
   * @param {number} microstep
   * @param {number} channel
   */
  #findPlace(timeNs, microstep, channel) {
    const events = this.#events;
    let low = this.#head;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = events[middle];
      const order = event.timeNs - timeNs || event.microstep - microstep || event.channel - channel;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The first microstep from this one on at which a channel has no value.
   *
   * @param {number} timeNs
   * @param {number} microstep
   * @param {number} channel
   */
  findFree(timeNs, microstep, channel) {
    if (this.#events.length === 0) return microstep;
    const known = this.#runs.get(channel);
    const isIn =
      known !== undefined &&
      known.timeNs === timeNs &&
      known.from <= microstep &&
      microstep <= known.to;
    let free = isIn ? known.to : microstep;
    for (;;) {
      const event = this.#events[this.#findPlace(timeNs, free, channel)];
      const isTaken =
        event?.timeNs === timeNs && event.microstep === free && event.channel === channel;
      if (!isTaken) break;
      free += 1;
    }
    if (free > microstep) {
      this.#runs.set(channel, { timeNs, from: isIn ? known.from : microstep, to: free });
      this.#hasRuns = true;
    }
    return free;
  }

  /** @param {PortEvent} event  with a tag and channel that no other event has */
  insert(event) {
    const events = this.#events;
    this.#noteStage(event);
    const { length } = events;
    if (length === 0 || events[length - 1].timeNs < event.timeNs) {
      events.push(event);
      return;
    }
    const place = this.#findPlace(event.timeNs, event.microstep, event.channel);
    if (place === events.length) events.push(event);
    else events.splice(place, 0, event);
  }

  /** @param {PortEvent} event  that is in the list */
  remove(event) {
    const events = this.#events;
    // It may have been the last of its stage, or of the first tag.
    if (event.stage === this.#leastStage || events[this.#head] === event) this.#leastStage = -1;
    if (this.#hasRuns) this.#noteGone(event);
    // Nearly always it is alone; then the array keeps its capacity.
    if (events.length === 1) {
      events.pop();
      return;
    }
    if (events[this.#head] !== event) {
      events.splice(this.#findPlace(event.timeNs, event.microstep, event.channel), 1);
      return;
    }
    // The slot is cleared so that a value that was taken can be collected.
    events[this.#head] = /** @type {any} */ (undefined);
    this.#head += 1;
    if (this.#head === events.length) {
      this.#events = [];
      this.#head = 0;
    } else if (this.#head > fewTaken && this.#head * 2 > events.length) {
      this.#events = events.slice(this.#head);
      this.#head = 0;
    }
  }

  /** @param {PortEvent} event */
  #noteGone({ timeNs, microstep, channel }) {
    const run = this.#runs.get(channel);
    if (run === undefined) return;
    if (run.timeNs === timeNs && run.from === microstep) run.from += 1;
    else this.#runs.delete(channel);
    this.#hasRuns = this.#runs.size > 0;
  }
}
