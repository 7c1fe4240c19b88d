// The observer of a program, which a scheduler calls.

/** @import { Reaction } from './reaction.js' */

/**
 * Observes a program. An observer that throws ends the program.
 *
 * @typedef {object} Observer
 * @property {(timeNs: number, microstep: number) => void} tagBegan
 * @property {(reaction: Reaction, startNs: number, endNs: number, isLate: boolean) => void} reacted  `isLate`: its
 *   deadline was missed, so its handler ran
 * @property {() => number} [nowNs]  the clock of those times, in nanoseconds; by default the program's clock
 * @property {() => void} ended  the program has ended, by itself or by an error
 */

export {};
