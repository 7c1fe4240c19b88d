import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      const first = E(bob).first();
      const second = E(first).second(first);
      first.then(
        answer => console.log(`bootstrap: first is "${answer}"`),
        error => console.log(`bootstrap: first failed, ${error.message}`),
      );
      second.then(
        answer => console.log(`bootstrap: second is "${answer}"`),
        error => console.log(`bootstrap: second failed, ${error.message}`),
      );
      return 'started';
    },
  });
