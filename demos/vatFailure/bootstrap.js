// Sends a raw vat a good message, one that makes it break the kernel's rules, and a third one.

import { E, Far } from '@endo/far';

export const buildRootObject = (_vatPowers, { argv }) => {
  const observe = (what, promise) => {
    promise.then(
      value => console.log(`bootstrap: ${what} gave ${value}`),
      error => console.log(`bootstrap: ${what} failed with "${error.message}"`),
    );
  };

  const thing = Far('thing', {
    pretendToBeAThing(from) {
      console.log(`bootstrap: pretendToBeAThing("${from}")`);
    },
  });

  const makeBadVat = async (vats, devices) => {
    const service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
    const { root, adminNode } = await E(service).createVatByName('badvat', { enableSetup: true });
    observe('done()', E(adminNode).done());
    return root;
  };

  const sendAll = badvat => {
    observe('the first begood()', E(badvat).begood(thing));
    observe('bebad()', E(badvat).bebad(thing));
    observe('the second begood()', E(badvat).begood(thing));
  };

  return Far('bootstrap', {
    async bootstrap(vats, devices) {
      if (argv.includes('--bedynamic')) {
        sendAll(await makeBadVat(vats, devices));
      } else {
        console.log('bootstrap: the vat is one of the config');
        sendAll(vats.badvatStatic);
      }
    },
  });
};
