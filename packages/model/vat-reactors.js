// The messages between the kernel and a vat about the vat's reactors.

/** @import { Tag } from './tag.js' */

/**
 * How far a vat may run by itself: cranks at tags before this one, at most `cranks` of them.
 *
 * @typedef {Tag & { cranks: number }} Grant
 */

/**
 * The tag of a delivery. With a grant, the vat may then go on by itself; without one it runs one crank.
 *
 * `mustNotWait`: it begins ahead of earlier tags (kernel/crank/later-reactions.js), or of items before it that have not
 * begun (kernel/crank/ahead.js). Such an item may need its thread, so the vat must not wait there for its turn.
 *
 * @typedef {Tag & { stage: number, grant?: Grant | null, mustNotWait?: boolean }} When
 */

/**
 * A vat's view of physical time. It is read at a tag, which is ahead of the kernel's while the vat runs by itself.
 *
 * @typedef {object} VatClock
 * @property {(timeNs: number, microstep: number) => number} nowNs
 * @property {(timeNs: number, deadlineNs: number) => boolean} isLate  whether it is ahead of a logical time by more
 *   than the deadline
 */

/**
 * The ports of a vat's root reactor, as other vats see them.
 *
 * @typedef {object} ReactorShape
 * @property {[name: string, width: number][]} inputs
 * @property {[name: string, width: number][]} outputs
 * @property {string[]} actions  the root reactor's physical actions, which the host may schedule
 * @property {number[][]} dependencies  by output channel: the input channels on which it depends without delay
 * @property {boolean} mayRequestStop
 * @property {boolean} hasRoot  whether the vat exports an object of its own
 */

export {};
