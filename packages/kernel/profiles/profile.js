// A profile is a set of policies chosen once, when a state is made. This file says what a profile decides; the
// kernel never asks which one it has.

/** @import { CapData } from '#model' */
/** @import { CounterList, Counters } from '../tables/counters.js' */
/** @import { PromiseState, SettledState } from '../tables/promise-row.js' */
/** @import { SwingsetOrder } from '../tables/swingset-order.js' */
/** @import { Wire } from '../crank/wire.js' */

/**
 * The policies' view of a promise: its state and its data.
 *
 * @typedef {(kref: string) => { state: PromiseState, data: CapData | null }} PromiseView
 */

/**
 * @typedef {object} Profile
 * @property {'current' | '2020-09'} name
 * @property {Wire} wire  the notation of bodies, for vats and kernel
 * @property {CounterList} counters
 * @property {boolean} startsVatsInCranks  one control item for each vat starts it; otherwise vats start before the
 *   first crank
 * @property {boolean} routesWhenSent  what a crank sends is routed at its end (acceptance.js); otherwise at the head of the queue
 * @property {boolean} retriesDroppedItem  a dropped crank's item is taken again by the next crank, and is rejected there
 * @property {(vatIds: readonly string[], order: SwingsetOrder) => string[]} orderSubscribers  who is notified first
 * @property {boolean} cleansUpInCranks  what an ended vat left is deleted by control items; otherwise as part of other
 *   cranks
 * @property {boolean} keepsEndedBooks  the end of a vat leaves the counter of c-list entries and the reference counts as they were
 * @property {boolean} collectsObjects  whether vats are asked for their dead references
 * @property {boolean} countsParked  whether a parked message counts as a reference to the promises that it names
 * @property {boolean} deletesRings  whether settled promises that only refer to each other are deleted
 * @property {boolean} keepsFailedExit  whether `exitVatWithFailure` keeps its crank
 * @property {boolean} lastExitCounts  whether a later exit of a crank replaces an earlier one
 * @property {boolean} stopsAtFailedBootstrap  whether nothing runs any more once the result of `bootstrap` is rejected
 * @property {boolean} hidesDeviceErrors  whether a vat learns only that its call of a device failed
 * @property {boolean} notifiesSettler  whether a vat that settles a promise to which it subscribed is notified, too (which tells it something only if it has got the promise again meanwhile)
 * @property {boolean} retiresAll  whether every settled promise leaves the c-list; otherwise those whose data names none
 * @property {(kref: string, data: CapData) => boolean} retiresEntry  whether a settled promise leaves the c-list of its
 *   resolver, and of a subscriber when it is notified
 * @property {(kref: string, view: PromiseView, crank: number) => string[]} notifyBatch  the promises that go with the notify of one, itself first, in the crank of that number
 * @property {(vatHasEntry: boolean) => boolean} delivers  whether a notify reaches a vat that has (or has no longer) the promise in its c-list
 * @property {(counters: Counters, states: readonly SettledState[]) => void} countResolve
 * @property {(counters: Counters, states: readonly SettledState[]) => void} countNotify
 * @property {(counters: Counters, isForEnded: boolean) => void} countIdleNotify  a notify that reaches no vat: it has
 *   ended, or was told of the promise with another
 */

export {};
