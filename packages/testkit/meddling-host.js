// A host that interferes with a run between its cranks: it names present and missing references, holds and releases
// them, ends vats with queued messages, asks for dead references out of turn, and suspends clean-up for a while. The
// real kernels and the reference kernel get the same calls.

/** @import { Kernel } from '#kernel' */
/** @import { ReferenceKernel } from './oracle/reference-kernel.js' */
/** @import { OutsideDeed } from '../kernel/crank/device-powers.js' */
/** @import { Budget } from './oracle/world.js' */
/** @import { Random } from './random.js' */

/** Number of the kernel's first object. */
const firstObject = 20;

/** @typedef {ReferenceKernel['host'] | Kernel} Called */

/** @param {Random} random @param {string} start  of bodies @returns {OutsideDeed} */
const outsideDeed = (random, start) => {
  const key = random.pick(['object.1', 'other', '', '\ud800', 'k'.repeat(331)]);
  if (random.chance(0.3)) return ['delete', key];
  if (random.chance(0.3)) return ['set', key, random.pick(['o-50', 'o-51', 'd+0', '\udc00'])];
  const methargs = {
    body: `${start}["outside",[]]`,
    slots: [random.pick(['d+0', 'o-50', 'o-99'])],
  };
  return ['send', random.pick(['o-50', 'o-51', 'd+0', 'x']), methargs];
};

export class MeddlingHost {
  #random;

  #expected;

  /** Whether it also gives the device input. */
  #isLively;

  /** References that it holds. @type {string[]} */
  #holds = [];

  /** The source of budgets' numbers, if it sets budgets. */
  #budgets;

  /** The source of thresholds, if it sets them. */
  #thresholds;

  /** The source of what it does to reactors. */
  #reactions;

  #cleansUp = true;

  /** Numbers of its actions. @type {Record<string, number>} */
  done = {};

  /**
   * @param {Random} random
   * @param {ReferenceKernel} expected
   * @param {boolean} isLively
   * @param {boolean} isFull  it also sets budgets for the clean-up of ended vats, and when vats are asked for dead references
   * @param {boolean} hasReactors  it also schedules physical actions, and ends programs
   */
  constructor(random, expected, isLively, isFull, hasReactors) {
    this.#reactions = hasReactors ? random.fork('reactors') : undefined;
    this.#isLively = isLively;
    this.#random = random;
    this.#budgets = isFull ? random.fork('budgets') : undefined;
    this.#thresholds = isFull ? random.fork('thresholds') : undefined;
    this.#expected = expected;
  }

  /**
   * Pick an existing promise, a device, or an object that is reachable or missing: a host cannot hold an object whose
   * vat was told that nobody reaches it.
   *
   * @param {boolean} mayBeDevice
   */
  #kref(mayBeDevice) {
    const random = this.#random;
    const { promises, next, devices, vats } = this.#expected.describe();
    const draw = random.below(6);
    if (draw < 2 && promises.length > 0) return random.pick(promises).kpid;
    if (draw === 2 && mayBeDevice && devices.length > 0) return 'kd30';
    const unreached = new Set(
      vats
        .flatMap(({ list }) => list?.pairs ?? [])
        .filter(([vref, { reachable }]) => vref.startsWith('o+') && !reachable)
        .map(([, { kref }]) => kref),
    );
    const kref = `ko${firstObject + random.below(next.object - firstObject)}`;
    return unreached.has(kref) ? `ko${firstObject}` : kref;
  }

  /** Choose the budget for the clean-up of ended vats. @returns {boolean | Budget} */
  #nextBudget() {
    const random = this.#budgets;
    if (random?.chance(0.7)) {
      const kinds = /** @type {const} */ (['exports', 'imports', 'promises', 'kv']);
      /** @type {Budget} */
      const budget = { default: random.below(4) };
      for (const kind of kinds) if (random.chance(0.3)) budget[kind] = random.below(6);
      return budget;
    }
    this.#cleansUp = !this.#cleansUp;
    return this.#cleansUp;
  }

  /** @param {string} start  of bodies @returns {((called: Called) => unknown) | undefined} */
  #nextToReactors(start) {
    const random = this.#reactions;
    if (random === undefined || random.chance(0.7)) return undefined;
    const does = (/** @type {string} */ what) => {
      this.done[what] = (this.done[what] ?? 0) + 1;
    };
    if (random.chance(0.04)) {
      does('stopPrograms');
      return called => called.stopPrograms();
    }
    const all = this.#expected.describe().reactors.filter(({ shape }) => shape.actions.length > 0);
    if (all.length === 0) return undefined;
    const { vatId, shape } = random.pick(all);
    const action = random.pick(shape.actions);
    const data = { body: `${start}[${random.below(9)}]`, slots: [] };
    does('physicalInput');
    return called => called.physicalInput(vatId, action, data);
  }

  /** @returns {((called: Called) => unknown) | undefined} */
  #nextThreshold() {
    const random = this.#thresholds;
    if (random === undefined || random.chance(0.85)) return undefined;
    const threshold = random.pick([1, 2, 3, 5, 9, /** @type {const} */ ('never'), undefined]);
    const which = random.pick(/** @type {const} */ (['setReapInterval', 'setReapGCKrefs']));
    this.done[which] = (this.done[which] ?? 0) + 1;
    return called => called[which](threshold);
  }

  /**
   * @returns {((called: Called) => unknown) | undefined} its next action, for each kernel; undefined for none
   */
  next() {
    const random = this.#random;
    const { vats } = this.#expected.describe();
    const { profile } = this.#expected;
    const running = vats.filter(({ state }) => state === 'running').map(({ vatId }) => vatId);
    const start = profile === 'current' ? '#' : '';
    const does = (/** @type {string} */ what) => {
      this.done[what] = (this.done[what] ?? 0) + 1;
    };
    const first = this.#nextToReactors(start) ?? this.#nextThreshold();
    if (first !== undefined) return first;
    switch (random.below(this.#isLively ? 15 : 12)) {
      case 0:
      case 1:
      case 2: {
        const slots = Array.from({ length: random.below(4) }, () => this.#kref(true));
        const args = slots.map((_, i) =>
          profile === 'current' ? `"$${i}"` : `{"@qclass":"slot","index":${i}}`,
        );
        const methargs = { body: `${start}["meddle",[${args.join()}]]`, slots };
        const target = this.#kref(false);
        // No draw of its own, so that programs which once found a difference stay what they are.
        if (slots.length === 3) {
          does('sendOnly');
          return called => called.sendOnly(target, methargs);
        }
        does('send');
        return called => called.queueToTarget(target, methargs);
      }
      case 3:
      case 4: {
        const kref = this.#kref(true);
        this.#holds.push(kref);
        does('hold');
        return called => called.hold(kref);
      }
      case 5: {
        const kref = this.#holds.shift();
        if (kref === undefined) return undefined;
        does('release');
        return called => called.release(kref);
      }
      case 6: {
        if (running.length === 0 || random.chance(0.5)) return undefined;
        const vatId = random.pick(running);
        if (random.chance(0.3)) {
          does('endDiverging');
          return called => called.endDiverging(vatId);
        }
        const isFailure = random.chance(0.5);
        does('endVat');
        return called => called.endVat(vatId, isFailure, { body: `${start}"why"`, slots: [] });
      }
      case 7:
      case 8: {
        if (running.length === 0) return undefined;
        const vatId = random.pick(running);
        does('reap');
        return called => called.reap(vatId);
      }
      case 9: {
        if (profile !== 'current') return undefined;
        const allowed = this.#nextBudget();
        does(typeof allowed === 'object' ? 'setNumberedBudget' : 'setCleanupBudget');
        return called => called.setCleanupBudget(allowed);
      }
      case 12:
      case 13: {
        const said = `${random.below(100)}${random.chance(0.2) ? '!' : ''}`;
        does('deviceInput');
        return called => called.deviceInput('d7', said);
      }
      case 14: {
        const deed = outsideDeed(random, start);
        does('outside');
        return called => called.devicePowers('d7').outside(deed);
      }
      default:
        return undefined;
    }
  }
}
