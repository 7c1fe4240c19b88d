// A vat that does everything that vats may do, in an order that depends on its seed and its deliveries: it sends to
// objects and to promises, resolves promises, passes them before and after, in cycles too, writes to its own store,
// calls devices, breaks a rule, exits. It keeps its own record of its references, so that nearly all its syscalls are
// allowed, and tests compare the kernel's record with it. When it is asked for its dead references it drops some, and
// it may get them again.

import { typeOfVref } from '#model';
import { profiles } from '#kernel';
import { deviceMethods } from './random-device.js';

/** @import { CapData, Delivery, Resolution, Syscall } from '#model' */
/** @import { Random } from './random.js' */
/** @import { Call, React } from './scripted-vat.js' */

/** @typedef {'current' | '2020-09'} ProfileName */

/** Counts an event, so that a test can assert it. @typedef {(what: string) => void} Note */

/**
 * @typedef {object} RandomVatOptions
 * @property {ProfileName} profile
 * @property {Note} note
 * @property {boolean} [isBorn]  a dynamic vat: it acts during its start, and has a shorter life
 * @property {boolean} [hoards]  it has more entries than a step of clean-up deletes, and exits soon
 * @property {boolean} [fails]  its start mostly fails
 * @property {(holdings: Holdings) => void} [onMade]  gets the record of its holdings
 */

/** Number of exports and keys of a hoarding vat: with its other entries more than a thousand. */
const hoard = 1050;

/** Bound on the messages that one vat sends in a run: enough for conversations to cross, and for the run to end. */
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
 * The objects, promises and devices in a vat's c-list.
 */
export class Holdings {
  /** Its own objects, and reachable imports. */
  objects = new Set(['o+0']);

  /** Recognisable imports. @type {Set<string>} */
  recognised = new Set();

  /** Exports that nobody reaches, as the kernel has told it. @type {Set<string>} */
  unreached = new Set();

  /** Whether the vat has abandoned an export, which others may still reach. */
  hasAbandoned = false;

  /** @type {Set<string>} */
  devices = new Set();

  /** @type {Map<string, 'mine' | 'waiting' | 'settled'>} promises: decided by this vat, by others, or resolved */
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

  /** @param {readonly string[]} slots  given to the vat */
  learn(slots) {
    for (const slot of slots) {
      const type = typeOfVref(slot);
      if (type === 'object') {
        this.objects.add(slot);
        this.recognised.delete(slot);
      } else if (type === 'device') this.devices.add(slot);
      else if (!this.promises.has(slot)) this.promises.set(slot, 'waiting');
    }
  }

  /** @param {readonly Resolution[]} resolutions  made by the vat or delivered to it */
  settle(resolutions) {
    for (const [, , { slots }] of resolutions) this.learn(slots);
    for (const [vref, , data] of resolutions) {
      // The profile's rule reads krefs; it only looks for promises, by the second letter of a kref.
      const krefs = { body: data.body, slots: data.slots.map(slot => `k${slot}`) };
      if (this.#forgets(vref, krefs)) this.promises.delete(vref);
      else this.promises.set(vref, 'settled');
    }
  }

  /** @param {Syscall} syscall  which makes exports reachable again */
  say(syscall) {
    if (this.unreached.size === 0) return;
    const [kind, ...rest] = syscall;
    if (kind === 'retireExports') return;
    for (const vref of slotsOf(rest)) this.unreached.delete(vref);
  }

  /** Apply the kernel's verdict on objects. @param {Delivery} delivery */
  hear(delivery) {
    const [kind, vrefs] = /** @type {[string, string[]]} */ (delivery);
    for (const vref of vrefs) {
      const where = `${kind} of ${vref}`;
      if (kind === 'retireImports') {
        if (!this.recognised.delete(vref)) throw Error(`${where}, which is not just recognised`);
      } else if (kind === 'dropExports') {
        if (this.unreached.has(vref)) throw Error(`${where}, which was dropped before`);
        this.unreached.add(vref);
      } else if (!this.unreached.delete(vref)) {
        throw Error(`${where}, which was not dropped`);
      }
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
 * Find all references in a syscall.
 *
 * @param {unknown} value
 * @returns {string[]}
 */
const slotsOf = value => {
  if (typeof value === 'string') return value.startsWith('o+') ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(slotsOf);
};

/**
 * @param {Random} random
 * @param {RandomVatOptions} options
 * @returns {React}
 */
// eslint-disable-next-line max-lines-per-function -- one vat: what it may do next is a table of deeds over what it has
export const makeRandomVat = (random, options) => {
  const { profile, note, isBorn = false, hoards = false, fails = false } = options;
  const holdings = new Holdings(profile);
  options.onMade?.(holdings);
  const { objects, devices, promises } = holdings;
  const body = bodies[profile];
  let sends = sendsPerVat;

  /** Pick a reference to pass: an existing or a new one. */
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
    if (devices.size > 0 && random.chance(0.06)) return random.pick([...devices]);
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
    // Unresolved promises are the most useful: the route of a message to one is decided while it is queued.
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
    const slots = Array.from({ length: random.below(3) }, () =>
      random.pick([...objects, ...devices]),
    );
    const method = `${random.pick(deviceMethods)} ${random.below(1000)}`;
    const args = { body: body.data(slots.length), slots };
    const answer = call('callNow', random.pick([...devices]), method, args);
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

  /** Answer the request for dead references. @param {Call} call */
  const letGo = call => {
    note('asked for dead references');
    const imports = [...objects].filter(vref => vref.startsWith('o-'));
    const dropped = imports.filter(() => random.chance(0.4));
    for (const vref of dropped) {
      objects.delete(vref);
      holdings.recognised.add(vref);
    }
    if (dropped.length > 0) call('dropImports', dropped);
    const retired = [...holdings.recognised].filter(() => random.chance(0.25));
    for (const vref of retired) holdings.recognised.delete(vref);
    if (retired.length > 0) call('retireImports', retired);
    const gone = [...holdings.unreached].filter(() => random.chance(0.3));
    for (const vref of gone) {
      holdings.unreached.delete(vref);
      // A retired export may be exported again, as another object.
      if (random.chance(0.5)) objects.delete(vref);
    }
    if (gone.length > 0) {
      note('exports retired by their vat');
      call('retireExports', gone);
    }
    if (random.chance(0.3)) abandon(call);
  };

  /** Export an object, and abandon it. It may be exported later, as another object. @param {Call} call */
  const abandon = call => {
    const own = [...objects].filter(vref => vref.startsWith('o+') && vref !== 'o+0');
    if (own.length === 0) return;
    const vref = random.pick(own);
    call('send', random.pick([...objects]), { body: body.data(1), slots: [vref] }, null);
    holdings.unreached.delete(vref);
    holdings.hasAbandoned = true;
    note('exports abandoned by their vat');
    call('abandonExports', [vref]);
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
    } else if (delivery[0] === 'startVat') {
      holdings.learn(delivery[1].slots);
    } else if (delivery[0] !== 'notify') {
      if (
        delivery[0] === 'bringOutYourDead' ||
        delivery[0] === 'stopVat' ||
        delivery[0] === 'react'
      )
        return;
      for (const vref of delivery[1]) random.stir(vref);
      holdings.hear(delivery);
      note(delivery[0]);
    } else {
      for (const [, rejected, { body: said }] of delivery[1]) random.stir(`${rejected}${said}`);
      holdings.settle(delivery[1]);
    }
  };

  /** Add entries that no other vat sees: messages for a promise that is never resolved, and keys. @param {Call} call */
  const gather = call => {
    note('hoards');
    const slots = Array.from({ length: hoard }, (_, i) => `o+${100_000 + i}`);
    call('send', 'p+99999', { body: `${profiles[profile].wire.start}["keep",[]]`, slots }, null);
    for (let i = 0; i < hoard; i += 1) call('vatstoreSet', `hoard ${i}`, '');
  };

  return (delivery, callPlainly, crank) => {
    learn(delivery);
    /** @type {Call} */
    const call = (...syscall) => {
      holdings.say(syscall);
      return callPlainly(...syscall);
    };
    if (delivery[0] === 'bringOutYourDead') {
      letGo(call);
      return undefined;
    }
    const isToldOfObjects = delivery[0] === 'dropExports' || delivery[0].startsWith('retire');
    if (isToldOfObjects && random.chance(0.9)) return undefined;
    const isStart = delivery[0] === 'startVat';
    if (isStart && !isBorn) return undefined;
    if (isStart && fails && random.chance(0.7)) {
      note('starts that fail');
      if (random.chance(0.4)) return misbehave(call) ?? 'it does not start';
      call('exit', random.chance(0.7), someData());
      return undefined;
    }
    if (hoards && crank === 2) gather(call);
    const actions = [send, send, send, send, send, subscribe, resolve, resolve, resolve, useStore];
    // In 2020, a vat that starts in the crank of another does not yet have devices.
    if (!isStart || profile === 'current') actions.push(callDevice);
    if (devices.size > 0 && !isStart) actions.push(callDevice, callDevice, callDevice);
    if (profile === 'current') actions.push(retire);
    for (let left = random.below(6); left > 0; left -= 1) random.pick(actions)(call);
    if (random.chance(isBorn ? 0.02 : 0.005)) {
      note('rules broken');
      return misbehave(call);
    }
    if (random.chance(isBorn ? 0.04 : 0.004) || (hoards && crank > 2)) {
      const isFailure = random.chance(0.5);
      note(isFailure ? 'exits with failure' : 'exits');
      call('exit', isFailure, someData());
    }
    return undefined;
  };
};
