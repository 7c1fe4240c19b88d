// An item of the run queue, and its text in the store.

import { classes } from '#schedule';
import { makeTag, numberOfId } from '#model';

/** @import { Queued } from '#schedule' */
/** @import { Pair } from './clist.js' */
/** @import { Message, PromiseRow } from './promise-row.js' */

/**
 * `send`: `target`, `message`, and the vat if it was known when the message was routed. `notify`: the vat and the promise in
 * `target`. `wake`: the device in `target`.
 * `react`: the vat; these are not in the store, for they follow from other tables.
 * Control items: the vat, and in the three that tell it of objects these, as krefs in `target`; of an upgrade what it is to
 * become, and its parameters in `message`.
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
 * }} Item  `causeNumber` and `causePlace`: what queued it (`Cause`); `promise`: that which a notify tells of, or the message's result; `home`: the target's entry in the c-list of
 *   its own vat, if it is known; `stored`: the store has it; `taken`: for good, in the block that runs
 */

/**
 * `start`, `upgrade` and `cleanUp` of a vat; `bringOutYourDead` and what follows: `collect` for the kernel to look through
 * everything, the others to tell a vat.
 *
 * @typedef {'start' | 'upgrade' | 'cleanUp' | 'bringOutYourDead' | 'collect' | 'dropExports' | 'retireExports' | 'retireImports'} ControlKind
 */

/** Whether an item is about a vat's life or object collection. @param {Pick<Item, 'kind'>} item */
export const isControl = ({ kind }) =>
  kind !== 'send' && kind !== 'notify' && kind !== 'wake' && kind !== 'react';

/**
 * The cause of an item: a crank, by its number, and the syscall's place in it, as the activity hash has them; the kernel
 * itself in that crank (`byKernel`); or an input, by its number (`byInput`). A parked message keeps the cause of its send.
 *
 * @typedef {{ causeNumber: number, causePlace: number }} Cause
 */

/** In the place of a syscall: the kernel did it itself. */
export const byKernel = -1;

/** In the place of a syscall: the number is that of an input. */
export const byInput = -2;

export const prefix = 'q.';

/** Keys sort as numbers do: 16 digits hold every safe integer.
 *
 * @param {number} seq
 */
export const keyOf = seq => prefix + String(seq).padStart(16, '0');

/**
 * The item of a vat's reactions, used again and again. It is `taken` while it is not queued.
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

/**
 * @param {string} text
 * @returns {Item}
 */
export const parseItem = text => {
  const item = JSON.parse(text);
  makeTag(item.timeNs, item.microstep);
  return { ...item, promise: null, home: null, stored: true, taken: false };
};
