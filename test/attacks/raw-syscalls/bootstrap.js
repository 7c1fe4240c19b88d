// Raw vats make syscalls in every wrong form: arrays of holes, proxies, getters that make other syscalls, names of any
// length, numbers, lone surrogates, calls after the end and after their crank. Whatever comes of it, the kernel lives and
// bob answers.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap({ bob, ...vats }) {
      const names = Object.keys(vats).filter(name => /^m\d+$/.test(name));
      for (const name of names) {
        for (let i = 0; i < 2; i += 1) {
          await E(vats[name])
            .go(Number(name.slice(1)), bob)
            .then(
              value => console.log(`${name} ${value}`),
              error => console.log(`${name} failed: ${error.message}`),
            );
        }
      }
      console.log(`bob: ${await E(bob).hi()}`);
    },
  });
