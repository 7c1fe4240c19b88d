// Draws arrows from a crank to those that it caused: from a send to its delivery, from a resolution to its notifies.
// The item of a crank names the syscall that queued it (`Cause`), so no state is needed.

/** @import { Flight } from '#kernel' */

/** @typedef {{ out: number[], in: number[] }} Flows  numbers of the arrows that begin and end at a crank */

/**
 * Syscalls of a crank that can have arrows. An arrow's number combines the crank's number and the index of the syscall.
 */
const mostPlaces = 4_096;

/**
 * @param {number} crank
 * @param {number} place  index of the syscall
 */
const numberOf = (crank, place) => crank * mostPlaces + place;

/**
 * Make the function that numbers the arrows of a trace.
 *
 * @returns `of(flight, crank)`: the arrows that end and begin in a crank
 */
export const makeFlows = () => {
  /** The first crank of the trace: an arrow from an earlier one would have no beginning. */
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
