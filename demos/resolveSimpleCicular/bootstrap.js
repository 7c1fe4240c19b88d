import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      const promise = E(bob).genPromise();
      E(bob).usePromise([promise]);
    },
  });
