// A vat that never ends its crank: Ctrl-C, SIGTERM and a second Ctrl-C must end the process all the same, with the last
// block whole.
import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap() {},
    runBenchmarkRound() {
      console.log('for ever');
      for (;;);
    },
  });
