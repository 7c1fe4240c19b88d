import { E, Far } from '@endo/far';

export const buildRootObject = (_vatPowers, { argv = [] }) => {
  const count = argv[0] === undefined ? 3 : Number(argv[0]);
  let bob;

  const follow = link => {
    link.then(
      ([value, next]) => {
        if (count > 0 && count < 50) console.log(`bootstrap: link ${value}`);
        if (value < count || count < 0) {
          E(bob).gen();
          follow(next);
        }
      },
      error => console.log(`bootstrap: the chain broke, ${error.message}`),
    );
  };

  return Far('bootstrap', {
    bootstrap(vats) {
      bob = vats.bob;
      const link = E(bob).init();
      E(bob).gen();
      follow(link);
    },
  });
};
