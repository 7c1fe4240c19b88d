import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      const promise = E(bob).genPromise1();
      E(bob).genPromise2();
      E(bob).usePromise([promise]);
    },
  });
