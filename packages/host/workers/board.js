// The board of a thread with vats: numbers in shared memory, which the kernel's thread can read at any time, in the
// middle of a crank too.

/** The numbers of a board. */
export const slots = Object.freeze({
  /** The number of the vat at work; 0 for none. */
  vat: 0,
  /** The number of the running or last crank, counted over all vats of the thread. */
  crank: 1,
  /** The number of reports that are kept for the next batch (thread-ahead.js). */
  kept: 2,
});

export const makeBoard = () => new SharedArrayBuffer(4 * Object.keys(slots).length);
