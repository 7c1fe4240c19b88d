// Random lives (fixtures/random-lives) that a host program drives by SwingSet's controller: it sends to objects that it was given,
// reads results, ends vats, upgrades them, has them reaped and changes options, between cranks. Whatever ends its runs, a
// count of cranks or a clock, and whenever it commits, continues from disk or from serialised data, the state is the same.
//
//   LIVES_RUNS=20 npx ava test/lives/controller.test.js      so many random programs beside a known one
//   LIVES_SEED=12 npx ava test/lives/controller.test.js      that one alone

import path from 'node:path';
import test from 'ava';

import { replayRecording } from '#host';
import { audit } from '#kernel';
import { storeDigest } from '#store';
import { makeRandom } from '#testkit';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import {
  initializeSwingset,
  initSwingStore,
  kser,
  kslot,
  loadSwingsetConfigFile,
  makeSwingsetController,
  openSwingStore,
} from '../../packages/swingset/index.js';
import { cellOf } from '../../packages/swingset/swing-store.js';
import { cacheDir } from './run-lives.js';

/** @import { Random } from '#testkit' */

/** @typedef {Awaited<ReturnType<typeof makeSwingsetController>>} Controller */
/** @typedef {ReturnType<typeof initSwingStore>} SwingStore */
/** @typedef {{ seed: number, rounds: number, features: string[], interrupts: number[] }} Lives */

/**
 * How a program is run.
 *
 * @typedef {object} Way
 * @property {string} [dir]  of the store; default: in memory
 * @property {(limit: number) => any} policy  for at most so many cranks; undefined for none
 * @property {() => 'nothing' | 'commit' | 'reopen' | 'serialise'} [afterRun]
 */

// The lines of vats are no part of the outcome, and many.
for (const level of /** @type {const} */ (['debug', 'info', 'log', 'warn', 'error']))
  console[level] = () => {};

const fixtures = path.join(import.meta.dirname, '../fixtures');

/** @param {() => boolean} goesOn  asked behind each crank */
const makePolicy = goesOn => ({
  vatCreated: goesOn,
  crankComplete: goesOn,
  crankFailed: goesOn,
  emptyCrank: goesOn,
  didCleanup: goesOn,
});

/** @param {number} limit */
const byCount = limit => {
  let left = limit;
  return makePolicy(() => (left -= 1) > 0);
};

/** @param {number} limit @param {number} ms */
const byClock = (limit, ms) => {
  let left = limit;
  const endMs = performance.now() + ms;
  return {
    ...makePolicy(() => (left -= 1) > 0 && performance.now() < endMs),
    allowCleanup: () => true,
  };
};

const loadLives = async () => {
  const config = await loadSwingsetConfigFile(path.join(fixtures, 'random-lives/wide.json'));
  if (config === null) throw Error('no config');
  config.devices.tally.sourceSpec = path.join(fixtures, 'virtual-vats/tally.js');
  config.devices.echo.sourceSpec = path.join(fixtures, 'deliveries/device-echo.js');
  return { ...config, pinBootstrapRoot: true };
};

/** The memory of a host program. */
class Host {
  /** @type {string[]} */ log = [];
  /** Results that it waits for. @type {string[]} */ results = [];
  /** Objects that it keeps. @type {string[]} */ objects = [];
  /** @type {Record<string, number>} */ positions = {};

  /** @param {Controller} c @param {SwingStore} swingStore @param {Random} random */
  act(c, { kernelStorage }, random) {
    const kernel = /** @type {import('#kernel').Kernel} */ (cellOf(kernelStorage).kernel);
    const made = kernel
      .vats()
      .filter(
        ({ isStatic, state, options }) => !isStatic && state === 'running' && !options.critical,
      );
    const sort = random.pick(['keeper', 'actor']);
    const name = sort === 'keeper' ? 'ann' : 'ben';
    const bundleId = kernelStorage.kvStore.get(`namedBundleID.${sort}`) ?? '';
    const parameters = { name, seed: random.below(1e6), features: [], life: random.below(9) };
    const argument = this.objects.length > 0 ? kslot(random.pick(this.objects)) : 1;
    const deeds = [
      () => made.length > 0 && c.terminateVat(random.pick(made).vatId, kser('by the host')),
      () => (this.positions = c.reapAllVats(random.chance(0.5) ? this.positions : {})),
      () => c.changeKernelOptions({ defaultReapInterval: random.pick([1, 3, 'never']) }),
      () => c.changeKernelOptions({ defaultReapGCKrefs: random.pick([1, 5, 'never']) }),
      () => c.injectQueuedUpgradeEvents(),
      () => c.upgradeStaticVat(name, false, bundleId, { vatParameters: parameters }),
      () => c.queueToVatRoot(name, 'call', [argument], random.pick(['logAlways', 'ignore'])),
      () => void c.queueToVatRoot('ann', 'forget', [1], 'none'),
      () => void this.objects.push(c.pinVatRoot(random.pick(['ann', 'ben', 'left']))),
      () =>
        this.objects.length > 0 &&
        c.queueToVatObject(kslot(random.pick(this.objects)), 'pass', [argument]),
    ];
    for (let left = random.below(4); left > 0; left -= 1) {
      try {
        const result = random.pick(deeds)();
        if (typeof result === 'string') this.results.push(result);
      } catch (error) {
        // The vat has ended.
        this.log.push(/** @type {Error} */ (error).message);
      }
    }
    this.read(c, random);
  }

  /** @param {Controller} c @param {Random} random */
  read(c, random) {
    this.results = this.results.filter(kpid => {
      const status = c.kpStatus(kpid);
      if (status === 'unresolved' || random.chance(0.3)) return true;
      const incref = random.chance(0.5);
      const resolution = c.kpResolution(kpid, { incref });
      this.log.push(`${kpid} ${status} ${JSON.stringify(resolution)}`);
      if (incref) this.objects.push(...resolution.slots.filter(kref => kref.startsWith('ko')));
      return false;
    });
  }
}

/** @param {Lives} lives @param {Way} way */
const run = async ({ seed, rounds, features, interrupts }, { dir, policy, afterRun }) => {
  /** @type {SwingStore} */
  let swingStore = initSwingStore(dir ?? null);
  await initializeSwingset(await loadLives(), [`${seed}`, ...features], swingStore.kernelStorage);
  const open = () => makeSwingsetController(swingStore.kernelStorage, {}, { cacheDir });
  let c = await open();
  const host = new Host();
  const kernelOf = () =>
    /** @type {import('#kernel').Kernel} */ (cellOf(swingStore.kernelStorage).kernel);

  /** @param {ReturnType<NonNullable<Way['afterRun']>>} deed */
  const follow = async deed => {
    if (deed === 'nothing') return;
    await swingStore.hostStorage.commit();
    if (deed === 'commit') return;
    await c.shutdown();
    const serialized = deed === 'serialise' ? swingStore.debug.serialize() : undefined;
    if (serialized !== undefined || dir !== undefined) {
      await swingStore.hostStorage.close();
      swingStore =
        serialized === undefined
          ? openSwingStore(/** @type {string} */ (dir))
          : initSwingStore(null, { serialized });
    }
    c = await open();
  };

  let interrupted = 0;
  for (let round = 0; round < rounds; round += 1) {
    host.act(c, swingStore, makeRandom(`${seed} round ${round}`));
    host.results.push(/** @type {string} */ (c.queueToVatRoot('bootstrap', 'runBenchmarkRound')));
    while (!kernelOf().isQuiet) {
      const left = (interrupts[interrupted] ?? Infinity) - kernelOf().cranks.all;
      if (left <= 0) {
        host.act(c, swingStore, makeRandom(`${seed} interrupt ${interrupted}`));
        interrupted += 1;
      } else {
        await c.run(policy(left));
        if (afterRun) await follow(afterRun());
      }
    }
  }
  await swingStore.hostStorage.commit();
  const kernel = kernelOf();
  const outcome = {
    hash: c.getActivityhash(),
    stats: c.getStats(),
    status: c.getStatus(),
    ...{ log: host.log, results: host.results, audit: audit(kernel.state) },
    cranks: kernel.cranks.all,
    digest: storeDigest(cellOf(swingStore.kernelStorage).store),
  };
  await c.shutdown();
  return { outcome, swingStore };
};

const only = process.env.LIVES_SEED;
const firstSeed = Math.floor(Math.random() * 1e9);
const seeds =
  only === undefined
    ? [3, ...Array.from({ length: Number(process.env.LIVES_RUNS ?? 0) }, (_, i) => firstSeed + i)]
    : [Number(only)];

for (const seed of seeds) {
  test.serial(`LIVES_SEED=${seed} does the same, however a host program runs it`, async t => {
    t.timeout(600_000);
    const random = makeRandom(`controller ${seed}`);
    const lives = {
      seed,
      rounds: 3 + random.below(6),
      features: ['config', 'raw', 'sorts', 'options', 'ports'].filter(() => random.chance(0.5)),
      interrupts: [40 + random.below(100), 150 + random.below(200)],
    };
    const few = (/** @type {number} */ limit) => byCount(Math.min(limit, 1 + random.below(60)));
    /** @type {Record<string, Way>} */
    const ways = {
      'under a policy of time': { policy: limit => byClock(limit, random.below(20)) },
      'under a policy of cranks, continued from disk': {
        dir: path.join(temporaryDirectory(t), 'state'),
        policy: few,
        afterRun: () => random.pick(['nothing', 'commit', 'commit', 'reopen']),
      },
      'under a policy of cranks, serialised': {
        policy: few,
        afterRun: () => random.pick(['nothing', 'reopen', 'serialise']),
      },
    };
    const plain = await run(lives, {
      policy: limit => (limit === Infinity ? undefined : byCount(limit)),
    });
    t.log(lives.features.join(' '), plain.outcome.cranks, plain.outcome.log.length);
    t.deepEqual(plain.outcome.audit, []);
    for (const [name, way] of Object.entries(ways)) {
      const { outcome, swingStore } = await run(lives, way);
      await swingStore.hostStorage.close();
      t.deepEqual(outcome, plain.outcome, name);
    }
    const { difference } = await replayRecording(cellOf(plain.swingStore.kernelStorage).store, {
      cacheDir,
    });
    t.is(difference, undefined);
    await plain.swingStore.hostStorage.close();
  });
}
