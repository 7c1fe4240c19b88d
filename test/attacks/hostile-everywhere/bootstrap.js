// Objects that are hard to look at are thrown wherever a vat may throw: while it starts, while its module is evaluated, in
// a reaction, by a raw vat, at the end of it. Such a vat ends alone, and whoever waits for it learns of it.
import { E, Far } from '@endo/far';
import { reasons } from './reasons.js';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats, devices) {
      const admin = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      await E(vats.raw)
        .work()
        .catch(() => {});
      let settled = 0;
      let expected = 0;
      const done = () => {
        settled += 1;
      };
      for (let number = 0; number < reasons.length; number += 1) {
        // The module throws the same, whatever is asked for.
        const ways = [
          'build',
          'rejects',
          ...(number === 0 ? ['module'] : []),
          'exits',
          'later',
          'root',
        ];
        for (const way of ways) {
          expected += 1;
          const made = E(admin).createVatByName(way === 'module' ? `module` : 'child', {
            vatParameters: { number, way },
          });
          made
            .then(({ root, adminNode }) => {
              if (way === 'later') return E(root).fail();
              if (way === 'exits') return E(adminNode).terminateWithFailure(Error('enough'));
              return undefined;
            })
            .then(done, done);
        }
        for (let turn = 0; turn < 5; turn += 1) await E(vats.honest).work();
      }
      for (let turn = 0; turn < 30; turn += 1) await E(vats.honest).work();
      console.log(settled === expected ? 'all settled' : `${settled} of ${expected} settled`);
    },
  });
