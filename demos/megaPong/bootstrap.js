import { E, Far } from '@endo/far';

export const buildRootObject = (_vatPowers, { argv = [] }) => {
  const count = argv[0] === undefined ? 10 : Number(argv[0]);

  return Far('bootstrap', {
    bootstrap({ alice, bob }) {
      E(alice).setNickname('alice');
      E(bob).setNickname('bob');
      E(alice)
        .introduceYourselfTo(bob)
        .then(
          answer => console.log(`bootstrap: alice says "${answer}"`),
          error => console.log(`bootstrap: alice failed, ${error.message}`),
        );
      E(alice).grind('hey', count);
    },
  });
};
