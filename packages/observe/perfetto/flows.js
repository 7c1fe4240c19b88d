// Draws arrows from a crank to those that it caused: from a send to its delivery, from a resolution, or from the
// subscription to a settled promise, to its notifies. The item of a crank names the syscall that queued it (`Cause`).
// A syscall that queues nothing begins none: the resolution of a promise to which no vat subscribed, for example.

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
 * @param {(promise: string) => boolean} isSettled  asked when the crank has been applied
 * @returns `of(flight, crank)`: the arrows that end and begin in a crank
 */
export const makeFlows = isSettled => {
  /** The items that arrows which have begun still lead to, by the arrows' numbers. @type {Map<number, number>} */
  const begun = new Map();

  /** Vats that subscribed to unresolved promises, by kref. @type {Map<string, number>} */
  const subscribers = new Map();

  /** @param {Flight['applied'][number]} syscall @returns {number} how many items it queued */
  const countItems = syscall => {
    switch (syscall[0]) {
      case 'send':
        return 1;
      case 'subscribe':
        if (isSettled(syscall[1])) return 1;
        subscribers.set(syscall[1], (subscribers.get(syscall[1]) ?? 0) + 1);
        return 0;
      case 'resolve': {
        let items = 0;
        for (const [promise] of syscall[1]) {
          items += subscribers.get(promise) ?? 0;
          subscribers.delete(promise);
        }
        return items;
      }
      default:
        return 0;
    }
  };

  /** @param {number} number @returns {boolean} whether the arrow has begun */
  const arrive = number => {
    const left = begun.get(number);
    if (left === undefined) return false;
    if (left > 1) begun.set(number, left - 1);
    else begun.delete(number);
    return true;
  };

  return {
    /**
     * @param {Pick<Flight, 'item' | 'applied'>} flight  that has been applied
     * @param {number} crank  its number
     * @returns {Flows}
     */
    of({ item: { kind, causeNumber, causePlace }, applied }, crank) {
      const number = numberOf(causeNumber, causePlace);
      const mayArrive = causePlace >= 0 && causePlace < mostPlaces;
      const arrives = mayArrive && (kind === 'send' || kind === 'notify') && arrive(number);
      /** @type {number[]} */
      const out = [];
      applied.forEach((syscall, place) => {
        const items = countItems(syscall);
        if (items === 0 || place >= mostPlaces) return;
        begun.set(numberOf(crank, place), items);
        out.push(numberOf(crank, place));
      });
      return { in: arrives ? [number] : [], out };
    },
  };
};
