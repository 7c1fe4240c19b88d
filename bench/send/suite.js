// Measures an eventual send inside a vat, compared with @endo/eventual-send, to objects of the vat
// and of other vats; and `Far`, which makes objects that can be sent to.

import { measureInTurns } from '#measure';
import { digestOf } from '../suite.js';

/** @import { Contestant } from '../../packages/measure/measure.js' */
/** @import { Suite } from '../suite.js' */

/** The number of sends before their results are awaited, as a crank makes a few and then ends. */
const together = 10;

/**
 * @param {string} name
 * @param {(i: number) => unknown} send  a promise, or nothing
 * @returns {Contestant}
 */
const sender = (name, send) => ({
  name,
  async run(n) {
    /** @type {unknown} */
    let last;
    for (let i = 0; i < n; i += 1) {
      last = send(i);
      if (i % together === together - 1) await last;
    }
    return last;
  },
});

/** @type {Suite} */
export default {
  about: 'eventual send against @endo/eventual-send; Far against @endo/far',
  async run({ small }) {
    await import('ses');
    await import('@endo/eventual-send/shim.js');
    await import('#testkit/lockdown.js');
    const { E, Far, HandledPromise } = await import('#vat');
    const { E: libraryE } = await import('@endo/eventual-send');
    const { Far: libraryFar } = await import('@endo/far');
    const LibraryPromise = /** @type {any} */ (globalThis).HandledPromise;

    const counts = { ours: 0, library: 0 };

    /** @param {any} Handled @param {keyof typeof counts} side */
    const makePresence = (Handled, side) => {
      let presence;
      const handler = {
        applyMethod() {
          counts[side] += 1;
          return undefined;
        },
        get() {
          counts[side] += 1;
          return undefined;
        },
      };
      new Handled(
        (
          /** @type {any} */ _resolve,
          /** @type {any} */ _reject,
          /** @type {any} */ resolveWithPresence,
        ) => {
          presence = resolveWithPresence(handler);
        },
      );
      return presence;
    };

    const sides = /** @type {const} */ ([
      { side: 'ours', e: E, make: Far, Handled: HandledPromise },
      { side: 'library', e: libraryE, make: libraryFar, Handled: LibraryPromise },
    ]).map(({ side, e, make, Handled }) => {
      const makeLocal = () => {
        const methods = {
          m() {
            counts[side] += 1;
          },
        };
        return /** @type {any} */ (/** @type {any} */ (make)('thing', methods));
      };
      const local = makeLocal();
      return {
        side,
        E: /** @type {any} */ (e),
        make: /** @type {any} */ (make),
        local,
        promise: Promise.resolve(local),
        presence: /** @type {any} */ (makePresence(Handled, side)),
      };
    });

    const options = small ? { batches: 2, perBatch: together, warmupMs: 0 } : {};
    const params = { together };
    /** @type {import('#measure').Figure[]} */
    const figures = [];
    /** @param {string} name @param {(side: typeof sides[number]) => (i: number) => unknown} act */
    const compare = async (name, act) => {
      const contestants = sides.map(side => sender(`${name}, ${side.side}`, act(side)));
      figures.push(...(await measureInTurns(contestants, { ...options, params })));
    };
    await compare(
      'E(local).m(i)',
      ({ E: e, local }) =>
        i =>
          e(local).m(i),
    );
    await compare(
      'E(presence).m(i)',
      ({ E: e, presence }) =>
        i =>
          e(presence).m(i),
    );
    await compare(
      'E(promise).m(i)',
      ({ E: e, promise }) =>
        i =>
          e(promise).m(i),
    );
    await compare(
      'E.sendOnly(presence).m(i)',
      ({ E: e, presence }) =>
        i =>
          e.sendOnly(presence).m(i),
    );
    await compare(
      'E.get(presence).p',
      ({ E: e, presence }) =>
        () =>
          e.get(presence).p,
    );
    const ignore = () => {};
    await compare(
      'E.when(promise, f)',
      ({ E: e, promise }) =>
        () =>
          e.when(promise, ignore),
    );

    const makers = sides.map(({ side, make }) => ({
      name: `Far of 2 methods, ${side}`,
      run: (/** @type {number} */ n) => {
        /** @type {unknown} */
        let last;
        for (let i = 0; i < n; i += 1) last = make('thing', { foo() {}, bar() {} });
        return last;
      },
    }));
    figures.push(...(await measureInTurns(makers, options)));

    // The number of calls depends on the clock; the results of the same calls do not.
    counts.ours = 0;
    counts.library = 0;
    for (const { E: e, local, promise, presence } of sides) {
      for (const target of [local, promise, presence]) await e(target).m(1);
      await e.sendOnly(presence).m(1);
      await e.get(presence).p;
    }
    if (counts.ours !== counts.library) throw Error(`ours called ${counts.ours} methods`);
    const digest = digestOf(JSON.stringify(counts));
    return { figures, digest };
  },
};
