import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap({ bob }) {
      const thing = E(bob).getThing();
      E(thing)
        .answer()
        .then(
          first => {
            console.log(`bootstrap: the first answer is "${first}"`);
            E(thing)
              .answer()
              .then(
                second => console.log(`bootstrap: the second answer is "${second}"`),
                error => console.log(`bootstrap: no second answer, ${error.message}`),
              );
          },
          error => console.log(`bootstrap: no first answer, ${error.message}`),
        );
      return 'started';
    },
  });
