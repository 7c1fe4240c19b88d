import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  const makeTarget = name =>
    Far(name, {
      one(_promise) {
        console.log(`bootstrap: ${name} got one`);
      },

      two() {
        console.log(`bootstrap: ${name} got two`);
      },

      three(_promise) {
        console.log(`bootstrap: ${name} got three`);
      },

      four() {
        console.log(`bootstrap: ${name} got four`);
      },
    });
  const target1 = makeTarget('target1');
  const target2 = makeTarget('target2');

  return Far('bootstrap', {
    bootstrap({ bob }) {
      const result = E(bob).result();
      E(bob).promise(result);
      E(bob).run(target1, target2);
    },
  });
};
