// Names reach the terminal too: of vats that a vat makes, of methods, of interfaces, of classes of errors and functions, of
// keys and printed properties. They are as long as a vat likes, and may end a line.
import { E, Far } from '@endo/far';

const forged =
  '\u001b[2K\r\nswingset-runner: all is well\u0007\u009b31m\u202e\u2028vat honest: here';
const long = `${forged}${'x'.repeat(1_000_000)}`;

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats, devices) {
      const admin = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      for (const name of [forged, long]) {
        const made = await E(admin)
          .createVatByName('child', { name })
          .catch(error => console.log(error.message));
        if (made)
          await E(made.root)
            .speak(name)
            .catch(() => {});
        if (made)
          await E(made.root)
            .fail(name)
            .catch(() => {});
      }
      await E(Far('it', {}))
        [forged]()
        .catch(error => console.log(error));
      await E(vats.honest)
        [forged](Far(`Alleged: ${forged}`, {}))
        .catch(error => console.log(error));
      console.log(
        { [forged]: Symbol(forged) },
        Object.assign(() => {}, { [forged]: 1 }),
      );
      // Held by the honest vat, so that a report of who holds what names its interface.
      await E(vats.honest).keep(Far(forged, {}));
      const named = {
        [forged]() {
          throw Error(forged);
        },
      }[forged];
      Promise.resolve().then(named);
      return forged;
    },
  });
