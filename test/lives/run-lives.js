// Runs fixtures/random-lives: real vats with virtual and durable data that are made, upgraded and ended, under a host that acts
// between rounds and at given cranks. How a program is run, and resumed, may make no difference to what it does. It also runs
// the random programs of 2020-09 (scripts/compatibility/random-2020), whose host only sends messages and ends vats.

import os from 'node:os';
import path from 'node:path';
import bundleSource from '@endo/bundle-source';

import { ensureLockdown, loadConfig, makeMemoryStore, makeReport, makeSimulation } from '#host';
import { audit, CriticalVatError } from '#kernel';
import { storeDigest } from '#store';
import { makeRandom, makeRandomClock } from '#testkit';
import { makeConfig, mostCranks } from '../../scripts/compatibility/random-2020/ours.js';
import { makeProgram } from '../../scripts/compatibility/random-2020/program.js';

/** @import { Simulation } from '#host' */
/** @import { Store } from '#store' */
/** @import { SimulationOptions } from '../../packages/host/simulation/options.js' */

export const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');
const baseDir = path.join(import.meta.dirname, '../fixtures/random-lives');

/** Features of more.js, whose programs have devices with input, vats with ports, raw ones and others. */
export const wideFeatures = [
  ...['ports', 'raw', 'sorts', 'options', 'mail', 'clock', 'bundles'],
  'critical',
];

/** Features that came later. They are drawn last, so that a seed has the program that it had. */
export const laterFeatures = ['busy'];

/**
 * Functions of the host for a device of a program with `endowed`: one takes some time, another one each time, and may throw.
 */
const deviceEndowments = {
  busy: {
    /** @param {number} number */
    mix(number) {
      const untilMs = performance.now() + 3 * Math.random();
      while (performance.now() < untilMs);
      if (number % 13 === 0) throw Error('the device fails by the host');
      return (number * 7) % 10_007;
    },
  },
};

/**
 * @typedef {object} Lives
 * @property {number} seed
 * @property {number} rounds
 * @property {string[]} features  of the program (its bootstrap.js has them); with `config` the host also changes how often
 *   vats are asked for their dead references, and with `endowed` gives a device endowments, so that the run cannot be replayed
 * @property {'current' | '2020-09'} [profile]  default: current
 */

/**
 * How a program is run. None of this may make a difference to what it does.
 *
 * @typedef {object} LivesWay
 * @property {() => number} [blockSize]  cranks of the next block; the default is 200
 * @property {(isNew: boolean) => Store | Promise<Store>} [openStore]  default: in memory
 * @property {(timeNs: number) => number} [until]  given the present logical time, how far the next block may go. Default: any time
 * @property {() => boolean} [reopens]  whether the run is closed and resumed behind a block
 * @property {() => Partial<SimulationOptions>} [options]  of each simulation that is made
 * @property {(simulation: Simulation) => void} [onBlock]
 * @property {boolean} [audits]  count the books after each block
 */

/** A run, in all that must be equal, by name. @typedef {Record<string, unknown>} Outcome */

/** A store in memory that is there again when it is opened again. */
export const reopenable = () => {
  const store = makeMemoryStore();
  return () => ({ ...store, close: async () => {} });
};

/**
 * The host's next deeds, when nothing is queued or at a crank that was drawn.
 *
 * @param {string} seed
 * @param {boolean} changesConfig
 * @param {Simulation} simulation
 */
export const actAsHost = (seed, changesConfig, { kernel }) => {
  const random = makeRandom(seed);
  const thresholds = [1, 2, 5, 20, /** @type {const} */ ('never'), undefined];
  for (let left = random.below(3); left > 0; left -= 1) {
    // A deed may have ended one.
    const running = kernel.vats().filter(({ state }) => state === 'running');
    const made = running.filter(({ isStatic, options }) => !isStatic && !options.critical);
    const draw = random.below(9);
    if (draw < 3) kernel.reap(random.pick(running).vatId);
    else if (draw === 3 && changesConfig) kernel.setReapInterval(random.pick(thresholds));
    else if (draw === 4 && changesConfig) kernel.setReapGCKrefs(random.pick(thresholds));
    else if (draw > 4 && draw < 7)
      kernel.setCleanupBudget(random.pick([true, true, false, { default: 1 + random.below(4) }]));
    else if (draw === 7 && made.length > 0 && random.chance(0.3)) {
      const info = { body: '#"by the host"', slots: [] };
      kernel.endVat(random.pick(made).vatId, random.chance(0.5), info);
    }
  }
};

/**
 * The host's next deeds in a program of 2020-09.
 *
 * @param {string} seed
 * @param {Simulation} simulation
 */
const actAsHostOf2020 = (seed, { kernel, queueToVatRoot, release }) => {
  const random = makeRandom(seed);
  for (let left = random.below(3); left > 0; left -= 1) {
    const running = kernel.vats().filter(({ state }) => state === 'running');
    const made = running.filter(({ isStatic }) => !isStatic);
    const actors = running.filter(
      ({ isStatic, name }) => isStatic && /^(alice|bob|carol)$/.test(name),
    );
    if (actors.length > 0 && random.chance(0.7)) {
      const { name } = random.pick(actors);
      release(queueToVatRoot(name, `m${random.below(4)}`, [random.below(9), seed]));
    } else if (made.length > 0)
      kernel.endVat(random.pick(made).vatId, random.chance(0.5), {
        body: '"by the host"',
        slots: [],
      });
  }
};

/**
 * Give the devices input, as a host does.
 *
 * @param {string} seed
 * @param {Simulation} simulation
 */
const giveDevices = (seed, simulation) => {
  const random = makeRandom(`devices of ${seed}`);
  for (let left = random.below(4); left > 0; left -= 1) {
    const at = 1 + random.below(9);
    if (random.chance(0.5)) simulation.deviceInput('bridge', JSON.stringify(['in', at, seed]));
    else {
      const messages = [[at, `${seed} ${at}`]];
      const input = { peer: `peer${at % 2}`, messages, ack: at };
      simulation.deviceInput('mailbox', JSON.stringify(random.chance(0.2) ? { all: true } : input));
    }
  }
};

/**
 * Give a device input that it may refuse.
 *
 * @param {string} seed
 * @param {Simulation} simulation
 */
export const wakeDevice = (seed, simulation) => {
  const random = makeRandom(`device of ${seed}`);
  for (let left = random.below(4); left > 0; left -= 1) {
    try {
      simulation.deviceInput('busy', String(random.below(1000)));
    } catch (error) {
      if (!/^the device fails/.test(/** @type {Error} */ (error).message)) throw error;
    }
  }
};

/**
 * Push reactors from outside, as a host does.
 *
 * @param {string} seed
 * @param {Simulation} simulation
 */
export const pushGauges = (seed, simulation) => {
  const random = makeRandom(`gauges of ${seed}`);
  for (let left = random.below(3); left > 0; left -= 1) {
    const [gauge, action] = [random.pick(['gauge', 'meter']), random.pick(['push', 'spaced'])];
    simulation.physicalInput(gauge, action, random.below(9));
  }
};

/** @type {Promise<{ endoZipBase64Sha512: string }> | undefined} */
let archiving;

/** The bundle that the host installs is another than that of the config, of the same source. */
export const makeArchive = async () => {
  await ensureLockdown();
  archiving ??= bundleSource(path.join(baseDir, 'victim.js'), { dev: true });
  return archiving;
};

/** The vats that went beyond a limit, and where. @param {Simulation['kernel']} kernel */
const listLimits = kernel =>
  kernel
    .inputs()
    .filter(({ kind }) => kind === 'limit')
    .map(({ vat, crank, data }) => `${vat} in crank ${crank}: ${data}`);

/** @param {Simulation['kernel']} kernel @param {unknown} error @throws {Error & { limits: string[] }} it is no such end */
const noteEnd = (kernel, error) => {
  const { cause, message } = /** @type {Error} */ (error);
  if (!(cause instanceof CriticalVatError))
    throw Object.assign(Error(message, { cause: error }), { limits: listLimits(kernel) });
  const { cranks, counters } = kernel;
  return JSON.stringify([message, cranks.all, kernel.activityHash(), counters.toRecord()]);
};

const roundKey = 'host.test.round';
const interruptKey = 'host.test.interrupt';

/** Lines of different vats have no order where deliveries overlap. @param {[vat: string, line: string][]} said */
const linesByVat = said => {
  /** @type {Record<string, string[]>} */
  const lines = {};
  for (const [vat, line] of said) (lines[vat] ??= []).push(line);
  return Object.entries(lines).sort(([one], [other]) => (one < other ? -1 : 1));
};

/**
 * All that must be equal of a run.
 *
 * @param {object} run
 * @param {Simulation} run.simulation
 * @param {Store} run.store
 * @param {[vat: string, line: string][]} run.said
 * @param {ReadonlyMap<string, string>} run.handedOut
 * @returns {Outcome}
 */
export const makeOutcome = ({ simulation, store, said, handedOut }) => {
  const {
    ns: _ns,
    machine: _machine,
    benchmark: _benchmark,
    reapCollections: _collections,
    ...report
  } = makeReport(simulation.kernel);
  return {
    ...{ ...report.counters, ...report, counters: undefined },
    said: linesByVat(said),
    handedOut: [...handedOut],
    audit: audit(simulation.kernel.state),
    digest: storeDigest(store),
  };
};

/** Fields of an outcome that differ. @param {Outcome} got @param {Outcome} want */
export const findDifferences = (got, want) =>
  Object.keys(want).flatMap(name => {
    const [is, should] = [got, want].map(outcome => JSON.stringify(outcome[name]));
    return is === should ? [] : [`${name}: ${is}, should be ${should}`];
  });

/**
 * @param {Lives} lives
 * @param {LivesWay} [way]
 * @returns {Promise<{ outcome: Outcome, store: Store, inputs: Record<string, number>, limits: string[], hash: string }>}
 *   `limits`: the vats that went beyond a limit, and where; `hash`: of what was committed
 */
export const runLives = async ({ seed, rounds, features, profile = 'current' }, way = {}) => {
  const { blockSize = () => 200, openStore = reopenable(), reopens = () => false } = way;
  const { until = () => undefined, options = () => ({}), onBlock = () => {}, audits = false } = way;
  const changesConfig = features.includes('config');
  const configFile = [...wideFeatures, ...laterFeatures].some(feature => features.includes(feature))
    ? 'wide.json'
    : 'swingset.json';
  const [hasMail, hasClock] = ['mail', 'clock'].map(feature => features.includes(feature));
  const archive = features.includes('bundles') ? await makeArchive() : undefined;
  const clock = hasClock ? makeRandomClock(seed) : undefined;
  /** @param {string} label  of the moment @param {Simulation} simulation */
  const act = (label, simulation) => {
    const deeds = `${seed}/${label}`;
    if (profile === '2020-09') {
      actAsHostOf2020(deeds, simulation);
      return;
    }
    actAsHost(deeds, changesConfig, simulation);
    if (hasMail) giveDevices(deeds, simulation);
    if (hasClock) pushGauges(deeds, simulation);
    if (features.includes('busy')) wakeDevice(deeds, simulation);
    if (archive !== undefined && label === installedAt) simulation.installBundle(archive);
  };
  const random = makeRandom(`interrupts of ${seed}`);
  // Programs of 2020-09 are short.
  const earliest = profile === '2020-09' ? 4 : 40;
  const interrupts = Array.from(
    { length: random.below(4) },
    () => earliest + random.below(10 * earliest),
  )
    .sort((a, b) => a - b)
    .filter((crank, i, all) => crank !== all[i - 1]);
  const installedAt = `round ${random.below(rounds)}`;
  /** @type {[vat: string, line: string][]} */
  const said = [];
  /** @type {Map<string, string>} what devices handed out, by device and number */
  const handedOut = new Map();
  /** @param {boolean} isNew  or resumed */
  const open = async isNew => {
    const store = await openStore(isNew);
    const argv = [
      String(seed),
      ...features,
      ...(archive ? [`bundle=b1-${archive.endoZipBase64Sha512}`] : []),
    ];
    const load = () =>
      profile === '2020-09'
        ? makeConfig(makeProgram(seed))
        : loadConfig({ configFile: path.join(baseDir, configFile), argv });
    const simulation = await makeSimulation(isNew ? load() : undefined, {
      ...{ store, cacheDir, resume: !isNew, ...(isNew && { profile }) },
      observer: { onConsole: (vat, level, text) => said.push([vat, `${level} ${text}`]) },
      onHandOut: (device, data, number) => void handedOut.set(`${device} ${number}`, data),
      ...(clock !== undefined && { clock }),
      ...(features.includes('endowed') && { deviceEndowments }),
      ...options(),
    });
    return { store, simulation };
  };
  let { store, simulation } = await open(true);
  const reopen = async () => {
    await simulation.close();
    ({ store, simulation } = await open(false));
  };
  /** Where a critical vat ended, and with it the run. @type {string | undefined} */
  let end;

  for (;;) {
    const { kernel } = simulation;
    let done = Number(kernel.getHostValue(interruptKey) ?? 0);
    if (interrupts[done] === kernel.cranks.all) {
      act(`interrupt ${done}`, simulation);
      done += 1;
      kernel.setHostValue(interruptKey, String(done));
    }
    if (profile === '2020-09' && kernel.cranks.all >= mostCranks) break;
    if (simulation.isStopped)
      throw Object.assign(Error('bootstrap has failed'), { limits: listLimits(kernel) });
    if (simulation.isQuiet) {
      const round = Number(kernel.getHostValue(roundKey) ?? 0);
      if (round === rounds) break;
      kernel.setHostValue(roundKey, String(round + 1));
      act(`round ${round}`, simulation);
      simulation.release(simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound'));
    }
    const end2020 = profile === '2020-09' ? mostCranks : Infinity;
    const untilInterrupt = Math.min(interrupts[done] ?? Infinity, end2020) - kernel.cranks.all;
    try {
      await simulation.runCranks(Math.min(blockSize(), untilInterrupt), until(kernel.now.timeNs));
    } catch (error) {
      const note = noteEnd(kernel, error);
      // From the last commit the run ends there again.
      await reopen();
      if (end !== undefined && end !== note)
        throw Error(`${note}, should be ${end}`, { cause: error });
      if (end !== undefined) break;
      end = note;
      continue;
    }
    await simulation.commit();
    if (audits) {
      const differences = audit(simulation.kernel.state);
      if (differences.length > 0)
        throw Error(`after crank ${kernel.cranks.all}: ${differences.slice(0, 5).join('; ')}`);
    }
    onBlock(simulation);
    if (reopens()) await reopen();
  }
  /** @type {Record<string, number>} */
  const inputs = {};
  for (const { kind } of simulation.kernel.inputs()) inputs[kind] = (inputs[kind] ?? 0) + 1;
  const limits = listLimits(simulation.kernel);
  const whole = makeOutcome({ simulation, store, said, handedOut });
  const hash = simulation.activityHash();
  await simulation.close();
  // Behind the last commit, which may be anywhere, only the end is the same.
  const outcome = end === undefined ? whole : { end };
  return { outcome, store, inputs, limits, hash };
};
