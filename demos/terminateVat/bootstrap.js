// Makes a vat, talks to it, ends it in one of six modes, and sees what is left of it.

import { E, Far } from '@endo/far';

/** The ways to end the vat, by mode. */
const endings = {
  kill: ({ adminNode }) => E(adminNode).terminateWithFailure('it has to go'),
  killOf2020: ({ adminNode }) => E(adminNode).terminate('it has to go'),
  happy: ({ root }) => E(root).dieHappy('all is done'),
  exceptionallyHappy: ({ root }) => E(root).dieHappy(Error('all is done, and nobody believes it')),
  sad: ({ root }) => E(root).dieSad('it did not work out'),
  exceptionallySad: ({ root }) => E(root).dieSad(Error('it went wrong')),
};

const tell = value => (value instanceof Error ? `the error "${value.message}"` : `"${value}"`);

export const buildRootObject = (_vatPowers, { argv: [mode = 'kill'] }) => {
  const end = endings[mode];
  if (end === undefined) {
    throw Error(`there is no mode "${mode}"; the modes are ${Object.keys(endings).join(', ')}`);
  }
  let queries = 46;

  const self = Far('bootstrap', {
    async bootstrap(vats, devices) {
      const service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      const dude = await E(service).createVatByName('dude');
      const { root, adminNode } = dude;

      console.log(`bootstrap: dude(true) gave ${tell(await E(root).dude(true))}`);
      try {
        console.log(`bootstrap: dude(false) gave ${tell(await E(root).dude(false))}`);
      } catch (error) {
        console.log(`bootstrap: dude(false) failed with ${tell(error)}`);
      }
      await E(root).elsewhere(self);
      console.log('bootstrap: the dude has been elsewhere');

      // The vat ends while it waits for an answer of ours, so this is never kept.
      const cutOff = E(root).elsewhere(self);
      cutOff.catch(() => {});

      // The crank in which a vat ends with a failure is dropped in `current`, and its message rejected.
      try {
        await end(dude);
        console.log(`bootstrap: the vat has its end, ${mode}`);
      } catch (error) {
        console.log(
          `bootstrap: the vat has its end, ${mode}; the message failed with ${tell(error)}`,
        );
      }
      cutOff.then(
        () => console.log('bootstrap: elsewhere() was kept'),
        error => console.log(`bootstrap: elsewhere() failed with ${tell(error)}`),
      );

      try {
        console.log(`bootstrap: dude(true) gave ${tell(await E(root).dude(true))}`);
      } catch (error) {
        console.log(`bootstrap: dude(true) failed with ${tell(error)}`);
      }
      try {
        console.log(`bootstrap: done() gave ${tell(await E(adminNode).done())}`);
      } catch (error) {
        console.log(`bootstrap: done() failed with ${tell(error)}`);
      }
    },

    query() {
      queries += 1;
      return queries;
    },
  });
  return self;
};
