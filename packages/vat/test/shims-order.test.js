// Promise kits, races and `deeplyFulfilled` are ours where the libraries' would take another `HandledPromise`. How
// many jobs they take decides the order of a vat's syscalls, so it must be the libraries' number.

import 'ses';
import '@endo/eventual-send/shim.js';
import '#testkit/lockdown.js';
import test from 'ava';
import fc from 'fast-check';

const { E: libraryE } = await import('@endo/eventual-send');
const library = {
  ...(await import('@endo/promise-kit')),
  E: libraryE,
  deeplyFulfilled: /** @type {any} */ ((await import('@endo/pass-style')).deeplyFulfilled),
};
const { makeVatShims } = await import('../shims/index.js');
const shims = /** @type {Record<string, any>} */ (makeVatShims());
const own = /** @type {typeof library} */ ({
  ...shims['@endo/promise-kit'],
  E: shims['@endo/far'].E,
  deeplyFulfilled: shims['@endo/pass-style'].deeplyFulfilled,
});

const patience = 60;

/**
 * The jobs until each promise settles, and how; -1 for never.
 *
 * @param {Promise<unknown>[]} promises
 */
const countJobs = async promises => {
  let now = 0;
  const found = promises.map(() => ({ jobs: -1, how: 'pending' }));
  promises.forEach((promise, i) => {
    promise.then(
      value => {
        found[i] = { jobs: now, how: `fulfilled with ${JSON.stringify(value)}` };
      },
      reason => {
        found[i] = { jobs: now, how: `rejected with ${reason.message}` };
      },
    );
  });
  for (; now < patience; now += 1) await null;
  return found;
};

/** A contender of a race, or a leaf of data. @typedef {{ kind: number, wait: number }} Leaf */

/** @type {fc.Arbitrary<Leaf>} */
const arbLeaf = fc.record({ kind: fc.nat(5), wait: fc.nat(4) });

/** @param {number} jobs @param {() => void} act */
const after = async (jobs, act) => {
  for (let i = 0; i < jobs; i += 1) await null;
  act();
};

/**
 * @param {typeof library} lib
 * @param {Leaf} leaf
 * @returns {any}
 */
const makeLeaf = (lib, { kind, wait }) => {
  if (kind === 0) return `value ${wait}`;
  if (kind === 1) return harden({ record: wait });
  if (kind === 2) return harden(Promise.resolve(`resolved ${wait}`));
  const { promise, resolve, reject } = lib.makePromiseKit();
  if (kind === 3) after(wait, () => resolve(`late ${wait}`));
  if (kind === 4) after(wait, () => reject(Error(`refused ${wait}`)));
  promise.catch(() => {});
  return promise;
};

test('a race takes as many jobs as the library’s', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbLeaf, { maxLength: 4 }), fc.nat(5), async (leaves, gap) => {
      const run = async (/** @type {typeof library} */ lib) => {
        const contenders = leaves.map(leaf => makeLeaf(lib, leaf));
        const first = lib.racePromises(contenders);
        // Other objects than promises are looked at anew in each race, where the library remembers them.
        const again = contenders.filter(one => lib.isPromise(one) || Object(one) !== one);
        const second = lib.racePromises(again.reverse());
        const jobs = countJobs([first, second]);
        await after(gap, () => {});
        const third = countJobs([lib.racePromises(contenders.filter(lib.isPromise))]);
        return [...(await jobs), ...(await third)];
      };
      t.deepEqual(await run(own), await run(library));
    }),
    { numRuns: 300 },
  );
});

test('deeplyFulfilled takes as many jobs as the library’s', async t => {
  const { arbData } = fc.letrec((/** @type {(name: string) => fc.Arbitrary<any>} */ tie) => ({
    arbData: fc.oneof(
      { depthSize: 'small' },
      arbLeaf.map(leaf => ({ leaf })),
      fc.array(tie('arbData'), { maxLength: 3 }).map(list => ({ list })),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('arbData')).map(record => ({ record })),
    ),
  }));
  /**
   * @param {typeof library} lib
   * @param {any} data
   * @returns {any}
   */
  const build = (lib, data) => {
    if (data.leaf) return makeLeaf(lib, data.leaf);
    if (data.list) return data.list.map((/** @type {any} */ part) => build(lib, part));
    return Object.fromEntries(
      Object.entries(data.record).map(([name, part]) => [name, build(lib, part)]),
    );
  };
  await fc.assert(
    fc.asyncProperty(arbData, async data => {
      const run = (/** @type {typeof library} */ lib) =>
        countJobs([lib.deeplyFulfilled(harden(build(lib, data)))]);
      t.deepEqual(await run(own), await run(library));
    }),
    { numRuns: 300 },
  );
});

test('messages to the promise of a kit arrive in the library’s job', async t => {
  const run = async (/** @type {typeof library} */ lib) => {
    const { promise, resolve } = lib.makePromiseKit();
    const { promise: forwarded, resolve: forward } = lib.makePromiseKit();
    const target = harden({ double: (/** @type {number} */ n) => 2 * n });
    after(2, () => forward(promise));
    after(4, () => resolve(target));
    return countJobs([
      lib.E(promise).double(1),
      lib.E(forwarded).double(2),
      lib.E(lib.E(promise).missing()).double(3),
    ]);
  };
  t.deepEqual(await run(own), await run(library));
});

test('a race of something that another vat may have raced takes the same jobs again', async t => {
  const shared = harden({});
  const first = await countJobs([own.racePromises([shared])]);
  const second = await countJobs([own.racePromises([shared])]);
  t.deepEqual(second, first);
});
