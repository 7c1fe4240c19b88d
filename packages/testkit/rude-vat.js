// A vat that breaks every rule that a raw vat can break: it uses dropped, unknown and foreign references, its own ones,
// and malformed ones; it resolves twice, drops twice, uses wrong keys, continues after its exit. It remembers roughly
// what it holds, so that most syscalls are allowed and programs continue. Its behaviour depends on its seed and its
// deliveries.

import { livelyMethods } from './rude-device.js';
import { Refused } from './scripted-vat.js';

/** @import { CapData, Delivery, Resolution, Syscall } from '#model' */
/** @import { Random } from './random.js' */
/** @import { Call, React } from './scripted-vat.js' */

/**
 * @typedef {object} RudeOptions
 * @property {'current' | '2020-09'} profile
 * @property {number} rudeness  probability of a wrong reference, from 0 to 1
 * @property {boolean} [isWild]  it also abandons exports, and the machine sometimes stops it
 * @property {boolean} [isLively]  it acts during its start, which may fail, and calls a lively device
 * @property {boolean} [isBorn]  a dynamic vat or a later incarnation
 * @property {import('./rude-reactor.js').RudeReactor} [reactor]  its reactors
 * @property {number} [firstNumber]  first number of its objects and promises, after those of an earlier incarnation
 */

const malformed = [
  '',
  'x',
  'o',
  'o+',
  'o-1x',
  'p+05',
  'ko20',
  'kp40',
  'o+v1',
  'o+v10/3:',
  '$0',
  'd+1',
  'p+\u0000',
  `o+${'7'.repeat(120)}`,
  '\ud800',
  'o+1 -',
];

const usualLettingGo = /** @type {const} */ (['dropImports', 'retireImports', 'retireExports']);
const allLettingGo = /** @type {const} */ ([...usualLettingGo, 'abandonExports']);

const keys = ['a', 'b', 'c', 'aa', '\u{1f600}', '\uff5a', ''];

/** @param {Random} random @param {RudeOptions} options @returns {React} */
// eslint-disable-next-line max-lines-per-function -- one vat: each rule that it may break is a branch over what it has
export const makeRudeVat = (random, options) => {
  const { profile, rudeness, isWild = false, isLively = false, isBorn = false } = options;
  const { firstNumber = 0, reactor } = options;
  const isCurrent = profile === 'current';
  /** All references that it ever got or made. */
  const seen = new Set(['o+0']);
  /** References that it probably holds. */
  const held = new Set(['o+0']);
  /** Imports that it dropped, and exports that nobody else reaches. */
  const dropped = new Set();
  /** References that it has just dropped, where errors in reference counts are likely. @type {string[]} */
  let gone = [];
  /** Promises that it may resolve. */
  const mine = new Set();
  let nextObject = 1 + firstNumber;
  let nextPromise = 5 + firstNumber;

  /** @param {string} vref */
  const hold = vref => {
    held.add(vref);
    seen.add(vref);
    dropped.delete(vref);
    return vref;
  };
  const newObject = () => {
    nextObject += 1;
    // Some have the form of virtual and durable objects.
    const form = random.below(8);
    if (form === 0) return hold(`o+v${nextObject}/${nextObject}`);
    if (form === 1) return hold(`o+d${nextObject}/${nextObject}:${nextObject}`);
    return hold(form === 2 ? `o+${nextObject}${'0'.repeat(9)}` : `o+${nextObject}`);
  };
  const newPromise = () => {
    nextPromise += 1;
    return hold(`p+${nextPromise}`);
  };
  const lose = (/** @type {string} */ vref) => {
    if (held.delete(vref)) gone.push(vref);
  };
  const those = (/** @type {Iterable<string>} */ refs, /** @type {string} */ prefix) =>
    [...refs].filter(ref => ref.startsWith(prefix));

  const wrongReference = () => {
    const draw = random.below(8);
    if (gone.length > 0 && random.chance(0.5)) return random.pick(gone);
    if (draw < 3) return random.pick([...seen]);
    if (draw === 3) return random.pick(malformed);
    if (draw === 4) return `p-${60 + random.below(20)}`;
    if (draw === 5) return `o-${50 + random.below(10)}`;
    if (draw === 6) return `d-${70 + random.below(3)}`;
    return random.pick(['o+0', 'p+1', 'p+6', 'o+2', 'd+0', 'o+99999999999999999999']);
  };

  const reference = () => {
    if (random.chance(rudeness)) return wrongReference();
    if (random.chance(0.12)) return newObject();
    if (random.chance(0.1)) {
      const vref = newPromise();
      mine.add(vref);
      return vref;
    }
    return held.size === 0 ? newObject() : random.pick([...held]);
  };

  const start = isCurrent ? '#' : '';
  const slotText = (/** @type {number} */ i) =>
    isCurrent ? `"$${i}"` : `{"@qclass":"slot","index":${i}}`;

  /** @returns {CapData} */
  const someData = () => {
    const slots = Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, reference);
    if (slots.length === 1 && random.chance(0.5)) {
      const sole = isCurrent ? ['#"$0"', '#"&0"', '#"$0.Alleged: x"', '#"$01"'] : [slotText(0)];
      return { body: random.pick(sole), slots };
    }
    if (random.chance(0.1))
      return { body: random.pick(['', '#', 'x', '#"$0"', '#7', '"é\u{1f600}"', '[']), slots };
    return { body: `${start}[${slots.map((_, i) => slotText(i)).join()}]`, slots };
  };

  /** @param {Call} call */
  const send = call => {
    const target = reference();
    const { body, slots } = someData();
    const method = random.pick(['m', 'a"b', 'é', '!x']);
    const methargs = {
      body: random.chance(0.9)
        ? `${start}[${JSON.stringify(method)},${body.startsWith('#') ? body.slice(1) : body}]`
        : body,
      slots,
    };
    let result = null;
    if (random.chance(0.7)) {
      const own = [...mine];
      result = own.length > 0 && random.chance(0.15) ? random.pick(own) : newPromise();
      if (random.chance(rudeness)) result = wrongReference();
      mine.delete(result);
    }
    call('send', target, methargs, result);
    if (result !== null && random.chance(0.7)) call('subscribe', result);
  };

  /** @param {Call} call */
  const subscribe = call => {
    const isWrong = random.chance(rudeness);
    const promises = those(isWrong && gone.length > 0 ? gone : isWrong ? seen : held, 'p');
    call('subscribe', promises.length > 0 ? random.pick(promises) : reference());
  };

  /** @param {Call} call */
  const resolve = call => {
    const own = [...mine];
    if (own.length === 0 && !random.chance(rudeness)) return;
    const count = random.pick([1, 1, 1, 1, 2, 3]);
    const chosen = new Set(
      Array.from({ length: count }, () =>
        own.length === 0 || random.chance(rudeness) ? reference() : random.pick(own),
      ),
    );
    const vrefs = [...chosen];
    if (random.chance(rudeness)) vrefs.push(vrefs[0]);
    const resolutions = vrefs.map(
      vref => /** @type {Resolution} */ ([vref, random.chance(0.25), someData()]),
    );
    if (random.chance(0.02)) resolutions.length = 0;
    call('resolve', resolutions);
    for (const [vref, , { slots }] of resolutions) {
      mine.delete(vref);
      if (isCurrent || !slots.some(slot => slot.startsWith('p'))) lose(vref);
    }
  };

  /** @param {Call} call */
  const useStore = call => {
    const key = random.chance(rudeness)
      ? random.pick(['', 'k'.repeat(331), '\udc00', 'z'])
      : random.pick(keys.slice(0, -1));
    const draw = random.below(6);
    if (draw < 2) {
      call('vatstoreSet', key, random.chance(rudeness) ? '\ud800' : `value ${random.below(50)}`);
    } else if (draw === 2) {
      call('vatstoreDelete', key);
    } else {
      const answer =
        draw === 3
          ? call('vatstoreGetNextKey', random.chance(0.4) ? '' : key)
          : call('vatstoreGet', key);
      if (answer?.kind === 'value') random.stir(answer.value ?? '-');
    }
  };

  /** @param {Call} call */
  const callDevice = call => {
    const devices = those(held, 'd');
    if (devices.length === 0 && !random.chance(rudeness)) return;
    const device =
      devices.length === 0 || random.chance(rudeness) ? reference() : random.pick(devices);
    const args = someData();
    if (!random.chance(rudeness)) args.slots = args.slots.filter(slot => !slot.startsWith('p'));
    const method = isLively
      ? `${random.pick(livelyMethods)} ${random.below(1000)}`
      : random.pick(['echo', 'echo', 'fail', 'tell', 'tell', 'node', 'lie']);
    const answer = call('callNow', device, method, args);
    if (answer === undefined || answer.kind === 'value') return;
    random.stir(answer.kind + answer.data.body);
    answer.data.slots.forEach(hold);
  };

  /** @param {Call} call */
  const letGo = call => {
    const kind = random.pick(isWild ? allLettingGo : usualLettingGo);
    const from = {
      dropImports: those(held, 'o-'),
      retireImports: [...those(held, 'o-'), ...those(dropped, 'o-')],
      retireExports: those(dropped, 'o+'),
      abandonExports: those(held, 'o+').filter(vref => vref !== 'o+0' && random.chance(0.3)),
    }[kind];
    const vrefs = from.filter(() => random.chance(0.4));
    if (random.chance(rudeness)) vrefs.push(random.pick([...seen, wrongReference()]));
    if (vrefs.length === 0 && !random.chance(0.05)) return;
    call(kind, vrefs);
    for (const vref of vrefs) {
      lose(vref);
      if (kind === 'dropImports') dropped.add(vref);
      else dropped.delete(vref);
    }
  };

  /** @param {Call} call */
  const nonsense = call => {
    if (!random.chance(rudeness)) return;
    const syscalls = [
      ['setPort', 0, someData()],
      ['requestStop'],
      ['no such syscall'],
      ['exit', random.chance(0.5), someData()],
    ];
    call(.../** @type {Syscall} */ (random.pick(syscalls)));
  };

  /** Add more entries than one step of clean-up deletes. @param {Call} call */
  const hoard = call => {
    const slots = Array.from({ length: 120 }, newObject);
    call('send', 'o+0', { body: `${start}["m",[]]`, slots }, null);
    for (let i = 0; i < 120; i += 1) call('vatstoreSet', `hoard ${i}`, '');
  };

  /** @param {Delivery} delivery */
  const learn = delivery => {
    gone = gone.slice(-3);
    random.stir(delivery[0]);
    if (delivery[0] === 'message') {
      const [, target, { body, slots }, result] = delivery;
      random.stir(body);
      slots.forEach(hold);
      hold(target);
      if (result !== null) mine.add(hold(result));
    } else if (delivery[0] === 'notify') {
      for (const [vref, isRejected, { body, slots }] of delivery[1]) {
        random.stir(`${isRejected}${body}`);
        slots.forEach(hold);
        if (isCurrent || !slots.some(slot => slot.startsWith('p'))) lose(vref);
        mine.delete(vref);
      }
    } else if (delivery[0] === 'startVat') {
      delivery[1].slots.forEach(hold);
    } else if (delivery[0] === 'react') {
      for (const [channel, { body, slots }] of delivery[1]) {
        random.stir(`${channel}${body}`);
        slots.forEach(hold);
      }
    } else if (delivery[0] === 'dropExports') {
      for (const vref of delivery[1]) dropped.add(vref);
    } else if (delivery[0] === 'retireExports' || delivery[0] === 'retireImports') {
      for (const vref of delivery[1]) {
        dropped.delete(vref);
        lose(vref);
      }
    }
  };

  const actions = [
    ...[send, send, send, send, subscribe, subscribe, resolve, resolve, resolve],
    ...[useStore, callDevice, letGo, nonsense],
    ...(isLively ? [callDevice, callDevice, callDevice] : []),
    ...(reactor?.actions(random, someData, rudeness) ?? []),
  ];

  /** Act during the start, which may fail, more often that of a dynamic vat. @param {Call} call */
  const begin = call => {
    if (reactor?.mustStart) return undefined;
    const fails = isBorn ? 0.1 : rudeness / 4;
    if (isBorn) for (let left = random.below(4); left > 0; left -= 1) random.pick(actions)(call);
    if (random.chance(fails)) return 'it does not start';
    if (random.chance(fails / 2)) call('exit', random.chance(0.5), someData());
    if (random.chance(fails / 2)) return new Refused(random.pick([undefined, 'heap']));
    return undefined;
  };

  /** @param {Delivery} delivery @param {Call} call */
  const act = (delivery, call) => {
    learn(delivery);
    if (delivery[0] === 'dropExports') return undefined;
    if (delivery[0] === 'startVat') return isLively ? begin(call) : undefined;
    if (delivery[0] === 'bringOutYourDead') {
      letGo(call);
      letGo(call);
      return undefined;
    }
    if (random.chance(rudeness / 30)) return random.pick(['it broke', '#"x', 'é\u{1f600}']);
    if (random.chance(0.004)) hoard(call);
    if (isLively && random.chance(0.5) && those(held, 'd').length > 0) callDevice(call);
    for (let left = random.below(6); left > 0; left -= 1) random.pick(actions)(call);
    if (random.chance(rudeness / 6)) {
      call('exit', random.chance(0.5), someData());
      // Syscalls after the exit count as well.
      if (random.chance(0.5)) random.pick(actions)(call);
    }
    if (isWild && random.chance(0.01)) return new Refused(random.pick([undefined, 'crankMs']));
    return undefined;
  };

  return (delivery, call, _crank, when, ask) =>
    reactor === undefined || when === undefined || ask === undefined
      ? act(delivery, call)
      : reactor.run(delivery, when, ask, call, told => act(delivery, told));
};
