// A call puts its arguments on the stack, and threads have stacks of different sizes: with about 125,000 arguments, honest's
// method was called on a worker thread and not on the main one. Mallory sends as many as are allowed, and more.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      for (const count of [32_768, 32_769, 100_000, 124_500, 130_000, 500_000]) {
        const args = harden(Array.from({ length: count }, () => 1));
        // eslint-disable-next-line no-await-in-loop
        const answer = await HandledPromise.applyMethod(vats.honest, 'count', args).catch(
          error => error.message,
        );
        console.log(`${count}: ${answer}`);
        // Not awaited: under 2020-09 a message that cannot be read is never answered, as in that kernel.
        E(vats.mallory)
          .send(vats.honest, count)
          .catch(error => error.message)
          .then(raw => console.log(`${count} by a raw vat: ${raw}`));
      }
    },
  });
