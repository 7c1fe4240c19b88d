import { E, Far } from '@endo/far';
import { reasons } from '../hostile-everywhere/reasons.js';

const friend = Far('friend', { take: () => 'taken' });

export const buildRootObject = () =>
  Far('mallory', {
    count: () => reasons.length,
    throws(number) {
      throw reasons[number]();
    },
    rejects: number => Promise.reject(reasons[number]()),
    returns: number => reasons[number](),
    returnsWithin: number => harden({ a: [reasons[number]()] }),
    passes: number => E(friend).take(reasons[number]()),
    rejectsLater: (number, later) =>
      later.then(() => {
        throw reasons[number]();
      }),
    thenable: number => ({
      then(resolve, reject) {
        reject(reasons[number]());
        resolve(1);
        throw reasons[number]();
      },
    }),
  });
