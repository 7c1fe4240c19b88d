// All objects that a vat can leave a mark on come again and again, and mallory tells whether the mark is still there. Four vats do
// so: some are asked for their dead references every few deliveries, two of them at one tag, one seldom and one never. When
// a mark goes must follow from what the vats have done, and not from when the engine collects.
import { E, Far } from '@endo/far';

const rounds = 10;
const vatNames = ['often', 'twin', 'seldom', 'never'];

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats, devices) {
      for (const name of vatNames) E(vats[name]).take('device', devices.shelf);
      for (let round = 0; round < rounds; round += 1) {
        // eslint-disable-next-line no-await-in-loop
        await Promise.all(vatNames.map(name => E(vats.bob).sendAll(vats[name], name, round)));
        for (const name of vatNames) {
          // eslint-disable-next-line no-await-in-loop
          console.log(`${name}, ${round}: ${await E(vats[name]).count()}`);
        }
      }
    },
  });
