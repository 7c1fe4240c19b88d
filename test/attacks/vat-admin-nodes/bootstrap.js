// Mallory is given the adminNode of one vat. With it she ends that one, and no other, whatever ids, nodes and reasons she gives
// it; and she makes no vats.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats, devices) {
      const admin = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      const first = await E(admin).createVatByName('child', { name: 'first' });
      const second = await E(admin).createVatByName('child', { name: 'second' });
      console.log(`mallory: ${await E(vats.mallory).attack(first.adminNode, vats.vatAdmin)}`);
      for (const [name, root] of [
        ['honest', vats.honest],
        ['second', second.root],
        ['first', first.root],
      ]) {
        const answer = await E(root)
          .hello()
          .catch(() => 'no answer');
        console.log(`${name}: ${answer}`);
      }
    },
  });
