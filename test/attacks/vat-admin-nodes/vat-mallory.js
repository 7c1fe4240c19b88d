import { E, Far } from '@endo/far';

const ids = ['v1', 'v2', 'v3', 'v4', 'v5', 'v10', 'second', 'honest'];

export const buildRootObject = ({ D }) =>
  Far('mallory', {
    async attack(node, vatAdmin) {
      const tries = [];
      for (const id of ids) {
        tries.push(E(node).terminateWithFailure(id, 1));
        tries.push(E(node).terminate(id));
        tries.push(E(vatAdmin).terminateWithFailure(id, 1));
        tries.push(E(vatAdmin).vatTerminated(id, true, 1));
        tries.push(E(vatAdmin).newVatCallback(id, { root: node }));
      }
      tries.push(E(vatAdmin).createVatAdminService(node));
      tries.push(E(vatAdmin).createVatAdminService({}));
      tries.push(E(vatAdmin).createVatByName('child'));
      for (const thing of [node, vatAdmin, {}, undefined]) {
        try {
          D(thing).terminateWithFailure('v2', 1);
          console.log('mallory: D took it');
        } catch {
          // It is no device.
        }
      }
      tries.push(E(node).terminateWithFailure(Far('a reason that is no data', {})));
      const results = await Promise.allSettled(tries);
      const services = await Promise.allSettled(
        results
          .slice(-5)
          .flatMap(({ value }) => (value === undefined ? [] : [E(value).createVatByName('child')])),
      );
      return services.filter(({ status }) => status === 'fulfilled').length;
    },
  });
