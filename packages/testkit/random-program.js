// Random programs for the kernel alone. A program is a handful of scripted vats that do whatever vats may do, in an
// order that follows from the program's seed and from what each has been told: send to objects and to promises,
// settle, pass promises before and after they are settled, in circles too, write to their own stores, call a
// device, break a rule, exit. Each vat keeps its own account of what it holds, so that nearly all it asks for is
// allowed, and the kernel's account is held against it.

import { isObjectKref, isPromiseKref, typeOfVref } from '#model';
import { profiles } from '#kernel';
import { makeMemoryStore } from '#store';
import { makeRandom } from './random.js';
import { makeTestKernel } from './test-kernel.js';

/** @import { Transport } from '#kernel' */
/** @import { TestDevice } from './test-kernel.js' */
/** @import { Answer, CapData, Delivery, Resolution } from '#model' */
/** @import { Store } from '#store' */
/** @import { Random } from './random.js' */
/** @import { Call, React } from './scripted-vat.js' */
/** @import { TestKernel, TestVat } from './test-kernel.js' */

/**
 * @typedef {object} RandomProgram
 * @property {string | number} seed
 * @property {'current' | '2020-09'} profile
 * @property {Record<string, () => TestVat>} vats  makers, for a run begins with vats that know nothing
 * @property {Record<string, TestDevice>} devices
 * @property {number} rounds
 */

/** Messages that one vat sends in a run: enough for conversations to cross, and an end to them. */
const sendsPerVat = 60;

/** @type {Record<'current' | '2020-09', { presence: string, sole: (letter: string) => string, data: (count: number) => string }>} */
const bodies = {
  current: {
    presence: '#"$0"',
    sole: letter => (letter === 'p' ? '#"&0"' : '#"$0"'),
    data: count => `#${JSON.stringify(Array.from({ length: count }, (_, i) => `$${i}`))}`,
  },
  '2020-09': {
    presence: '{"@qclass":"slot","index":0}',
    sole: () => '{"@qclass":"slot","index":0}',
    data: count =>
      JSON.stringify(Array.from({ length: count }, (_, i) => ({ '@qclass': 'slot', index: i }))),
  },
};

/**
 * What a vat knows: the objects, promises and devices in its c-list.
 */
class Holdings {
  objects = new Set(['o+0']);

  /** @type {Set<string>} */
  devices = new Set();

  /** @type {Map<string, 'mine' | 'waiting' | 'settled'>} promises: this vat's to settle, somebody's, or settled */
  promises = new Map();

  #nextExport = 1;

  #nextPromise = 5;

  #forgets;

  /** @param {'current' | '2020-09'} profile */
  constructor(profile) {
    this.#forgets = profiles[profile].retiresEntry;
  }

  newObject() {
    const vref = `o+${this.#nextExport}`;
    this.#nextExport += 1;
    return vref;
  }

  newPromise() {
    const vref = `p+${this.#nextPromise}`;
    this.#nextPromise += 1;
    return vref;
  }

  /** @param {readonly string[]} slots  that the vat has been given */
  learn(slots) {
    for (const slot of slots) {
      const type = typeOfVref(slot);
      if (type === 'object') this.objects.add(slot);
      else if (type === 'device') this.devices.add(slot);
      else if (!this.promises.has(slot)) this.promises.set(slot, 'waiting');
    }
  }

  /** @param {readonly Resolution[]} resolutions  that the vat has made or been told of */
  settle(resolutions) {
    for (const [, , { slots }] of resolutions) this.learn(slots);
    for (const [vref, , data] of resolutions) {
      // The profile's rule reads krefs; it only looks for promises, whose letter is the second of a kref.
      const krefs = { body: data.body, slots: data.slots.map(slot => `k${slot}`) };
      if (this.#forgets(vref, krefs)) this.promises.delete(vref);
      else this.promises.set(vref, 'settled');
    }
  }

  /** @param {'mine' | 'waiting' | 'settled'} state */
  promisesThatAre(state) {
    return [...this.promises].filter(([, own]) => own === state).map(([vref]) => vref);
  }

  get everything() {
    return [...this.objects, ...this.promises.keys()];
  }
}

/**
 * @param {Random} random
 * @param {'current' | '2020-09'} profile
 * @returns {React}
 */
const makeRandomVat = (random, profile) => {
  const holdings = new Holdings(profile);
  const { objects, devices, promises } = holdings;
  const body = bodies[profile];
  let sends = sendsPerVat;

  /** A reference to pass: one that is there, or a new one. */
  const reference = () => {
    if (random.chance(0.15)) {
      const vref = holdings.newObject();
      objects.add(vref);
      return vref;
    }
    if (random.chance(0.2)) {
      const vref = holdings.newPromise();
      promises.set(vref, 'mine');
      return vref;
    }
    return random.pick(holdings.everything);
  };

  /** @returns {CapData} */
  const someData = () => {
    const slots = Array.from({ length: random.below(4) }, reference);
    if (slots.length === 1 && random.chance(0.5)) {
      return { body: body.sole(slots[0][0]), slots };
    }
    return { body: body.data(slots.length), slots };
  };

  /** @param {Call} call */
  const send = call => {
    if (sends === 0) return;
    sends -= 1;
    // Unresolved promises are worth most: what happens to a message for one is decided while it is on its way.
    const waiting = holdings.promisesThatAre('waiting');
    const target =
      waiting.length > 0 && random.chance(0.3)
        ? random.pick(waiting)
        : random.pick(holdings.everything);
    const slots = Array.from({ length: random.below(4) }, reference);
    const methargs = {
      body: `${profiles[profile].wire.start}["m${random.below(100)}",${body.data(slots.length).replace(/^#/, '')}]`,
      slots,
    };
    const mine = holdings.promisesThatAre('mine');
    /** @type {string | null} */
    let result = null;
    if (mine.length > 0 && random.chance(0.2)) result = random.pick(mine);
    else if (random.chance(0.8)) result = holdings.newPromise();
    call('send', target, methargs, result);
    if (result === null) return;
    promises.set(result, 'waiting');
    if (random.chance(0.8)) call('subscribe', result);
  };

  /** @param {Call} call */
  const subscribe = call => {
    if (promises.size > 0) call('subscribe', random.pick([...promises.keys()]));
  };

  /** @param {Call} call */
  const resolve = call => {
    const mine = holdings.promisesThatAre('mine');
    if (mine.length === 0) return;
    const settled = new Set(
      Array.from({ length: random.chance(0.3) ? 3 : 1 }, () => random.pick(mine)),
    );
    const resolutions = [...settled].map(vref => {
      if (random.chance(0.5)) {
        const slots = [random.pick([...objects])];
        return /** @type {Resolution} */ ([vref, false, { body: body.presence, slots }]);
      }
      return /** @type {Resolution} */ ([vref, random.chance(0.25), someData()]);
    });
    call('resolve', resolutions);
    holdings.settle(resolutions);
  };

  /** @param {Call} call */
  const useStore = call => {
    const key = `k${random.below(6)}`;
    const draw = random.below(5);
    if (draw === 0) call('vatstoreDelete', key);
    else if (draw < 3) call('vatstoreSet', key, `value ${random.below(1000)}`);
    else {
      const answer =
        draw === 3 ? call('vatstoreGet', key) : call('vatstoreGetNextKey', random.pick(['', key]));
      if (answer?.kind === 'value') random.stir(answer.value ?? '-');
    }
  };

  /** @param {Call} call */
  const callDevice = call => {
    if (devices.size === 0) return;
    const slots = random.chance(0.5) ? [random.pick([...objects])] : [];
    const answer = call('callNow', random.pick([...devices]), random.pick(['echo', 'fail']), {
      body: body.data(slots.length),
      slots,
    });
    if (answer === undefined || answer.kind === 'value') return;
    random.stir(answer.kind);
    holdings.learn(answer.data.slots);
  };

  /** @param {Call} call */
  const retire = call => {
    const imports = [...objects].filter(vref => vref.startsWith('o-'));
    if (imports.length === 0) return;
    const vref = random.pick(imports);
    call('retireImports', [vref]);
    objects.delete(vref);
  };

  /**
   * @param {Call} call
   * @returns {string | undefined}
   */
  const misbehave = call => {
    const [waiting] = holdings.promisesThatAre('waiting');
    const draw = random.below(7);
    if (draw === 0) return 'it ran out of memory';
    if (draw === 1) call('send', 'o-9999', { body: '[]', slots: [] }, null);
    else if (draw === 2) call('subscribe', 'o+0');
    else if (draw === 3 && waiting) call('resolve', [[waiting, false, { body: '1', slots: [] }]]);
    else if (draw === 4) call('callNow', 'd-9999', 'm', { body: '[]', slots: [] });
    else if (draw === 5) call('send', 'o+0', { body: '[]', slots: ['p-9999'] }, null);
    else call('retireImports', ['o+0']);
    return undefined;
  };

  /** @param {Delivery} delivery */
  const learn = delivery => {
    random.stir(delivery[0]);
    if (delivery[0] === 'message') {
      const [, , methargs, result] = delivery;
      holdings.learn(methargs.slots);
      random.stir(methargs.body);
      if (result !== null) promises.set(result, 'mine');
    } else if (delivery[0] === 'notify') {
      for (const [, rejected, { body: said }] of delivery[1]) random.stir(`${rejected}${said}`);
      holdings.settle(delivery[1]);
    }
  };

  return (delivery, call) => {
    learn(delivery);
    if (delivery[0] === 'startVat') return undefined;
    const actions = [
      send,
      send,
      send,
      send,
      send,
      subscribe,
      resolve,
      resolve,
      resolve,
      useStore,
      callDevice,
    ];
    if (profile === 'current') actions.push(retire);
    for (let left = random.below(6); left > 0; left -= 1) random.pick(actions)(call);
    if (random.chance(0.005)) return misbehave(call);
    if (random.chance(0.004)) call('exit', random.chance(0.5), someData());
    return undefined;
  };
};

/**
 * A device without state: it says back what it is told, or throws it.
 *
 * @type {(method: string, args: CapData) => Answer}
 */
const echo = (method, { body, slots }) => ({
  kind: method === 'fail' ? 'throw' : 'return',
  data: { body, slots },
});

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
  const vats = Object.fromEntries(
    names.map(name => {
      const own = `${seed}/${name}`;
      const starts = name !== 'vatAdmin' && random.chance(0.5);
      const pipelining = random.chance(0.3);
      return [name, () => ({ react: makeRandomVat(makeRandom(own), profile), starts, pipelining })];
    }),
  );
  return { seed, profile, vats, devices: { echo }, rounds: 2 + random.below(5) };
};

const roundKey = 'host.round';

/**
 * What the host does when nothing is queued: messages to roots, with references to other roots and to results that
 * it holds; and it lets go of some of those.
 *
 * @param {RandomProgram} program
 * @param {TestKernel['kernel']} kernel
 * @returns {boolean} false when the program is over
 */
const hostRound = ({ seed, rounds }, kernel) => {
  const round = Number(kernel.getHostValue(roundKey) ?? 0);
  if (round === rounds) return false;
  kernel.setHostValue(roundKey, String(round + 1));
  const random = makeRandom(`${seed}/round ${round}`);
  const { held, vats, owners } = kernel.state;
  for (const kref of [...held.keys()].sort()) if (random.chance(0.5)) kernel.release(kref);
  const running = vats.vatIds().filter(vatId => vats.isRunning(vatId));
  const objects = [...owners.keys()].filter(isObjectKref).sort();
  for (let left = 1 + random.below(6); left > 0 && running.length > 0; left -= 1) {
    const results = [...held.keys()].filter(isPromiseKref).sort();
    const slots = Array.from({ length: random.below(3) }, () =>
      random.pick([...objects, ...results]),
    );
    kernel.queueToVatRoot(random.pick(running), { body: `#["round${round}",[]]`, slots });
  }
  return true;
};

/**
 * How to run a program; without anything, in one go on a memory store.
 *
 * @typedef {object} ProgramRun
 * @property {Store} [store]  empty
 * @property {() => number} [blockSize]  cranks of the next block
 * @property {(store: Store) => Promise<Store | undefined>} [reopen]  after each block: closes the store and opens it
 *   again, or returns undefined to go on
 * @property {number} [lookahead]
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]
 * @property {(kernel: TestKernel['kernel']) => void} [onBlock]  after each commit
 * @property {(kernel: TestKernel['kernel']) => void} [onResume]  after the store was opened again
 */

/**
 * @param {RandomProgram} program
 * @param {ProgramRun} how
 * @returns {Promise<{ store: Store, outcome: { cranks: { all: number, control: number }, counters: unknown,
 *   activityHash: string, faults: [string, string][] } }>} the store is still open
 */
export const runRandomProgram = async (program, how = {}) => {
  const { blockSize = () => Infinity, reopen = async () => undefined } = how;
  const { onBlock = () => {}, onResume = () => {}, lookahead, wrapTransport } = how;
  const makeVats = () =>
    Object.fromEntries(Object.entries(program.vats).map(([name, make]) => [name, make()]));
  const options = {
    profile: program.profile,
    devices: program.devices,
    ...(lookahead !== undefined && { lookahead }),
    ...(wrapTransport !== undefined && { wrapTransport }),
  };
  /** @type {[string, string][]} */
  const faults = [];
  let { store = makeMemoryStore() } = how;
  let running = makeTestKernel({ ...options, vats: makeVats(), store });
  for (;;) {
    const { kernel } = running;
    if (kernel.isQuiet && !hostRound(program, kernel)) break;
    await running.run(blockSize());
    await kernel.commit();
    onBlock(kernel);
    const reopened = await reopen(store);
    if (reopened !== undefined) {
      store = reopened;
      faults.push(...running.faults);
      running = makeTestKernel({ ...options, vats: makeVats(), store, resume: true });
      onResume(running.kernel);
    }
  }
  const { kernel } = running;
  faults.push(...running.faults);
  await kernel.commit();
  return {
    store,
    outcome: {
      cranks: kernel.cranks,
      counters: kernel.counters.toRecord(),
      activityHash: kernel.activityHash(),
      faults,
    },
  };
};
