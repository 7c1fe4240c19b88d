// Counters: how often something happened, and how many there were at most at one time. They change within a crank (a
// peak inside a crank counts for the maximum) and are rolled back with it. Names and meanings are those of SwingSet's
// instrumentation of 2020; `current` adds to them.

import { NumberRows } from './figures.js';

/**
 * `gauge` has value, up, down and max; `inflow` lacks down (as the published tables do for the run queue);
 * `tally` only counts.
 *
 * @typedef {'gauge' | 'inflow' | 'tally'} CounterKind
 */

/** @typedef {readonly (readonly [name: string, kind: CounterKind, counts: string])[]} CounterList  `counts` says what it counts */

/** @typedef {{ value: number, up?: number, down?: number, max?: number }} Counter */

/** @type {CounterList} */
export const counters2020 = Object.freeze([
  ['kernelObjects', 'gauge', 'objects that vats export and that are not retired'],
  ['kernelDevices', 'gauge', 'device nodes'],
  ['kernelPromises', 'gauge', 'promises in the table, unresolved or settled'],
  ['kpUnresolved', 'gauge', 'promises that no vat has settled yet'],
  ['kpFulfilledToPresence', 'gauge', 'promises in the table that are fulfilled to an object'],
  ['kpFulfilledToData', 'gauge', 'promises in the table that are fulfilled to data'],
  ['kpRejected', 'gauge', 'promises in the table that are rejected'],
  ['runQueueLength', 'inflow', 'messages and notifies in the queue'],
  ['syscalls', 'tally', 'syscalls of all kinds, and messages that the kernel sends itself'],
  [
    'syscallSend',
    'tally',
    'messages sent by vats, devices and the kernel; a parked one counts again when its promise is settled',
  ],
  ['syscallSubscribe', 'tally', 'subscriptions to promises'],
  ['syscallFulfillToData', 'tally', 'promises that vats fulfilled to data'],
  ['syscallFulfillToPresence', 'tally', 'promises that vats fulfilled to an object'],
  ['syscallReject', 'tally', 'promises that vats rejected'],
  ['syscallCallNow', 'tally', 'calls of devices'],
  ['dispatches', 'tally', 'deliveries of messages and notifies, and cranks of reactors'],
  ['dispatchDeliver', 'tally', 'deliveries of a message'],
  ['dispatchNotifyFulfillToData', 'tally', 'promises in notifies that were fulfilled to data'],
  [
    'dispatchNotifyFulfillToPresence',
    'tally',
    'promises in notifies that were fulfilled to an object',
  ],
  ['dispatchReject', 'tally', 'promises in notifies that were rejected'],
  ['clistEntries', 'gauge', 'entries of all c-lists of vats'],
]);

/** @type {CounterList} */
export const countersCurrent = Object.freeze([
  ...counters2020,
  ['syscallResolve', 'tally', '`resolve` syscalls, each of which settles one promise or more'],
  ['syscallVatstoreGet', 'tally', 'reads of a vat’s store'],
  ['syscallVatstoreSet', 'tally', 'writes to a vat’s store'],
  ['syscallVatstoreDelete', 'tally', 'deletions from a vat’s store'],
  ['syscallVatstoreGetNextKey', 'tally', 'steps from one key of a vat’s store to the next'],
  ['syscallDropImports', 'tally', 'syscalls by which vats drop imports'],
  ['syscallRetireImports', 'tally', 'syscalls by which vats retire imports'],
  ['syscallRetireExports', 'tally', 'syscalls by which vats retire exports'],
  ['syscallExit', 'tally', 'syscalls by which vats end themselves'],
  ['dispatchNotify', 'tally', 'deliveries of a notify, each with one promise or more'],
  ['dispatchStartVat', 'tally', 'deliveries that start a vat or a new incarnation'],
  ['dispatchBringOutYourDead', 'tally', 'deliveries that ask a vat for its dead references'],
  ['dispatchDropExports', 'tally', 'deliveries that tell a vat which exports nobody reaches'],
  ['dispatchRetireExports', 'tally', 'deliveries that tell a vat which exports nobody recognises'],
  [
    'dispatchRetireImports',
    'tally',
    'deliveries that tell a vat which imports were retired by their exporter',
  ],
  ['syscallSetPort', 'tally', 'values that vats write to ports connected with other vats'],
  ['syscallRequestStop', 'tally', 'requests of vats to end their program of reactors'],
  ['dispatchReact', 'tally', 'cranks of reactors'],
  ['tags', 'tally', 'tags at which reactors of a vat ran'],
  ['reactions', 'tally', 'reactions that ran'],
  ['events', 'tally', 'events of timers, actions and delayed connections that came due'],
  ['portWrites', 'tally', 'values that reactions wrote to ports'],
  ['deadlineMisses', 'tally', 'reactions whose deadline was missed'],
  ['promiseQueuesLength', 'gauge', 'messages that wait for a promise'],
  [
    'sentAgain',
    'tally',
    'messages that waited for a promise and were routed again; also among `syscallSend`',
  ],
  ['toldNotifies', 'tally', 'notifies of promises that the vat had been told of with another'],
  ['deadNotifies', 'tally', 'notifies for vats that had ended'],
]);

/** Numbers stored for a gauge or an inflow: value, up, down, max. */
const wide = 4;

export class Counters extends NumberRows {
  #list;

  /** Index of the first tally; tallies come last. */
  #firstTally;

  /** @param {CounterList} list */
  constructor(list) {
    const rows = list.map(([name, kind]) => ({ name, width: kind === 'tally' ? 1 : wide }));
    rows.sort((left, right) => right.width - left.width);
    super('kernel.counters', rows, wide);
    this.#list = list;
    /** Index of each counter's first number in `numbers`, for the counters of the profile. */
    this.at = new Map();
    let at = 0;
    for (const { name, width } of rows) {
      this.at.set(name, at);
      at += width;
    }
    this.#firstTally = rows.filter(({ width }) => width === wide).length * wide;
    /** Indexes needed in every crank, as `find` returns them. */
    this.places = Object.freeze({
      syscalls: this.find('syscalls'),
      send: this.find('syscallSend'),
      resolve: this.find('syscallResolve'),
      dispatches: this.find('dispatches'),
      notify: this.find('dispatchNotify'),
      sentAgain: this.find('sentAgain'),
      toldNotifies: this.find('toldNotifies'),
      deadNotifies: this.find('deadNotifies'),
      /** Counters of one resolution by a vat, by kind. */
      resolved: Object.freeze({
        presence: this.find('syscallFulfillToPresence'),
        data: this.find('syscallFulfillToData'),
        rejected: this.find('syscallReject'),
      }),
      /** Counters of one promise in a notify, by kind. */
      notified: Object.freeze({
        presence: this.find('dispatchNotifyFulfillToPresence'),
        data: this.find('dispatchNotifyFulfillToData'),
        rejected: this.find('dispatchReject'),
      }),
    });
  }

  /**
   * The index of a counter's numbers (value; for a gauge or an inflow also up, down, max), for `inc` and `dec`; -1 if
   * the profile does not have it.
   *
   * @param {string} name
   */
  find(name) {
    return this.at.get(name) ?? -1;
  }

  /** @param {number} at  as `find` returned it */
  inc(at) {
    if (at < 0) return;
    const { numbers } = this;
    const value = numbers[at] + 1;
    this.write(at, value);
    if (at >= this.#firstTally) return;
    this.write(at + 1, numbers[at + 1] + 1);
    if (value > numbers[at + 3]) this.write(at + 3, value);
  }

  /**
   * @param {number} at  index of a tally, from `find`
   * @param {number} count
   */
  add(at, count) {
    if (at >= 0) this.write(at, this.numbers[at] + count);
  }

  /** @param {number} at  index of a gauge, from `find` */
  dec(at) {
    if (at < 0) return;
    this.write(at, this.numbers[at] - 1);
    this.write(at + 2, this.numbers[at + 2] + 1);
  }

  /** Takes a `dec` back. @param {number} at  index of a gauge, from `find` */
  undoDec(at) {
    if (at < 0) return;
    const value = this.numbers[at] + 1;
    this.write(at, value);
    this.write(at + 2, this.numbers[at + 2] - 1);
    if (value > this.numbers[at + 3]) this.write(at + 3, value);
  }

  /** Names of the columns of a stats row, in order: `kernelObjects kernelObjectsUp …`. */
  columns() {
    return this.#list.flatMap(([name, kind]) => shown(kind).map(([suffix]) => name + suffix));
  }

  /** Positions in `numbers` of the columns, in the same order. */
  columnPositions() {
    return this.#list.flatMap(([name, kind]) =>
      shown(kind).map(([, offset]) => this.find(name) + offset),
    );
  }

  /** @returns {Record<string, Counter>} */
  toRecord() {
    return Object.fromEntries(
      this.#list.map(
        ([name, kind]) =>
          /** @type {[string, Counter]} */ ([
            name,
            Object.fromEntries(
              shown(kind).map(([, offset, field]) => [
                field,
                this.numbers[this.find(name) + offset],
              ]),
            ),
          ]),
      ),
    );
  }
}

/**
 * @param {CounterKind} kind
 * @returns {[suffix: string, offset: number, field: string][]}
 */
const shown = kind => {
  /** @type {[string, number, string][]} */
  const all = [
    ['', 0, 'value'],
    ['Up', 1, 'up'],
    ['Down', 2, 'down'],
    ['Max', 3, 'max'],
  ];
  if (kind === 'gauge') return all;
  if (kind === 'inflow') return [all[0], all[1], all[3]];
  return [all[0]];
};
