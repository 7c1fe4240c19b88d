// Mallory gives a device that passes on what it gets, as keys of its store, names of its nodes and outputs, what no store
// keeps: long, empty and malformed keys, and other things than strings.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats, devices) {
      await E(vats.mallory).attack(devices.own);
      console.log(`bob: ${await E(vats.bob).hello(devices.own)}`);
    },
  });
