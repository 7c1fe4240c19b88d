// Mallory and an honest vat share a timer service. She gives it times that are none, handlers that fail, that never answer or
// that are no objects, brands of her own, and thousands of wake-ups; the honest one is woken on time, and the timer vat lives.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats, devices) {
      const service = await E(vats.timer).createTimerService(devices.timer);
      const done = E(vats.honest).wait(service);
      console.log(`mallory tried ${await E(vats.mallory).attack(service)}`);
      console.log(`honest: ${await done}`);
      console.log(`honest: ${await E(vats.honest).wait(service)}`);
    },
  });
