import { E, Far } from '@endo/far';
import { attempt, makeOdd } from './odd.js';

export const buildRootObject = ({ disavow }) => {
  const own = Far('own', {});
  return Far('disavower', {
    async attack(number, bob) {
      if (disavow === undefined) return 'no disavow';
      for (const value of makeOdd())
        attempt(
          () => disavow(value),
          () => {},
        );
      attempt(
        () => disavow(own),
        () => {},
      );
      const pending = E(bob).never();
      attempt(
        () => disavow(pending),
        () => {},
      );
      const thing = await E(bob).thing();
      if (number === 1) {
        disavow(thing);
        attempt(
          () => disavow(thing),
          () => {},
        );
        const sent = E(thing).use();
        sent.catch(() => {});
        E(bob)
          .take(thing)
          .catch(error => console.log(`take: ${error.message}`));
      }
      return 'did';
    },
  });
};
