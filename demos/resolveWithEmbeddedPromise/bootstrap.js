import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      const first = E(bob).first();
      const second = E(bob).second(first);
      const third = E(bob).third();
      first.then(
        ([inner]) => {
          console.log('bootstrap: first is an array');
          inner.then(
            answer => console.log(`bootstrap: the promise in it is "${answer}"`),
            error => console.log(`bootstrap: the promise in it failed, ${error.message}`),
          );
        },
        error => console.log(`bootstrap: first failed, ${error.message}`),
      );
      second.then(
        answer => console.log(`bootstrap: second is "${answer}"`),
        error => console.log(`bootstrap: second failed, ${error.message}`),
      );
      third.then(
        answer => console.log(`bootstrap: third is "${answer}"`),
        error => console.log(`bootstrap: third failed, ${error.message}`),
      );
      return 'started';
    },
  });
