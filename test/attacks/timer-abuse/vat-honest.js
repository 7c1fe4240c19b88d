import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('honest', {
    async wait(service) {
      const { absValue: before } = await E(service).getCurrentTimestamp();
      await E(service).delay(50n);
      const { absValue: after } = await E(service).getCurrentTimestamp();
      return after - before >= 50n && after - before < 1000n
        ? 'on time'
        : `late: ${after - before}`;
    },
  });
