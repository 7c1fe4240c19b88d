// The promises that go with a notify: settled ones that can be reached from its own promise through settled promises'
// data. A vat forgets the promises that it was notified of, so a ring goes whole: of a ring that is cut the vat would
// ask for the promise behind the cut, be notified of the rest and of the beginning once more, and so on without end.

import { isPromiseKref } from '#model';

/** @import { PromiseView } from './profile.js' */

/**
 * Promises in one notify, not counting the rest of their rings: then the vat asks for the next ones itself. The
 * promises that can be reached may be many and stay, and a vat that gets the first one repeatedly is notified of this
 * many each time.
 */
const mostTold = 1_000;

/** Promises examined to find rings, in half of the cranks. */
const usualSought = 10_000;

/** How often the number of examined promises doubles, at most. */
const mostDoublings = 24;

/**
 * The number of promises that a notify's crank examines to find rings. A vat that gets parts of a larger ring asks for
 * the next part without end, so some cranks look further: one in two twice as far, one in four four times as far, and so
 * on. So each ring is found after as many steps as it has promises, but for a factor, while cranks examine few promises on
 * average. Which cranks they are looks random, since two vats may ask in turn.
 *
 * @param {number} crank  its number
 */
const ringStepsIn = crank => {
  let mixed = Math.imul(crank % 2 ** 32, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  // The number of leading zeros of a random number.
  return usualSought * 2 ** Math.min(Math.clz32(mixed ^ (mixed >>> 16)), mostDoublings);
};

/**
 * The state of a walk through settled promises, depth first in the order of slots. Each step finds one more.
 *
 * @param {string} kref  of the first one, which has settled
 * @param {PromiseView} view
 */
const beginWalk = (kref, view) => {
  /** Places in the order in which promises were found. @type {Map<string, number>} */
  const places = new Map([[kref, 0]]);
  /** By place: the earliest place known to be in the same ring. */
  const earliest = [0];
  /** Places whose rings are not complete yet. */
  const open = [0];
  /** Whether a place is in `open`. */
  const isOpen = [true];
  // The position in each list of slots: an explicit stack, since the walk may go deep.
  const stack = [{ place: 0, slots: view(kref).data?.slots ?? [], at: 0 }];

  /** @param {number} place  whose slots have all been looked at */
  const leave = place => {
    if (earliest[place] === place) {
      // All open places behind it are in the same ring.
      for (;;) {
        const member = /** @type {number} */ (open.pop());
        isOpen[member] = false;
        earliest[member] = place;
        if (member === place) break;
      }
    }
    const outer = stack.at(-1);
    if (outer && isOpen[place]) lower(outer.place, earliest[place]);
  };

  /** @param {number} place @param {number} other  in one ring with it */
  const lower = (place, other) => {
    if (other < earliest[place]) earliest[place] = other;
  };

  return {
    places,
    earliest,

    /** @param {number} most  promises @returns {boolean} whether all were found */
    goOn(most) {
      while (stack.length > 0) {
        if (places.size >= most) return false;
        const top = stack[stack.length - 1];
        if (top.at === top.slots.length) {
          stack.pop();
          leave(top.place);
          continue;
        }
        const slot = top.slots[top.at];
        top.at += 1;
        if (!isPromiseKref(slot)) continue;
        const known = places.get(slot);
        if (known !== undefined) {
          if (isOpen[known]) lower(top.place, known);
          continue;
        }
        const { state, data } = view(slot);
        if (state === 'unresolved' || data === null) continue;
        const place = places.size;
        places.set(slot, place);
        earliest.push(place);
        open.push(place);
        isOpen.push(true);
        stack.push({ place, slots: data.slots, at: 0 });
      }
      return true;
    },

    /** Ends the walk: open rings are taken as complete. */
    end() {
      for (let top = stack.pop(); top !== undefined; top = stack.pop()) leave(top.place);
    },
  };
};

/**
 * The promise and every settled promise that can be reached through settled promises' data, depth first in the order of
 * slots. A vat that is notified of one is notified of all; otherwise it would have to ask for each of them.
 *
 * @param {string} kref
 * @param {PromiseView} view
 * @param {number} most  promises, but for the rest of their rings
 * @param {number} mostSought  promises that are examined
 * @returns {string[]}
 */
export const settledFrom = (kref, view, most, mostSought) => {
  const { data } = view(kref);
  // Nearly every notify is of one promise whose data names no other.
  if (data === null || !data.slots.some(isPromiseKref)) return [kref];
  const walk = beginWalk(kref, view);
  const { places, earliest } = walk;
  if (walk.goOn(most)) return [...places.keys()];
  walk.goOn(mostSought);
  walk.end();
  const rings = new Set(earliest.slice(0, most));
  return [...places]
    .filter(([, place]) => place < most || rings.has(earliest[place]))
    .map(([each]) => each);
};

/**
 * The promises that go with the notify of one, in the crank of a number.
 *
 * @param {string} kref
 * @param {PromiseView} view
 * @param {number} crank
 */
export const notifyBatch = (kref, view, crank) =>
  settledFrom(kref, view, mostTold, ringStepsIn(crank));
