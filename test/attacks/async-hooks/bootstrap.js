// A host program with async hooks has Node mark every promise: with ids, and before Node 24 with what its AsyncLocalStorage
// holds. Mallory looks for marks on her promises, in every way that there is to get them, reads what is stored, and puts
// things there that end the process (a number that is none, a getter that throws, a promise that cannot be marked any more).
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap({ mallory, bob }) {
      console.log(`marks: ${(await E(mallory).look(bob)) || 'none'}`);
      console.log(`spoilt: ${await E(mallory).spoil(bob)}`);
      console.log(`bob: ${await E(bob).give()}`);
    },
    async runBenchmarkRound() {
      console.log('a round');
    },
  });
