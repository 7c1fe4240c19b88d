// A vat of its own: others reach it by messages only. A file named vat-NAME.ts is the vat NAME.

import { Far } from '@endo/far';

/** What others may send to the counter. */
export interface Counter {
  increment(by: number): number;
  read(): number;
}

export const buildRootObject = (): Counter => {
  let count = 0;

  return Far('counter', {
    increment(by: number) {
      // Types are not there when the program runs: a vat cannot trust what comes from others.
      if (typeof by !== 'number') throw Error(`increment takes a number, got ${typeof by}`);
      count += by;
      return count;
    },

    read: () => count,
  });
};
