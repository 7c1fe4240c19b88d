// A vat that asks for too much.

import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('boomer', {
    // An array with nothing in it takes no memory, however long it is.
    explode() {
      const long = [];
      long.length = 4e9;
    },

    // A buffer takes all of its memory at once, and nobody has as much.
    allocate() {
      new ArrayBuffer(Number.MAX_SAFE_INTEGER);
    },
  });
