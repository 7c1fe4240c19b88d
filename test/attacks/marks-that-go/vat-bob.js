import { E, Far } from '@endo/far';

const things = Array.from({ length: 10 }, (_, i) => Far(`thing ${i % 3}`, {}));
const promises = Array.from({ length: 4 }, () => new Promise(() => {}));
const given = new Map();

export const buildRootObject = () =>
  Far('bob', {
    async sendAll(mallory, name, round) {
      // Not all each time, so that what was dropped is recognised or not when it comes again.
      for (const [i, thing] of things.entries())
        if ((round + i) % 3 !== 0) E(mallory).take(i % 2 === 0 ? 'thing' : 'key', thing);
      for (const promise of promises) E(mallory).take('promise', harden([promise]));
      E(mallory).take('root', mallory);
      const own = given.get(name);
      if (own !== undefined) E(mallory).take('own', own);
      given.delete(name);
      if (round % 2 === 0) given.set(name, await E(mallory).give());
      await E(mallory).count('not yet');
    },
  });
