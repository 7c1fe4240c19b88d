import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  const target = Far('target', {
    one() {
      console.log('bootstrap: target got one');
    },

    two() {
      console.log('bootstrap: target got two');
    },
  });

  return Far('bootstrap', {
    bootstrap({ bob }) {
      const result = E(bob).result();
      E(bob).promise(result);
      E(bob).run(target);
    },
  });
};
