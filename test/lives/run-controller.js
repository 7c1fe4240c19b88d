// Runs fixtures/random-lives by SwingSet's controller, as a host program that acts between cranks: it sends to objects that it was
// given, reads results, ends vats, upgrades them, has them reaped, changes options, gives its devices input and installs a
// bundle. It survives the panics of its kernel. How it runs cranks, and where it goes on, may make no difference.

import { rmSync } from 'node:fs';
import path from 'node:path';

import { exportState, importState } from '#host';
import { audit } from '#kernel';
import { storeDigest } from '#store';
import { makeRandom } from '#testkit';
import {
  buildBridge,
  buildMailbox,
  buildMailboxStateMap,
  exportMailboxData,
  initializeSwingset,
  initSwingStore,
  kser,
  kslot,
  loadSwingsetConfigFile,
  makeSwingsetController,
  openSwingStore,
} from '../../packages/swingset/index.js';
import { cellOf } from '../../packages/swingset/swing-store.js';
import { cacheDir, makeArchive } from './run-lives.js';

/** @import { Random } from '#testkit' */
/** @import { Kernel } from '#kernel' */

/** @typedef {Awaited<ReturnType<typeof makeSwingsetController>>} Controller */
/** @typedef {ReturnType<typeof initSwingStore>} SwingStore */

/**
 * @typedef {object} ControllerLives
 * @property {number} seed
 * @property {number} rounds
 * @property {string[]} features  of the program; with `panics` the host sends messages whose failure ends the run, with
 *   `budgets` it says how much of ended vats may be deleted
 * @property {number[]} interrupts  cranks behind which the host acts
 */

/** Done behind a run. @typedef {'nothing' | 'commit' | 'reopen' | 'serialise' | 'carry'} Deed */

/**
 * How a program is run.
 *
 * @typedef {object} ControllerWay
 * @property {string} [dir]  of the store; default: in memory
 * @property {(limit: number) => (() => boolean) | undefined} goesOn  for at most so many cranks: asked behind each of them.
 *   Undefined: the run needs no policy
 * @property {() => Deed} [afterRun]
 * @property {() => Record<string, any>} [options]  of each controller
 */

const fixtures = path.join(import.meta.dirname, '../fixtures');

/** @param {number} limit */
export const countTo = limit => {
  let left = limit;
  return () => (left -= 1) > 0;
};

/** @returns {Promise<any>} */
const loadLives = async () => {
  const config = await loadSwingsetConfigFile(path.join(fixtures, 'random-lives/wide.json'));
  if (config === null) throw Error('no config');
  const { devices } = config;
  devices.tally.sourceSpec = path.join(fixtures, 'virtual-vats/tally.js');
  devices.echo.sourceSpec = path.join(fixtures, 'deliveries/device-echo.js');
  devices.busy.sourceSpec = path.join(fixtures, 'random-lives/device-busy.js');
  return { ...config, pinBootstrapRoot: true };
};

/** The host's parts of devices, by name. @param {Map<string, any>} mailboxes */
const makeDevices = mailboxes => {
  const mailbox = buildMailbox(buildMailboxStateMap(mailboxes));
  const bridge = buildBridge((...args) => {
    // During a crank: of the device that is called it is part of that, of another one it comes behind it.
    if (args[1] % 3 === 0) bridge.deliverInbound('at once', args.length);
    if (args[1] % 3 === 1) mailbox.deliverInbound('peer1', [], args.length);
    return args.length;
  });
  return { bridge, mailbox };
};

/** The memory of a host program. */
class Host {
  /** @type {string[]} */ log = [];
  /** Results that it waits for. @type {string[]} */ results = [];
  /** Objects that it keeps. @type {string[]} */ objects = [];
  /** @type {Record<string, number>} */ positions = {};
  /** @type {boolean | Record<string, number>} */ budget = true;
  /** @type {Map<string, any>} */ mailboxes = new Map();

  /** @param {string[]} features */
  constructor(features) {
    this.features = features;
    this.renewDevices();
  }

  /** For another controller. */
  renewDevices() {
    this.devices = this.features.includes('mail') ? makeDevices(this.mailboxes) : undefined;
  }

  /** @param {Controller} c @param {SwingStore} swingStore @param {Random} random */
  act(c, { kernelStorage }, random) {
    const kernel = /** @type {Kernel} */ (cellOf(kernelStorage).kernel);
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
      ...this.#makeMoreDeeds(c, name, random),
    ];
    for (let left = random.below(4); left > 0; left -= 1) {
      try {
        const result = random.pick(deeds)();
        if (typeof result === 'string') this.results.push(result);
      } catch (error) {
        const { name: kind, message } = /** @type {Error} */ (error);
        // The vat has ended.
        if (kind !== 'UserError') throw error;
        this.log.push(message);
      }
    }
    this.#read(c, random);
  }

  /** @param {Controller} c @param {string} vat @param {Random} random @returns {(() => unknown)[]} */
  #makeMoreDeeds(c, vat, random) {
    const deeds = [];
    if (this.features.includes('panics'))
      deeds.push(
        () => c.queueToVatRoot(vat, 'call', [1], 'panic'),
        () => c.queueToVatRoot(vat, random.pick(['call', 'call', 'not there']), [1], 'panic'),
        () => c.queueToVatRoot(vat, 'not there', [1], 'logFailure'),
      );
    if (this.features.includes('budgets'))
      deeds.push(() => {
        const few = { default: 1 + random.below(5) };
        this.budget = random.pick([true, false, few, { ...few, exports: 1, kv: 2 }]);
      });
    const { devices } = this;
    if (devices !== undefined)
      deeds.push(
        () => this.#input(() => devices.bridge.deliverInbound('in', random.below(9))),
        () => {
          const at = 1 + random.below(9);
          const messages = /** @type {[number, string][]} */ ([[at, `message ${at}`]]);
          this.#input(() => devices.mailbox.deliverInbound(`peer${at % 2}`, messages, at));
        },
      );
    return deeds;
  }

  /** @param {() => unknown} give  throws before vats have given the device an object */
  #input(give) {
    try {
      give();
    } catch (error) {
      this.log.push(/** @type {Error} */ (error).message);
    }
  }

  /** @param {Controller} c @param {Random} random */
  #read(c, random) {
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

/** Ends of a run by which a host program is to stop. @param {Error} error */
const isPanic = ({ message }) => /^(kernel panic kp|#)/.test(message);

/** A run and all that it goes through. */
class Running {
  /** The panics, and where they came. @type {string[]} */ panics = [];
  #interrupted = 0;

  /** Cranks of which a policy was told; the kernel's own count has collections of settled promises, too. */
  #cranks = 0;

  /** @param {ControllerLives} lives @param {ControllerWay} way */
  constructor(lives, way) {
    this.lives = lives;
    this.way = way;
    this.host = new Host(lives.features);
    /** @type {SwingStore} */
    this.swingStore = initSwingStore(way.dir ?? null);
    /** @type {Awaited<ReturnType<typeof makeArchive>> | undefined} */
    this.archive = undefined;
  }

  get kernel() {
    return /** @type {Kernel} */ (cellOf(this.swingStore.kernelStorage).kernel);
  }

  get c() {
    return /** @type {Controller} */ (this.controller);
  }

  async begin() {
    const { seed, features } = this.lives;
    const config = await loadLives();
    if (features.includes('bundles')) this.archive = await makeArchive();
    for (const [name, { srcPath }] of Object.entries(this.host.devices ?? {}))
      config.devices[name] = { sourceSpec: srcPath };
    const argv = [`${seed}`, ...features];
    if (this.archive) argv.push(`bundle=b1-${this.archive.endoZipBase64Sha512}`);
    await initializeSwingset(config, argv, this.swingStore.kernelStorage);
    await this.#open();
  }

  async #open() {
    const { host, swingStore, way } = this;
    host.renewDevices();
    /** @type {Record<string, object>} */
    const endowments = {};
    for (const [name, device] of Object.entries(host.devices ?? {}))
      endowments[name] = device.endowments;
    const options = { cacheDir, ...way.options?.() };
    this.controller = await makeSwingsetController(swingStore.kernelStorage, endowments, options);
  }

  /** @param {Deed} deed */
  async follow(deed) {
    if (deed === 'nothing') return;
    await this.swingStore.hostStorage.commit();
    if (deed !== 'commit') await this.#reopen(deed);
  }

  /** @param {Deed} deed */
  async #reopen(deed) {
    const { dir } = this.way;
    await this.c.shutdown();
    const serialized = deed === 'serialise' ? this.swingStore.debug.serialize() : undefined;
    if (serialized !== undefined || dir !== undefined) {
      if (dir !== undefined && deed === 'carry') await this.#carry(dir);
      else await this.swingStore.hostStorage.close();
      this.swingStore =
        serialized === undefined
          ? openSwingStore(/** @type {string} */ (dir))
          : initSwingStore(null, { serialized });
    }
    await this.#open();
  }

  /** To another machine. @param {string} dir */
  async #carry(dir) {
    const file = `${dir}.state`;
    exportState(cellOf(this.swingStore.kernelStorage).store, file, { replace: true });
    await this.swingStore.hostStorage.close();
    await importState(file, path.join(dir, 'swingstore'), { replace: true });
    rmSync(file);
  }

  /** @param {number} limit */
  #policy(limit) {
    const asks = this.lives.features.includes('budgets');
    const asked = this.way.goesOn(limit) ?? (asks ? () => true : undefined);
    if (asked === undefined) return undefined;
    const goesOn = () => {
      this.#cranks += 1;
      return asked();
    };
    return {
      ...{ vatCreated: goesOn, crankComplete: goesOn, crankFailed: goesOn, emptyCrank: goesOn },
      ...(asks && { allowCleanup: () => this.host.budget }),
      didCleanup: goesOn,
    };
  }

  /** @param {string} label */
  async act(label) {
    this.host.act(this.c, this.swingStore, makeRandom(`${this.lives.seed} ${label}`));
    if (label === 'interrupt 0' && this.archive !== undefined)
      await this.c.validateAndInstallBundle(this.archive);
  }

  /** A critical end takes the run back to its last commit, where the host must be by then. */
  async settle() {
    if (this.lives.features.includes('critical')) await this.swingStore.hostStorage.commit();
  }

  /** @returns {Promise<boolean>} whether the run is over */
  async run() {
    const { interrupts } = this.lives;
    while (!this.kernel.isQuiet) {
      const left = (interrupts[this.#interrupted] ?? Infinity) - this.#cranks;
      if (left <= 0) {
        await this.act(`interrupt ${this.#interrupted}`);
        this.#interrupted += 1;
        await this.settle();
        continue;
      }
      const error = await this.#runSome(left);
      if (error === undefined) {
        if (this.way.afterRun) await this.follow(this.way.afterRun());
      } else if (await this.#survive(error)) return true;
    }
    return false;
  }

  /** @param {number} limit @returns {Promise<Error | undefined>} */
  async #runSome(limit) {
    return this.c.run(this.#policy(limit)).then(
      () => undefined,
      error => {
        if (isPanic(error)) return error;
        throw error;
      },
    );
  }

  #note(/** @type {Error} */ { message }) {
    const { kernel } = this;
    return `${kernel.cranks.all} ${kernel.activityHash()} ${message}`;
  }

  /** @param {Error} error  a panic @returns {Promise<boolean>} whether that was the end */
  async #survive(error) {
    const note = this.#note(error);
    this.panics.push(note);
    for (const again of [() => this.c.run(), () => this.c.step()]) {
      const other = await again().catch((/** @type {Error} */ it) => it);
      if (other !== error) throw Error(`behind a panic: ${String(other)}`, { cause: error });
    }
    const isCritical = error.message.startsWith('#');
    const isEnd = isCritical || this.kernel.isStopped;
    if (isCritical) await this.#reopen('reopen');
    else await this.follow('reopen');
    if (!isEnd) return false;
    for (;;) {
      const other = await this.#runSome(Infinity);
      if (other === undefined && !this.kernel.isQuiet) continue;
      const found = other && this.#note(other);
      if (found !== note) throw Error(`resumed: ${found}, should be ${note}`, { cause: error });
      return true;
    }
  }
}

/**
 * @param {ControllerLives} lives
 * @param {ControllerWay} way
 * @returns {Promise<{ outcome: Record<string, unknown>, swingStore: SwingStore }>}
 */
export const runController = async (lives, way) => {
  const running = new Running(lives, way);
  const { host } = running;
  await running.begin();
  for (let round = 0, isOver = false; round < lives.rounds && !isOver; round += 1) {
    await running.act(`round ${round}`);
    if (running.kernel.vat('v1').state === 'running')
      host.results.push(
        /** @type {string} */ (running.c.queueToVatRoot('bootstrap', 'runBenchmarkRound')),
      );
    await running.settle();
    isOver = await running.run();
  }
  const { c, kernel, swingStore, panics } = running;
  // Behind a critical end the last commit may be anywhere.
  const isWhole = kernel.state.brokenBy === undefined;
  if (isWhole) await swingStore.hostStorage.commit();
  const outcome = {
    hash: c.getActivityhash(),
    stats: c.getStats(),
    status: c.getStatus(),
    ...{ log: host.log, results: host.results, audit: audit(kernel.state), panics },
    cranks: kernel.cranks.all,
    mailboxes: exportMailboxData(host.mailboxes),
    digest: isWhole ? storeDigest(cellOf(swingStore.kernelStorage).store) : undefined,
  };
  await c.shutdown();
  return { outcome, swingStore };
};
