// Draws arrows from a crank to those that it caused: a message is sent in one crank and delivered in a later one, a promise
// is resolved in one and notified of in later ones. The item of a crank says what queued it (`Cause`), so nothing has to be
// remembered.

/** @import { Flight } from '#kernel' */

/** @typedef {{ out: number[], in: number[] }} Flows  numbers of arrows that begin and arrive at a crank */

/** Bound on syscalls of a crank that can have arrows: their numbers are made of the crank's and their place in it. */
const mostPlaces = 4_096;

/**
 * @param {number} crank
 * @param {number} place  of the syscall, from 0
 */
const numberOf = (crank, place) => crank * mostPlaces + place;

/**
 * Make what numbers the arrows of a trace, from the syscall that sends to the delivery.
 *
 * @returns `of(flight, crank)`: the arrows that end and begin in a crank
 */
export const makeFlows = () => {
  /** The first crank that was seen: arrows from those before it would begin nowhere. */
  let first = Infinity;

  return {
    /**
     * @param {Pick<Flight, 'item' | 'applied'>} flight  that has been applied
     * @param {number} crank  its number
     * @returns {Flows}
     */
    of({ item: { kind, causeNumber, causePlace }, applied }, crank) {
      if (crank < first) first = crank;
      const isKnown = causePlace >= 0 && causePlace < mostPlaces && causeNumber >= first;
      const arrives = isKnown && (kind === 'send' || kind === 'notify');
      const out = [];
      for (let place = 0; place < applied.length && place < mostPlaces; place += 1) {
        const name = applied[place][0];
        if (name === 'send' || name === 'resolve') out.push(numberOf(crank, place));
      }
      return { in: arrives ? [numberOf(causeNumber, causePlace)] : [], out };
    },
  };
};
