import { E, Far } from '@endo/far';
import { attempt, makeOdd } from './odd.js';

export const buildRootObject = ({ exitVat, exitVatWithFailure }) =>
  Far('leaver', {
    attack(number, bob) {
      for (const value of makeOdd())
        attempt(
          () => exitVat(value, bob),
          () => {},
        );
      attempt(
        () => exitVatWithFailure(bob),
        () => {},
      );
      attempt(
        () => exitVat(new Promise(() => {})),
        () => {},
      );
      E(bob).hello();
      return new Promise(() => {});
    },
  });
