// Programs whose vats are begun early.

import { makeTestKernel } from '#testkit';

/** @typedef {import('#testkit').React} React */

/** @typedef {Parameters<typeof makeTestKernel>[0]} Options */

/**
 * Transports of which the test sees when they are told to begin and to finish.
 *
 * @param {string[]} log
 * @returns {NonNullable<Options['wrapTransport']>}
 */
export const logging = log => (transport, vatId) => ({
  begin(delivery, answer, when) {
    log.push(`${vatId} begins`);
    transport.begin(delivery, answer, when);
  },
  async finish() {
    log.push(`${vatId} finishes`);
    return transport.finish();
  },
  close: transport.close,
});

/** Roots of the second and third vat, as the first gets them with bootstrap. */
export const [alice, bob] = ['o-50', 'o-51'];

/** @type {React} */
export const idle = () => {};

/** @param {(call: import('#testkit').Call) => void} act  in the first crank of the vat */
export const atFirst =
  act =>
  /** @type {React} */
  (_delivery, call, crank) => {
    if (crank === 1) act(call);
  };

/**
 * The order in which vats begin and finish, after `cranks` cranks.
 *
 * @param {Options["vats"]} vats
 * @param {Partial<Options>} [options]
 * @param {number} [cranks]
 */
export const orderOf = async (vats, options = {}, cranks = 0) => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({ vats, ...options, lookahead: 16, wrapTransport: logging(log) });
  await run.run(cranks);
  log.length = 0;
  await run.run();
  return log;
};
