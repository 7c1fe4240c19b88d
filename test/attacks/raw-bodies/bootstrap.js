// Mallory, a raw vat, writes the bodies of messages herself: nonsense, deep nesting, long names, slots
// that are not there. She sends them to a usual vat, to raw vats of both forms, and to a promise that is data. Nobody
// but her may suffer from what she writes.
import { E, Far } from '@endo/far';

const modes = [
  'garbage',
  'number',
  'deep',
  'proto',
  'slots',
  'bigint',
  'many slots',
  'surrogate',
  'tags',
  'symbol',
  'error',
  'then',
  'control',
  'unfinished',
];

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      for (const mode of modes) {
        for (const name of ['victim', 'raw2020', 'rawToday'])
          E(vats.mallory).attack(mode, vats[name]);
        E(vats.mallory).attackData(mode, vats.victim);
      }
      E(vats.mallory).attack('long name', vats.raw2020);
      E(vats.mallory).attackData('long name', vats.victim);
      for (const name of ['victim', 'raw2020', 'rawToday']) {
        await E(vats[name])
          .alive()
          .then(
            value => console.log(`${name} is alive: ${value}`),
            error => console.log(`${name} failed: ${error.message}`),
          );
      }
    },
  });
