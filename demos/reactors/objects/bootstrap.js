import { E, Far } from '@endo/far';

/** A vat with objects: it talks to the thermostat by messages, and knows nothing of its ports. */
export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap({ thermostat }) {
      const display = Far('display', { show: text => console.log(`display: ${text}`) });
      await E(thermostat).setDisplay(display);
      const warm = await E(thermostat).reach(20);
      console.log(`bootstrap: it was warm ${warm}`);
      const warmer = await E(thermostat).reach(22);
      console.log(`bootstrap: it was warmer ${warmer}`);
    },
  });
