import { E, Far } from '@endo/far';
import { attempt, makeOdd } from './odd.js';

export const buildRootObject = ({ exitVat, exitVatWithFailure }) => {
  const say = text => console.log(`the engine says ${text}`);
  return Far('failer', {
    async attack(number, bob) {
      for (const value of makeOdd())
        attempt(
          () => exitVatWithFailure(value),
          () => {},
        );
      await null;
      attempt(() => exitVatWithFailure(harden([bob, Far('mine', {})])), say);
      await E(bob).hello();
      for (const value of makeOdd())
        attempt(
          () => exitVat(value),
          () => {},
        );
      return 'late';
    },
  });
};
