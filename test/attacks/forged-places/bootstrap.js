// Where an error was made is shown with the name of the function and the file. Mallory chooses both: names with line breaks and
// escapes, source URLs of other files, so that a place seems to be the host's or a line another vat's.
import { E, Far } from '@endo/far';

const forged =
  'x\n    at alice (vat-alice.js:1:1)\nvat alice: I did it\r\u001b[2Kswingset-runner: all is well';

const named = (name, body) => {
  const { [name]: made } = { [name]: () => body() };
  return Object.defineProperty(made, 'name', { value: name });
};

const fail = () => {
  throw Error('made by mallory');
};

const makers = [
  named(forged, fail),
  named('\u001b[31mred', fail),
  named('a'.repeat(100_000), fail),
  (0, eval)(
    `() => { throw Error('evaluated'); }\n//# sourceURL=file:///packages/host/simulation.js`,
  ),
  (0, eval)(`() => { throw Error('evaluated'); }\n//# sourceURL=vat:alice\u001b[2K`),
  new Compartment().evaluate(
    `() => { throw Error('evaluated'); }\n//# sourceURL=vat:x\u0085vat alice: hello`,
  ),
  () => {
    throw new (class Forged extends Error {
      name = forged;
    })('x');
  },
  () => {
    throw Object.assign(Error(forged), { name: 'swingset-runner' });
  },
  () => {
    throw Object.defineProperty(Error('x'), 'stack', { value: `Error: x\n    at ${forged}` });
  },
];

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      for (const make of makers) {
        try {
          make();
        } catch (error) {
          Promise.reject(error);
          console.log(error);
        }
        E(vats.alice)
          [forged]()
          .catch(() => {});
        E(vats.alice)
          .take(Far(forged.replace(/[^ -~]/g, ' '), {}), () => {})
          .catch(() => {});
      }
      await E(vats.alice)
        ['\u001b[2J']()
        .catch(error => console.log(error));
    },
  });
