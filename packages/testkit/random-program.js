// Random programs for the kernel alone: a handful of random vats (random-vat.js) and a device that makes more of them
// (random-device.js), run in ways that must not make a difference, with a host that sends messages when nothing is
// queued and at given cranks.

import { isAllocatedByVat, isObjectKref, isPromiseKref } from '#model';
import { makeMemoryStore } from '#store';
import { makeRandom } from './random.js';
import { bornSources, makeRandomDevice } from './random-device.js';
import { makeRandomVat } from './random-vat.js';
import { makeTestKernel } from './test-kernel.js';

/** @import { CrankObserver, Transport } from '#kernel' */
/** @import { Input } from '../kernel/inputs/inputs.js' */
/** @import { Store } from '#store' */
/** @import { Random } from './random.js' */
/** @import { Holdings, Note, ProfileName } from './random-vat.js' */
/** @import { TestDevice, TestKernel, TestSource, TestVat } from './test-kernel.js' */

/** Gets a vat's record of its holdings, by the name of a vat of the config, or the id of another.
 * @typedef {(vat: string, holdings: Holdings) => void} OnMade */

/**
 * @typedef {object} RandomProgram
 * @property {string | number} seed
 * @property {ProfileName} profile
 * @property {(note: Note, onMade: OnMade) => Record<string, TestVat>} makeVats  makes new vats for each run
 * @property {(note: Note, onMade: OnMade) => Record<string, TestSource>} makeSources
 * @property {(note: Note) => Record<string, TestDevice>} makeDevices
 * @property {number} rounds
 * @property {readonly number[]} interrupts  numbers of cranks after which the host acts, although items are queued
 */

/**
 * @param {string | number} seed
 * @returns {RandomProgram}
 */
export const makeRandomProgram = seed => {
  const random = makeRandom(seed);
  const profile = random.chance(0.35) ? '2020-09' : 'current';
  const names = ['boot', 'vatAdmin', 'alice', 'bob', 'carol', 'dave', 'eve'].slice(
    0,
    3 + random.below(5),
  );
  const looks = names.map(name => ({
    name,
    starts: name !== 'vatAdmin' && random.chance(0.5),
    pipelining: random.chance(0.3),
    reapInterval: random.pick([1, 2, 3, 5, 8, 13, /** @type {const} */ ('never')]),
  }));
  const rounds = 2 + random.below(5);
  const interrupts = Array.from({ length: random.below(4) }, () => 1 + random.below(150));
  // Few, since a check of a large vat's records after each crank is slow.
  const makesHoarders = random.chance(0.1);
  return {
    seed,
    profile,
    makeVats: (note, onMade) =>
      Object.fromEntries(
        looks.map(({ name, starts, pipelining, reapInterval }) => {
          const react = makeRandomVat(makeRandom(`${seed}/${name}`), {
            profile,
            note,
            onMade: holdings => onMade(name, holdings),
          });
          return [name, { react, starts, pipelining, options: { reapInterval } }];
        }),
      ),
    makeSources: (note, onMade) =>
      Object.fromEntries(
        bornSources.map(source => {
          const how = { isBorn: true, hoards: source === 'hoarder', fails: source === 'failing' };
          const make = (/** @type {string} */ vatId) =>
            makeRandomVat(makeRandom(`${seed}/${vatId}`), {
              profile,
              note,
              onMade: holdings => onMade(vatId, holdings),
              ...how,
            });
          return [source, { make }];
        }),
      ),
    makeDevices: note => ({
      device: makeRandomDevice({ seed: `${seed}`, profile, makesHoarders }, note),
    }),
    rounds,
    interrupts: [...new Set(interrupts)].sort((left, right) => left - right),
  };
};

const roundKey = 'host.round';
const interruptKey = 'host.interrupt';

/**
 * Make the host's actions: it sends messages to roots, with references to other roots and to results that it holds,
 * drops some of those results, and gives the device input.
 *
 * @param {Random} random
 * @param {string} name
 * @param {TestKernel['kernel']} kernel
 */
const actAsHost = (random, name, kernel) => {
  const { held, vats, owners } = kernel.state;
  for (const kref of [...held.keys()].sort()) if (random.chance(0.5)) kernel.release(kref);
  for (let left = random.below(3); left > 0; left -= 1) {
    const said = `${name} says ${random.below(1000)}${random.chance(0.2) ? '!' : ''}`;
    try {
      kernel.deviceInput('d7', said);
    } catch (error) {
      if (/** @type {Error} */ (error).message !== `${said} is too much`) throw error;
    }
  }
  const running = vats.vatIds().filter(vatId => vats.isRunning(vatId));
  // Rows of ended vats are deleted at some later time, so their presence is not decisive. The host refers only to
  // reachable objects.
  const isReached = (/** @type {string} */ kref) =>
    running.some(vatId => {
      const pair = vats.clist(vatId).findPairOf(kref);
      if (pair === undefined) return false;
      return isAllocatedByVat(pair.vref)
        ? pair.vref === 'o+0' && vats.require(vatId).isStatic
        : pair.isReachable;
    });
  const objects = [...owners.keys()]
    .filter(kref => isObjectKref(kref) && vats.isRunning(owners.get(kref) ?? '') && isReached(kref))
    .sort();
  const withRoots = running.filter(vatId => {
    const root = vats.clist(vatId).findKref('o+0');
    return root !== undefined && isReached(root);
  });
  for (let left = 1 + random.below(6); left > 0 && withRoots.length > 0; left -= 1) {
    const results = [...held.keys()].filter(isPromiseKref).sort();
    const slots = Array.from({ length: random.below(3) }, () =>
      random.pick([...objects, ...results]),
    );
    kernel.queueToVatRoot(random.pick(withRoots), { body: `#["${name}",[]]`, slots });
  }
};

/**
 * Let the host act when nothing is queued.
 *
 * @param {RandomProgram} program
 * @param {TestKernel['kernel']} kernel
 * @returns {boolean} false when the program is over
 */
const hostRound = ({ seed, rounds }, kernel) => {
  const round = Number(kernel.getHostValue(roundKey) ?? 0);
  if (round === rounds) return false;
  kernel.setHostValue(roundKey, String(round + 1));
  actAsHost(makeRandom(`${seed}/round ${round}`), `round${round}`, kernel);
  return true;
};

/**
 * Let the host act if enough cranks were run.
 *
 * @param {RandomProgram} program
 * @param {TestKernel['kernel']} kernel
 * @returns {number} cranks until its next action
 */
const hostInterrupt = ({ seed, interrupts }, kernel) => {
  let done = Number(kernel.getHostValue(interruptKey) ?? 0);
  if (interrupts[done] === kernel.cranks.all) {
    actAsHost(makeRandom(`${seed}/interrupt ${done}`), `interrupt${done}`, kernel);
    done += 1;
    kernel.setHostValue(interruptKey, String(done));
  }
  return done < interrupts.length ? interrupts[done] - kernel.cranks.all : Infinity;
};

/**
 * How to run a program; by default, without a pause on a memory store.
 *
 * @typedef {object} ProgramRun
 * @property {Store} [store]  empty
 * @property {() => number} [blockSize]  cranks of the next block
 * @property {boolean} [byInstants]  a block ends at the latest when logical time advances
 * @property {(store: Store) => Promise<Store | undefined>} [reopen]  after each block: closes the store and opens it
 *   again, or returns undefined to continue
 * @property {CrankObserver} [crankObserver]
 * @property {number} [lookahead]
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]
 * @property {boolean} [makesVatsLater]
 * @property {(kernel: TestKernel['kernel']) => void} [onBlock]  after each commit
 * @property {(kernel: TestKernel['kernel']) => void} [onResume]  called after the store was opened again
 * @property {Note} [note]  also called during a replay
 * @property {OnMade} [onMade]
 */

/**
 * @typedef {object} ProgramOutcome
 * @property {{ all: number, control: number }} cranks
 * @property {unknown} counters
 * @property {string} activityHash
 * @property {[vatId: string, problem: string][]} faults
 * @property {string[]} handedOut
 * @property {Input[]} inputs
 * @property {number} timeNs
 */

/**
 * @param {RandomProgram} program
 * @param {ProgramRun} how
 * @returns {Promise<{ store: Store, outcome: ProgramOutcome }>} the store is still open
 */
export const runRandomProgram = async (program, how = {}) => {
  const { blockSize = () => Infinity, byInstants = false, reopen = async () => undefined } = how;
  const { onBlock = () => {}, onResume = () => {}, note = () => {}, onMade = () => {} } = how;
  const {
    crankObserver,
    lookahead = 0,
    wrapTransport = transport => transport,
    makesVatsLater = false,
  } = how;
  const makeOptions = () => ({
    profile: program.profile,
    vats: program.makeVats(note, onMade),
    sources: program.makeSources(note, onMade),
    devices: program.makeDevices(note),
    takesHandedOut: true,
    lookahead,
    ...(crankObserver && { crankObserver }),
    wrapTransport,
    makesVatsLater,
  });
  /** @type {[string, string][]} */
  const faults = [];
  /** By number, since data taken just before the run was resumed comes again. @type {Map<number, string>} */
  const handedOut = new Map();
  let { store = makeMemoryStore() } = how;
  let running = makeTestKernel({ ...makeOptions(), store });
  const commit = async () => {
    const { kernel } = running;
    await kernel.commit();
    for (const { number, deviceId, data } of kernel.takeHandedOut()) {
      handedOut.set(number, `${number} ${deviceId} ${data}`);
      kernel.noteTaken(number);
    }
  };
  for (;;) {
    const { kernel } = running;
    const limit = hostInterrupt(program, kernel);
    if (kernel.isQuiet && !hostRound(program, kernel)) break;
    await running.run(Math.min(limit, blockSize()), byInstants ? kernel.nextTimeNs : Infinity);
    await commit();
    onBlock(kernel);
    const reopened = await reopen(store);
    if (reopened !== undefined) {
      store = reopened;
      faults.push(...running.faults);
      running = makeTestKernel({ ...makeOptions(), store, resume: true });
      onResume(running.kernel);
    }
  }
  await commit();
  const { kernel, faults: last } = running;
  return {
    store,
    outcome: {
      cranks: kernel.cranks,
      counters: kernel.counters.toRecord(),
      activityHash: kernel.activityHash(),
      faults: [...faults, ...last],
      handedOut: [...handedOut.values()],
      inputs: kernel.inputs(),
      timeNs: kernel.state.now.timeNs,
    },
  };
};
