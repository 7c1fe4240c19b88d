// A promise that is rejected while nobody listens comes to the host, which shows it. Whatever the host does with the reason
// (instanceof, reading its message, making a text of it) runs code of mallory's, which throws; the run of the honest ends.
import { E, Far } from '@endo/far';

let vats;

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(given) {
      vats = given;
    },
    async runBenchmarkRound() {
      const sent = E(vats.mallory).reject();
      const count = await E(vats.honest).work();
      await sent.catch(() => {});
      return count;
    },
  });
