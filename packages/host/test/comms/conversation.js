// Two comms vats in conversation, without kernels: a side holds what its vats would hold, and sends, settles, drops and
// retires at random, as a kernel may. What each comms asks for in answer is written down. The same conversation can be held
// with other comms vats of the same protocol.

/** @import { Random } from '#testkit' */
/** @import { Delivery, Syscall } from '#model' */

/** Takes a delivery, and tells what it asks for. @typedef {(delivery: Delivery) => Syscall[]} Comms */

/** An object of this side's vats. @typedef {{ kind: 'object', vref: string | null, isReached: boolean }} Own */

/** An object of the other side. @typedef {{ kind: 'import', vref: string | null, isReached: boolean }} Import */

/** A promise; `isOurs` if this side decides it. @typedef {{ kind: 'promise', vref: string | null, isOurs: boolean, isSettled: boolean, isSubscribed: boolean, refs: Ref[] }} Settling */

/** @typedef {Own | Import | Settling} Ref */

/** @param {Settling} promise */
const isDue = ({ isOurs, isSettled, isSubscribed }) => isOurs && isSettled && isSubscribed;

const transmitter = 'o-50';
const setReceiver = 'o-51';

/** How many references a side knows at most, apart from those of promises. */
const mostKnown = 12;

// eslint-disable-next-line house/max-class-lines -- what one side holds, and what it may do with it, are one state
class Side {
  #comms;

  #random;

  #nextObject = 60;

  #nextPromise = 60;

  /** @type {Ref[]} */
  known = [];

  /** Objects that comms has dropped and still names. @type {Own[]} */
  dropped = [];

  /** Objects of the other side that were dropped here and not retired. @type {Import[]} */
  unreached = [];

  /** @type {Map<string, Ref>} */
  #byVref = new Map();

  /** Names of comms, numbered in order of their appearance. @type {Map<string, string>} */
  #names = new Map();

  #receiver = '';

  /** The first object of the other side, which is never dropped. @type {Ref | undefined} */
  #root;

  /** Strings for the other side. @type {string[]} */
  outbox = [];

  /** @type {string[]} */
  log;

  /** @param {string} name @param {Comms} comms @param {Random} random @param {string[]} log */
  constructor(name, comms, random, log) {
    this.name = name;
    this.#comms = comms;
    this.#random = random;
    this.log = log;
  }

  /** @param {string} vref */
  #nameOf(vref) {
    if (vref[1] !== '+' || vref === 'o+0') return vref;
    let name = this.#names.get(vref);
    if (name === undefined) {
      name = `${vref[0]}+#${this.#names.size}`;
      this.#names.set(vref, name);
    }
    return name;
  }

  /** @param {Delivery} delivery */
  #deliver(delivery) {
    const syscalls = this.#comms(delivery);
    const named = (/** @type {unknown} */ part) =>
      JSON.stringify(part, (_, value) =>
        typeof value === 'string' && /^[op][+-]\d+$/.test(value) ? this.#nameOf(value) : value,
      );
    this.log.push(`${this.name} ${named(delivery)}`);
    for (const syscall of syscalls) {
      this.log.push(`  ${named(syscall)}`);
      this.#take(syscall);
    }
    // Comms has subscribed to what is settled already.
    for (const ref of [...this.#byVref.values()])
      if (ref.kind === 'promise' && ref.vref !== null && isDue(ref)) this.#tell(ref);
  }

  /** @param {Syscall} syscall */
  #take(syscall) {
    switch (syscall[0]) {
      case 'send': {
        const [, target, { body, slots }, result] = syscall;
        if (target === transmitter) {
          this.outbox.push(JSON.parse(body.slice(1))[1][0]);
          return;
        }
        if (target === setReceiver) {
          [this.#receiver] = slots;
          return;
        }
        const to = this.#byVref.get(target);
        if (to === undefined) throw Error(`comms sends to ${target}`);
        if (to.kind === 'object' && !to.isReached) throw Error(`comms sends to dropped ${target}`);
        for (const slot of slots) this.#receive(slot);
        if (result !== null && result !== undefined) {
          const promise = this.#receive(result);
          if (promise.kind === 'promise') promise.isOurs = true;
        }
        return;
      }
      case 'subscribe': {
        const promise = this.#byVref.get(syscall[1]);
        if (promise?.kind === 'promise') promise.isSubscribed = true;
        return;
      }
      case 'resolve':
        for (const [vref, , { slots }] of syscall[1]) {
          const refs = slots.map(slot => this.#receive(slot));
          const promise = this.#byVref.get(vref);
          if (promise?.kind !== 'promise') continue;
          Object.assign(promise, { isSettled: true, refs, vref: null });
        }
        for (const [vref] of syscall[1]) this.#byVref.delete(vref);
        return;
      case 'dropImports':
        for (const vref of syscall[1]) {
          const object = this.#byVref.get(vref);
          if (object?.kind !== 'object' || !object.isReached) throw Error(`comms drops ${vref}`);
          object.isReached = false;
          this.dropped.push(object);
        }
        return;
      case 'retireImports':
        for (const vref of syscall[1]) {
          const object = this.#byVref.get(vref);
          if (object?.kind !== 'object' || object.isReached) throw Error(`comms retires ${vref}`);
          this.#forget(object);
        }
        return;
      case 'retireExports':
        for (const vref of syscall[1]) {
          const object = this.#byVref.get(vref);
          if (object?.kind !== 'import' || object.isReached) throw Error(`comms retires ${vref}`);
          this.#forget(object);
        }
        return;
      default:
        throw Error(`comms calls ${syscall[0]}`);
    }
  }

  /** @param {Own | Import} object */
  #forget(object) {
    if (object.vref !== null) this.#byVref.delete(object.vref);
    object.vref = null;
    this.dropped = this.dropped.filter(it => it !== object);
    this.unreached = this.unreached.filter(it => it !== object);
  }

  /** A reference that comms gives. @param {string} vref @returns {Ref} */
  #receive(vref) {
    const known = this.#byVref.get(vref);
    if (known !== undefined) {
      if (known.kind === 'import' && !known.isReached) {
        known.isReached = true;
        this.unreached = this.unreached.filter(it => it !== known);
        this.known.push(known);
      }
      return known;
    }
    if (vref[1] === '-') throw Error(`comms gives ${vref}`);
    /** @type {Ref} */
    const ref = vref.startsWith('o')
      ? { kind: 'import', vref, isReached: true }
      : { kind: 'promise', vref, isOurs: false, isSettled: false, isSubscribed: false, refs: [] };
    this.#byVref.set(vref, ref);
    this.known.push(ref);
    return ref;
  }

  /** The name of a reference that comms is given. @param {Ref} ref @returns {string} */
  #give(ref) {
    if (ref.vref === null) {
      const isPromise = ref.kind === 'promise';
      ref.vref = isPromise ? `p-${this.#nextPromise}` : `o-${this.#nextObject}`;
      if (isPromise) {
        this.#nextPromise += 1;
        // The kernel settles it now, also one that comms had decided.
        ref.isOurs = true;
        ref.isSubscribed = false;
      } else this.#nextObject += 1;
      this.#byVref.set(ref.vref, ref);
    }
    if (ref.kind === 'object' && !ref.isReached) {
      ref.isReached = true;
      this.dropped = this.dropped.filter(it => it !== ref);
    }
    return ref.vref;
  }

  /** @param {Ref} ref */
  #mayGive(ref) {
    return ref.kind !== 'import' || ref.isReached;
  }

  /** Some references, new or known. @param {number} most @returns {Ref[]} */
  #choose(most) {
    return Array.from({ length: this.#random.below(most + 1) }, () => {
      const what = this.#random.below(10);
      const known = this.known.filter(ref => this.#mayGive(ref));
      if (what > 3 && known.length > 0) return known[this.#random.below(known.length)];
      /** @type {Ref} */
      const made =
        what > 1
          ? { kind: 'object', vref: null, isReached: false }
          : {
              ...{ kind: 'promise', vref: null, isOurs: true, isSettled: false },
              ...{ isSubscribed: false, refs: [] },
            };
      this.known.push(made);
      return made;
    });
  }

  /** @param {readonly Ref[]} refs */
  #dataOf(refs) {
    const slots = refs.map(ref => this.#give(ref));
    const marks = refs.map((ref, i) => `${ref.kind === 'promise' ? '&' : '$'}${i}`);
    return { marks, slots };
  }

  begin() {
    /** @type {[string, unknown[], string[]][]} */
    const calls = [
      ['addRemote', ['other', '$0', '$1'], [transmitter, setReceiver]],
      ['addIngress', ['other', 0], []],
    ];
    for (const [method, args, slots] of calls) this.#call(method, args, slots);
    this.#root = this.known.at(-1);
    /** @type {Own} */
    const root = { kind: 'object', vref: null, isReached: false };
    this.known.push(root);
    this.#call('addEgress', ['other', 0, '$0'], [this.#give(root)]);
  }

  /** @param {string} method @param {unknown[]} args @param {string[]} slots */
  #call(method, args, slots) {
    const body = `#${JSON.stringify([method, args])}`;
    this.#deliver(['message', 'o+0', { body, slots }, this.#result().vref]);
  }

  /** A promise that comms decides. */
  #result() {
    const vref = `p-${this.#nextPromise}`;
    this.#nextPromise += 1;
    const promise = { vref, isOurs: false, isSettled: false, isSubscribed: false, refs: [] };
    /** @type {Settling} */
    const ref = { kind: 'promise', ...promise };
    this.#byVref.set(vref, ref);
    return ref;
  }

  /** Do something at random. */
  act() {
    const random = this.#random;
    const what = random.below(10);
    if (what < 3) this.#send();
    else if (what < 5) this.#settle();
    else if (what < 8) this.#drop();
    else if (this.unreached.length > 0 && what === 8) {
      const object = this.unreached[random.below(this.unreached.length)];
      const { vref } = object;
      this.#forget(object);
      this.#deliver(['retireExports', [vref ?? '']]);
    } else if (this.dropped.length > 0) {
      const object = this.dropped[random.below(this.dropped.length)];
      const { vref } = object;
      this.#forget(object);
      this.known = this.known.filter(it => it !== object);
      this.#deliver(['retireImports', [vref ?? '']]);
    }
  }

  #send() {
    const targets = this.known.filter(
      ref =>
        ref.vref !== null &&
        ((ref.kind === 'import' && ref.isReached) ||
          (ref.kind === 'promise' && !ref.isOurs && !ref.isSettled)),
    );
    if (targets.length === 0) return;
    const target = targets[this.#random.below(targets.length)].vref ?? '';
    const { marks, slots } = this.#dataOf(this.#choose(3));
    const result = this.#random.below(3) > 0 ? this.#result() : null;
    if (result !== null) this.known.push(result);
    const body = `#${JSON.stringify(['go', marks])}`;
    this.#deliver(['message', target, { body, slots }, result?.vref ?? null]);
  }

  #settle() {
    const open = this.known.filter(ref => ref.kind === 'promise' && ref.isOurs && !ref.isSettled);
    if (open.length === 0) return;
    const promise = /** @type {Settling} */ (open[this.#random.below(open.length)]);
    promise.isSettled = true;
    promise.refs = this.#choose(2).filter(ref => ref !== promise);
    if (promise.vref !== null && promise.isSubscribed) this.#tell(promise);
  }

  /** @param {Settling} promise */
  #tell(promise) {
    const vref = promise.vref ?? '';
    // A kernel would tell settled promises of a ring in one notify.
    const refs = promise.refs.filter(
      ref => this.#mayGive(ref) && !(ref.kind === 'promise' && ref.isSettled),
    );
    const { marks, slots } = this.#dataOf(refs);
    const isSole = refs.length === 1 && refs[0].kind !== 'promise';
    const body = `#${JSON.stringify(isSole ? marks[0] : marks)}`;
    this.#byVref.delete(vref);
    promise.vref = null;
    this.#deliver(['notify', [[vref, false, { body, slots }]]]);
  }

  /** Drop one reference; the oldest of many. */
  #drop() {
    const { known } = this;
    if (known.length < 2) return;
    const at = known.length > mostKnown ? 0 : this.#random.below(known.length);
    const [ref] = known.splice(at, 1);
    if (ref.kind !== 'import' || !ref.isReached || known.includes(ref)) return;
    if (ref === this.#root) {
      known.push(ref);
      return;
    }
    ref.isReached = false;
    this.unreached.push(ref);
    this.#deliver(['dropExports', [ref.vref ?? '']]);
  }

  /** @param {string} text */
  receive(text) {
    const body = `#${JSON.stringify(['receive', [text]])}`;
    const result = this.#result();
    this.#deliver(['message', this.#receiver, { body, slots: [] }, result.vref]);
  }

  /** Settle and drop everything that this side holds. */
  end() {
    for (const ref of [...this.known]) {
      if (ref.kind === 'promise' && ref.isOurs && !ref.isSettled) {
        ref.isSettled = true;
        ref.refs = [];
        if (ref.vref !== null && ref.isSubscribed) this.#tell(ref);
      }
    }
    for (const ref of new Set(this.known)) {
      if (ref.kind !== 'import' || !ref.isReached || ref === this.#root) continue;
      ref.isReached = false;
      this.unreached.push(ref);
      this.#deliver(['dropExports', [ref.vref ?? '']]);
    }
    this.known = [];
    for (const object of [...this.unreached]) {
      const { vref } = object;
      this.#forget(object);
      this.#deliver(['retireExports', [vref ?? '']]);
    }
  }
}

/**
 * @param {[left: Comms, right: Comms]} comms
 * @param {Random} random
 * @param {number} steps
 * @returns {string[]} each delivery, and what comms asked for
 */
const converse = ([left, right], random, steps) => {
  /** @type {string[]} */
  const log = [];
  const sides = [new Side('left', left, random, log), new Side('right', right, random, log)];
  for (const side of sides) side.begin();
  const carry = (/** @type {number} */ from) => {
    const text = sides[from].outbox.shift();
    if (text !== undefined) sides[1 - from].receive(text);
  };
  for (let step = 0; step < steps; step += 1) {
    const at = random.below(2);
    if (random.below(2) === 0) carry(at);
    else sides[at].act();
  }
  for (let turn = 0; turn < 4; turn += 1) {
    for (const side of sides) side.end();
    while (sides.some(({ outbox }) => outbox.length > 0)) for (const at of [0, 1]) carry(at);
  }
  return log;
};

/**
 * The conversation of a seed.
 *
 * @param {() => Comms} makeComms
 * @param {(seed: string) => Random} makeRandom
 * @param {number} seed
 * @param {number} steps
 * @returns {string[]}
 */
export const converseBySeed = (makeComms, makeRandom, seed, steps) =>
  converse([makeComms(), makeComms()], makeRandom(`conversation ${seed}`), steps);
