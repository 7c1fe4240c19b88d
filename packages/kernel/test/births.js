// Devices that make vats.

import { data, makeTestKernel, scriptedDevice } from '#testkit';

/** @typedef {import('#testkit').React} React */

/** @typedef {import('#testkit').Call} Call */

/** @typedef {import('#testkit').TestKernelOptions} Options */

/** @typedef {'current' | '2020-09'} Profile */

/** @param {Profile} profile */
export const startOf = profile => (profile === 'current' ? '#' : '');

export const profiles = /** @type {const} */ (['current', '2020-09']);

/**
 * A device that makes vats and ends them: the body of a call's arguments is the source, or the vat and how it ends.
 *
 * @param {string} wireStart
 * @param {() => void} [reset]
 */
export const makerDevice = (wireStart, reset) =>
  scriptedDevice({
    methods: {
      make: (powers, { body, slots }) => {
        const vatId = powers.createVat({
          name: `a ${body}`,
          source: body,
          parameters: data(slots),
          pipelining: false,
          options: {},
        });
        powers.set('last', vatId);
        return { body: vatId, slots: [] };
      },
      end: (powers, { body, slots }) => {
        const [vatId, how] = body.split(' ');
        const info = { body: `${wireStart}"${how}"`, slots };
        const ended = powers.endVat(vatId, how === 'badly', info);
        return { body: String(ended), slots: [] };
      },
    },
    ...(reset && { reset }),
  });

/**
 * Boot acts in its first crank; it holds the device d-70, and o-50 is vatAdmin's root. Everything that vats are told
 * is in the log.
 *
 * @param {Profile} profile
 * @param {(call: Call) => string | void} act
 * @param {Record<string, React>} sources
 * @param {Partial<Options>} [more]
 */
export const makeRun = (profile, act, sources, more = {}) => {
  /** @type {string[]} */
  const log = [];
  /** @type {(name: string, react: React) => React} */
  const logged = (name, react) => (delivery, call, crank) => {
    if (delivery[0] === 'message')
      log.push(`${name}: ${delivery[2].body} ${delivery[2].slots.join()}`.trim());
    if (delivery[0] === 'startVat')
      log.push(`${name} starts ${delivery[1].body} ${delivery[1].slots.join()}`.trim());
    if (delivery[0] === 'notify') log.push(`${name} is notified`);
    return react(delivery, call, crank);
  };
  const run = makeTestKernel({
    profile,
    vats: {
      boot: logged('boot', (_delivery, call, crank) => (crank === 1 ? act(call) : undefined)),
      vatAdmin: logged('vatAdmin', () => {}),
    },
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, react]) => [name, logged(name, react)]),
    ),
    devices: { maker: makerDevice(startOf(profile)) },
    ...more,
  });
  log.length = 0;
  return { run, log };
};

/** @param {Call} call @param {string} source @param {string[]} [slots] */
export const make = (call, source, slots = []) => {
  const answer = call('callNow', 'd-70', 'make', { body: source, slots });
  return answer?.kind === 'return' ? answer.data.body : '';
};

/** @param {string[]} log */
export const withoutBoot = log => log.filter(line => !line.includes('bootstrap'));

/** @type {React} */
export const idle = () => {};
