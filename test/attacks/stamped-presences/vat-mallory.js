import { Far } from '@endo/far';

class Marked extends function returnIt(object) {
  return object;
} {
  #mark = true;

  static has(object) {
    return #mark in object;
  }
}

let marked = 0;

export const buildRootObject = () =>
  Far('mallory', {
    take(thing) {
      const heap = [];
      for (let i = 0; i < 100_000; i += 1) heap.push({ i, list: [i] });
      if (Marked.has(thing)) marked += 1;
      else new Marked(thing);
    },
    count() {
      const count = marked;
      marked = 0;
      return count;
    },
  });
