import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      const a = E(bob).genPromise1();
      const b = E(bob).genPromise2();
      E(bob).usePromises([a], [b]);
    },
  });
