// Devices for the differential fuzzer: the same code runs in the kernel and in the reference kernel, with their powers.
// They have no state except their stores.

import { makeRandom } from './random.js';

/** @import { Answer, CapData } from '#model' */
/** @import { ReferencePowers } from './oracle/reference-powers.js' */

/** @typedef {{ invoke: (node: string, method: string, args: CapData) => Exclude<Answer, { kind: 'value' }>, wake: () => void, input: (said: string) => void }} RudeDevice */

/** Methods of a lively device; calls add a number to the name. */
export const livelyMethods = Object.freeze([
  ...['echo', 'fail', 'lie', 'node', 'keep', 'keep', 'tell', 'tell', 'hand', 'figures'],
  ...['make', 'make', 'end', 'upgrade', 'upgrade', 'wake', 'wake', 'cancel', 'options'],
]);

/** Bounds on the numbers of actions in a run, so that the run ends. */
const most = { vats: 6, wakes: 16, sends: 60, upgrades: 12 };

/**
 * Make a device that answers with its arguments, sends to them, makes nodes, and uses references that it does not have.
 *
 * @param {Pick<ReferencePowers, 'sendOnly'>} powers
 * @returns {RudeDevice}
 */
export const makePlainDevice = ({ sendOnly }) => ({
  invoke(_node, method, { body, slots }) {
    if (method === 'tell' && slots.length > 0) sendOnly(slots[0], { body, slots });
    if (method === 'node')
      return { kind: 'return', data: { body, slots: ['d+1', 'd+0', ...slots] } };
    if (method === 'lie') return { kind: 'return', data: { body, slots: ['d+2', 'o-99'] } };
    return { kind: method === 'fail' ? 'throw' : 'return', data: { body, slots } };
  },
  wake() {},
  input() {},
});

/**
 * Make a device that also keeps objects, makes, upgrades and ends vats, changes their options, schedules and cancels
 * wake-ups, and hands out data; sometimes it uses references that it does not have.
 *
 * @param {string} seed
 * @param {boolean} isCurrent
 * @param {boolean} makesCritical  some of the vats that it makes are critical
 * @returns {(powers: ReferencePowers) => RudeDevice}
 */
export const livelyDevice = (seed, isCurrent, makesCritical) => powers => {
  const { get, set, nextKey } = powers;
  const slotText = (/** @type {number} */ i) =>
    isCurrent ? `"$${i}"` : `{"@qclass":"slot","index":${i}}`;
  /** @param {readonly string[]} slots @returns {CapData} */
  const listOf = slots => ({
    body: `${isCurrent ? '#' : ''}[${slots.map((_, i) => slotText(i)).join()}]`,
    slots: [...slots],
  });

  /** Count an action; false if its bound is reached. @param {keyof typeof most} what */
  const count = what => {
    const done = Number(get(`count.${what}`) ?? 0);
    if (done < most[what]) set(`count.${what}`, String(done + 1));
    return done < most[what];
  };

  /** @param {string} prefix @param {number} number */
  const pick = (prefix, number) => {
    const found = [];
    for (let key = nextKey(prefix); key?.startsWith(prefix); key = nextKey(key))
      found.push(key.slice(prefix.length));
    return found.length === 0 ? undefined : found[number % found.length];
  };

  /** Pick a vat that it made, or any vat. @param {number} number */
  const vatOf = number =>
    (number % 4 === 0 ? undefined : pick('vat.', number)) ?? `v${1 + (number % 6)}`;

  /** Few different times, so that wake-ups coincide. @param {number} number */
  const timeOf = number => {
    const now = powers.now();
    const time = [0, now, now + 1000, now + 3000, now - (now % 10_000) + 10_000][number % 5];
    return Math.min(time, Number.MAX_SAFE_INTEGER);
  };

  /** @type {Record<string, (number: number, args: CapData) => string | void>} */
  const deeds = {
    keep(number, { slots }) {
      for (const slot of slots) if (slot.startsWith('o')) set(`object.${number % 4}`, slot);
    },
    tell(number, { slots }) {
      const kept = get(`object.${pick('object.', number)}`);
      const target = number % 3 === 0 ? slots[0] : kept;
      if (target !== undefined && count('sends'))
        powers.sendOnly(target, {
          ...listOf([...slots, 'd+0']),
          body: `${isCurrent ? '#' : ''}["told",[]]`,
        });
    },
    make(number, { slots }) {
      if (!count('vats')) return;
      const vatId = powers.createVat({
        name: number % 5 === 0 ? 'vatAdmin' : `born ${number}`,
        source: 'born',
        parameters: listOf(number % 7 === 0 ? [...slots, 'd+0'] : slots),
        pipelining: number % 4 === 0,
        options: {
          ...{ reapInterval: 2 + (number % 7), enableSetup: true },
          ...(makesCritical && number % 6 === 1 && { critical: true }),
        },
      });
      set(`vat.${vatId}`, '');
    },
    end(number, { slots }) {
      if (number % 3 !== 0) return undefined;
      const info = { body: `${isCurrent ? '#' : ''}"end ${number}"`, slots };
      return String(powers.endVat(vatOf(number), number % 2 === 0, info));
    },
    upgrade(number, { slots }) {
      if (!isCurrent && number % 5 !== 0) return undefined;
      if (!count('upgrades')) return undefined;
      const upgrade = {
        id: `u${number}`,
        source: 'reborn',
        message: `${number % 2 ? '!' : ''}new`,
      };
      return String(powers.upgradeVat(vatOf(number), upgrade, listOf(slots)));
    },
    options(number) {
      return String(
        powers.changeOptions(vatOf(number), { reapInterval: 1 + (number % 9), enableSetup: true }),
      );
    },
    figures: number => JSON.stringify(powers.vatFigures(vatOf(number)) ?? null),
    wake(number) {
      if (!count('wakes')) return;
      const timeNs = timeOf(number);
      powers.wakeAt(timeNs);
      set(`wake.${timeNs}`, '');
    },
    cancel(number) {
      const time = pick('wake.', number) ?? `${timeOf(number)}`;
      powers.cancelWake(Number(time));
      powers.delete(`wake.${time}`);
    },
    hand: number => powers.handOut(`${number} at ${powers.now()}`),
  };

  /** @param {string} why @param {readonly string[]} may */
  const actAlone = (why, may) => {
    const random = makeRandom(`${seed}/${why}`);
    for (let left = random.below(5); left > 0; left -= 1)
      deeds[random.pick(may)](random.below(1000), {
        body: '',
        slots: random.chance(0.5) ? ['d+0'] : [],
      });
  };

  const plain = makePlainDevice(powers);
  const alone = ['tell', 'end', 'upgrade', 'wake', 'wake', 'cancel', 'hand', 'options'];
  return {
    invoke(node, method, args) {
      const [verb, number] = method.split(' ');
      const said = deeds[verb]?.(Number(number), args);
      // The call fails, but its earlier effects stay.
      if (verb === 'lie' || Number(number) % 23 === 0) return plain.invoke(node, 'lie', args);
      const answer = plain.invoke(node, verb === 'tell' ? 'echo' : verb, args);
      return { kind: answer.kind, data: { ...answer.data, body: said ?? answer.data.body } };
    },
    wake() {
      const woken = Number(get('woken') ?? 0) + 1;
      set('woken', String(woken));
      // Not `tell`, `upgrade`: they may fail, and a device that fails when it is woken stops the run.
      actAlone(`wake ${woken}`, ['make', 'end', 'wake', 'wake', 'cancel', 'hand', 'options']);
    },
    input(said) {
      actAlone(said, alone);
      if (said.endsWith('!')) throw Error(`${said} is too much`);
    },
  };
};
