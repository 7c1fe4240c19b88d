// An item of the run queue, and its text in the store.

import { classes } from '#schedule';
import { forms, makeTag, numberOfId } from '#model';
import { parseFields } from './row-fields.js';

/** @import { Queued } from '#schedule' */
/** @import { Pair } from './clist.js' */
/** @import { Message, PromiseRow } from './promise-row.js' */
/** @import { PromiseKeeper } from './promises.js' */

const { capData, count, oneOf, orNone, recordOf, text, whole } = forms;

/**
 * The fields by kind:
 * - `send`: `target`, `message`, and the vat if it was known when the message was routed.
 * - `notify`: the vat, and the promise in `target`.
 * - `wake`: the device in `target`.
 * - `react`: the vat; these items are not in the store, since they follow from other tables.
 * - Control items: the vat. The three that tell it of objects have krefs in `target`; an upgrade has its description in
 *   `target` and its parameters in `message`.
 *
 * @typedef {Queued & {
 *   seq: number,
 *   kind: 'send' | 'notify' | 'wake' | 'react' | ControlKind,
 *   vatId: string,
 *   target: string,
 *   message: Message | null,
 *   promise: PromiseRow | null,
 *   home: Pair | null,
 *   causeNumber: number,
 *   causePlace: number,
 *   stored: boolean,
 *   taken: boolean,
 * }} Item  `causeNumber` and `causePlace`: the item's `Cause`; `promise`: the promise of a notify, or of the message's
 * result; `home`: the target's entry in the c-list of its own vat, if known; `stored`: whether it is in the store;
 * `taken`: whether it was taken for good in this block
 */

/**
 * `start`, `upgrade` and `cleanUp` are about a vat's life. `bringOutYourDead` begins object collection: with `collect`
 * the kernel judges all suspects, and the others tell a vat.
 *
 * @typedef {'start' | 'upgrade' | 'cleanUp' | 'bringOutYourDead' | 'collect' | 'dropExports' | 'retireExports' | 'retireImports'} ControlKind
 */

/** Whether an item is about a vat's life or object collection. @param {Pick<Item, 'kind'>} item */
export const isControl = ({ kind }) =>
  kind !== 'send' && kind !== 'notify' && kind !== 'wake' && kind !== 'react';

/**
 * The cause of an item: a crank, by its number, and the syscall's place in it, as in the activity hash; the kernel
 * itself in that crank (`byKernel`); or an input, by its number (`byInput`). A parked message keeps the cause of its
 * send.
 *
 * @typedef {{ causeNumber: number, causePlace: number }} Cause
 */

/** As the place of a cause: the kernel itself queued the item. */
export const byKernel = -1;

/** As the place of a cause: the number is that of an input. */
export const byInput = -2;

export const prefix = 'q.';

/** Keys sort as numbers do: 16 digits hold every safe integer.
 *
 * @param {number} seq
 */
export const keyOf = seq => prefix + String(seq).padStart(16, '0');

/**
 * Makes the reused item of a vat's reactions. It is `taken` while it is not queued.
 *
 * @param {string} vatId
 * @returns {Item}
 */
export const makeReaction = vatId => ({
  timeNs: 0,
  microstep: 0,
  class: classes.reaction,
  stage: 0,
  vatNumber: numberOfId(vatId),
  seq: 0,
  kind: 'react',
  vatId,
  target: '',
  message: null,
  promise: null,
  home: null,
  causeNumber: 0,
  causePlace: byKernel,
  stored: false,
  taken: true,
});

/** @param {Item} item */
export const formatItem = ({
  promise: _promise,
  home: _home,
  stored: _stored,
  taken: _taken,
  ...item
}) => JSON.stringify(item);

const kinds = /** @type {const} */ ([
  ...['send', 'notify', 'wake', 'start', 'upgrade', 'cleanUp', 'bringOutYourDead', 'collect'],
  ...['dropExports', 'retireExports', 'retireImports'],
]);

const itemForms = Object.freeze({
  timeNs: whole,
  microstep: whole,
  class: oneOf(Object.values(classes)),
  stage: count,
  vatNumber: count,
  seq: count,
  kind: oneOf(kinds),
  vatId: text,
  target: text,
  message: orNone(recordOf({ methargs: capData, result: orNone(text) })),
  causeNumber: count,
  causePlace: whole,
});

/**
 * @param {string} key
 * @param {string} written
 * @param {PromiseKeeper} promises
 * @returns {Item}
 * @throws {Error} it is no item, or names a promise that is not there
 */
export const readItem = (key, written, promises) => {
  const item = parseFields(written, itemForms);
  const { kind, message, target, seq } = item;
  if ((kind === 'send' || kind === 'upgrade') !== (message !== null))
    throw Error(`its kind is ${kind}, and its "message" does not fit`);
  if (keyOf(seq) !== key) throw Error(`it has the number ${seq}`);
  makeTag(item.timeNs, item.microstep);
  /** @type {PromiseRow | null} */
  let promise = null;
  if (kind === 'notify') {
    promise = promises.require(target);
    if (promise.state === 'unresolved') throw Error(`it tells of ${target}, which is not settled`);
  } else if (message !== null) {
    promises.insistThere([target, ...message.methargs.slots]);
    if (message.result !== null) promise = promises.require(message.result);
  }
  return { ...item, promise, home: null, stored: true, taken: false };
};
