// A vat of its own: others reach it by messages only. A file named vat-NAME.ts is the vat NAME.

import { Far } from '@endo/far';

/** The messages that others may send to the counter. */
export interface Counter {
  increment(by: number): number;
  read(): number;
}

export const buildRootObject = (): Counter => {
  let count = 0;

  return Far('counter', {
    increment(by: number) {
      // Types do not exist when the program runs, so a vat must check values from others.
      if (typeof by !== 'number') throw Error(`increment takes a number, got ${typeof by}`);
      count += by;
      return count;
    },

    read: () => count,
  });
};
