// Bootstrap gives vatAdmin, by its service, by adminNodes and by the device itself, options, ids and names of every kind: what the
// kernel keeps as JSON or writes into a notation must be what it expects.
import { E, Far } from '@endo/far';

const options = ['name', 'reapInterval', 'reapGCKrefs', 'limits', 'meterID', 'source', '__proto__'];

export const buildRootObject = ({ D }) => {
  const thing = Far('thing', {});
  const odd = {
    null: null,
    nan: NaN,
    big: 10n ** 100n,
    nested: { a: 1n },
    reapInterval: { reapInterval: { a: 1n } },
    proto: JSON.parse('{"__proto__":{"reapInterval":1}}'),
    lone: 'a\ud800"\n\u001b[31m',
    name: '__proto__',
    true: true,
    thing,
  };
  return Far('bootstrap', {
    async bootstrap(vats, devices) {
      const device = devices.vatAdmin;
      const admin = await E(vats.vatAdmin).createVatAdminService(device);
      const { root, adminNode } = await E(admin).createVatByName('child', { name: 'child' });
      const id = D(device).getBundleIDByName('child');
      const cap = await E(admin).getNamedBundleCap('child');
      const attempt = act => {
        try {
          act();
        } catch ({ message }) {
          // An error of the engine has a text of its version.
          if (/Cannot (?:destructure|read|convert)|is not a function/.test(message))
            console.log(`the engine says ${message}`);
        }
      };
      for (const [label, value] of Object.entries(harden(odd))) {
        const victim = D(device).createByName('child', { name: 'victim' });
        for (const option of options) {
          const given = harden(Object.fromEntries([[option, value]]));
          attempt(() => D(device).createByName('child', given));
          attempt(() => D(device).changeOptions(victim, given));
          await E(adminNode)
            .changeOptions(given)
            .catch(() => {});
        }
        attempt(() => D(device).changeOptions(victim, value));
        attempt(() => D(device).changeOptions(value, { reapInterval: 1 }));
        attempt(() => D(device).upgrade(victim, value, id, { upgradeMessage: 'new' }));
        attempt(() => D(device).upgrade(victim, 'up', id, harden({ upgradeMessage: value })));
        attempt(() => D(device).upgrade(victim, 'up', value, { upgradeMessage: 'new' }));
        attempt(() => D(device).upgrade(victim, 'up', id, value));
        attempt(() => D(device).terminateWithFailure(value, value));
        for (const method of ['createByName', 'create', 'getBundleCap', 'createMeter', 'getMeter'])
          attempt(() => D(device)[method](value, value));
        for (const method of ['createVat', 'createVatByName', 'getBundleCap', 'createMeter'])
          await E(admin)
            [method](value, value)
            .catch(() => {});
        await E(adminNode)
          .upgrade(cap, harden({ upgradeMessage: value, vatParameters: value }))
          .catch(() => {});
        console.log(`${label}: ${await E(root).hello()}`);
      }
    },
  });
};
