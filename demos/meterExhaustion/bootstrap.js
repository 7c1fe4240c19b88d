// Makes a vat that asks for too much, and sees whether it is still there afterwards.

import { E, Far } from '@endo/far';

export const buildRootObject = (_vatPowers, { argv }) => {
  const isAllocating = argv.includes('--allocate');
  const method = isAllocating ? 'allocate' : 'explode';

  const attempt = async (what, promise) => {
    try {
      console.log(`bootstrap: ${what} gave ${await promise}`);
    } catch (error) {
      console.log(`bootstrap: ${what} failed with "${error.message}"`);
    }
  };

  return Far('bootstrap', {
    async bootstrap(vats, devices) {
      const service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      const { root, adminNode } = await E(service).createVatByName('boomer');
      await attempt(`the first ${method}()`, E(root)[method]());
      await attempt('done()', E(adminNode).done());
      await attempt(`the second ${method}()`, E(root)[method]());
    },
  });
};
