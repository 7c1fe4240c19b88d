import { Far } from '@endo/far';
import { tryAll } from './imports.js';

export const buildRootObject = () =>
  Far('bob', {
    async read() {
      const found = new Set();
      await tryAll((_what, thing) => {
        for (
          let each = thing && Object.getPrototypeOf(thing);
          each;
          each = Object.getPrototypeOf(each)
        )
          if (typeof each.note === 'string') found.add(each.note);
      });
      return [...found];
    },
  });
