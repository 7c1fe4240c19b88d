// A device that does everything that devices may do, on calls of vats and the host: it keeps objects, sends to them,
// schedules and cancels wake-ups, makes vats and ends them, hands out data, makes nodes. Its state is in its store. It
// also keeps a copy in memory and compares the two, so it fails if it is not reset when a crank is dropped.

import { profiles } from '#kernel';
import { makeRandom } from './random.js';

/** @import { DevicePowers } from '#kernel' */
/** @import { Answer, CapData } from '#model' */
/** @import { Note, ProfileName } from './random-vat.js' */
/** @import { TestDevice } from './test-kernel.js' */

/** Bounds on the numbers of actions in a run, so that the run ends. */
const most = { vats: 8, wakes: 40, sends: 120, objects: 6 };

/** Methods that vats call; `fail` answers with an error. */
export const deviceMethods = Object.freeze([
  ...['echo', 'fail', 'keep', 'keep', 'keep', 'tell', 'tell', 'make', 'make', 'make', 'end'],
  ...['wake', 'wake', 'wake', 'cancel', 'cancel', 'hand', 'node'],
]);

/** Sources of vats that it makes (random-program.js). */
export const bornSources = Object.freeze(['plain', 'failing', 'hoarder']);

/**
 * @param {DevicePowers} powers
 * @param {object} options
 * @param {string} options.seed
 * @param {ProfileName} options.profile
 * @param {boolean} options.makesHoarders
 * @param {Note} note
 */
const makeLife = (powers, { seed, profile, makesHoarders }, note) => {
  const { wire } = profiles[profile];
  /** @type {Map<string, string | undefined>} */
  const cache = new Map();
  const get = (/** @type {string} */ key) => {
    const stored = powers.get(key);
    if (cache.has(key) && cache.get(key) !== stored)
      throw Error(`a device remembers ${key} as ${cache.get(key)}, and it is ${stored}`);
    cache.set(key, stored);
    return stored;
  };
  const set = (/** @type {string} */ key, /** @type {string} */ value) => {
    cache.set(key, value);
    powers.set(key, value);
  };
  const forget = (/** @type {string} */ key) => {
    cache.set(key, undefined);
    powers.delete(key);
  };

  /**
   * Count an action; false if its bound is reached.
   *
   * @param {keyof typeof most} what
   */
  const count = what => {
    const done = Number(get(`count.${what}`) ?? 0);
    if (done >= most[what]) return false;
    set(`count.${what}`, String(done + 1));
    return true;
  };

  /** @param {string} prefix */
  const keys = prefix => {
    const found = [];
    for (
      let key = powers.nextKey(prefix);
      key?.startsWith(prefix) === true;
      key = powers.nextKey(key)
    )
      found.push(key.slice(prefix.length));
    return found;
  };

  /**
   * @param {string} prefix
   * @param {number} number
   */
  const pick = (prefix, number) => {
    const found = keys(prefix);
    return found.length === 0 ? undefined : found[number % found.length];
  };

  /** Few different times, so that wake-ups coincide. @param {number} number */
  const timeOf = number => {
    const now = powers.now();
    return [0, now, now + 1000, now + 3000, now - (now % 10_000) + 10_000][number % 5];
  };

  /** @type {Record<string, (number: number, args: CapData) => void>} */
  const deeds = {
    keep(number, { slots }) {
      for (const slot of slots)
        if (slot.startsWith('o')) set(`object.${number % most.objects}`, slot);
    },
    tell(number, { slots }) {
      const target = get(`object.${pick('object.', number)}`);
      if (target === undefined || !count('sends')) return;
      note('device sends');
      const passed = number % 3 === 0 ? [...slots, 'd+0'] : slots;
      const args = passed.map((_, i) => wire.slot(i)).join();
      powers.sendOnly(target, { body: `${wire.start}["told",[${args}]]`, slots: passed });
    },
    make(number, { slots }) {
      if (!count('vats')) return;
      // One is enough, since it is slow.
      const isHoarder = makesHoarders && get('hoarder') === undefined;
      if (isHoarder) set('hoarder', '1');
      const source = isHoarder ? 'hoarder' : number % 4 === 0 ? 'failing' : 'plain';
      const vatId = powers.createVat({
        name: `born ${number}`,
        source,
        parameters: { body: `${wire.start}[${slots.map((_, i) => wire.slot(i)).join()}]`, slots },
        pipelining: number % 4 === 0,
        options: profile === 'current' ? { reapInterval: 1 + (number % 7) } : {},
      });
      note('vats made');
      set(`vat.${vatId}`, source);
    },
    end(number, { slots }) {
      // Sometimes any vat, also the caller.
      const vatId = number % 11 === 0 ? `v${1 + (number % 9)}` : pick('vat.', number);
      if (vatId === undefined) return;
      const info = { body: `${wire.start}${wire.string(`end ${number}`)}`, slots };
      if (powers.endVat(vatId, number % 2 === 0, info)) note('vats ended by the device');
      forget(`vat.${vatId}`);
    },
    wake(number) {
      if (!count('wakes')) return;
      const timeNs = timeOf(number);
      note(timeNs > powers.now() ? 'wake-ups asked for later' : 'wake-ups asked for at once');
      powers.wakeAt(timeNs);
      set(`wake.${timeNs}`, '');
    },
    cancel(number) {
      const time = pick('wake.', number);
      if (time === undefined) return;
      note('wake-ups cancelled');
      powers.cancelWake(Number(time));
      forget(`wake.${time}`);
    },
    hand: number => powers.handOut(`${number} at ${powers.now()}`),
  };

  /**
   * Act without a call of a vat: on a wake-up, or on the host's input.
   *
   * @param {string} why
   * @param {readonly string[]} may
   */
  const actAlone = (why, may) => {
    const random = makeRandom(`${seed}/${why}`);
    for (let left = random.below(4); left > 0; left -= 1)
      deeds[random.pick(may)](random.below(1000), { body: '', slots: ['d+0'].slice(left % 2) });
  };

  return {
    /**
     * @param {string} method
     * @param {CapData} args
     * @returns {Answer}
     */
    invoke(method, args) {
      const [verb, number] = method.split(' ');
      deeds[verb]?.(Number(number), args);
      const slots = verb === 'node' ? [`d+${1 + (Number(number) % 3)}`] : args.slots;
      const body = `${wire.start}[${slots.map((_, i) => wire.slot(i)).join()}]`;
      return { kind: verb === 'fail' ? 'throw' : 'return', data: { body, slots } };
    },
    wake() {
      note('wake-ups');
      forget(`wake.${powers.now()}`);
      const woken = Number(get('woken') ?? 0) + 1;
      set('woken', String(woken));
      actAlone(`wake ${woken}`, ['tell', 'tell', 'make', 'end', 'wake', 'cancel', 'hand']);
    },
    input(/** @type {string} */ said) {
      note('inputs of devices');
      actAlone(said, ['tell', 'tell', 'end', 'wake', 'wake', 'cancel', 'hand']);
      if (said.endsWith('!')) throw Error(`${said} is too much`);
    },
  };
};

/**
 * @param {object} options
 * @param {string} options.seed
 * @param {ProfileName} options.profile
 * @param {boolean} options.makesHoarders
 * @param {Note} note
 * @returns {TestDevice}
 */
export const makeRandomDevice = (options, note) => ({
  build: powers => {
    let life = makeLife(powers, options, note);
    return {
      invoke: (_node, method, args) => life.invoke(method, args),
      wake: () => life.wake(),
      input: said => life.input(said),
      reset: () => {
        note('devices reset');
        life = makeLife(powers, options, note);
      },
    };
  },
});
