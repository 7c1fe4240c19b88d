// Mallory runs a command of the machine. A hook on the engine's Error stays after the run. When a file in CommonJS asks for
// a stack later, its own frame is sloppy, and the function of that frame has its arguments: one of them is `require`.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).lurk();
      console.log('mallory lurks');
    },
  });
