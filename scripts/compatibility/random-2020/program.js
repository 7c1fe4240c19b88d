// The random program of a seed for the kernel of 2020-09-30: what each of its vats does, as data for
// `test/fixtures/random-2020/actor.js`.

import { makeRandom } from '../../../test/fixtures/deliveries/random.js';

/** A value of a message, and a step of a method, as the actor reads them. @typedef {any[]} Spec @typedef {any[]} Step */

/** @typedef {{ name: string, script: Record<string, unknown> }} ActorParameters */

/** `actors`: by vat, bootstrap's first; `rounds`: of the benchmark, after bootstrap. @typedef {{ seed: number, actors: ActorParameters[], rounds: number }} Program */

const names = ['alice', 'bob', 'carol'];

/** @param {number} seed @returns {Program} */
export const makeProgram = seed => {
  const below = makeRandom(seed);
  const chance = (/** @type {number} */ percent) => below(100) < percent;
  /** @template T @param {readonly T[]} list */
  const pick = list => list[below(list.length)];
  /** @template T @param {number} length @param {() => T} make */
  const listOf = (length, make) => Array.from({ length }, () => make());
  const methods = 3 + below(3);
  let texts = 0;
  const nextText = () => {
    texts += 1;
    return `text ${texts}`;
  };

  /** @returns {Spec} */
  const leaf = () => {
    const kind = below(100);
    if (kind < 25) return ['data', pick(['a', 'bc', '', '$x', 5, -1, true, false, null])];
    if (kind < 30) return ['undefined'];
    if (kind < 36) return ['number', below(7)];
    if (kind < 60) return ['kept', below(30)];
    if (kind < 76) return ['argument', below(3)];
    if (kind < 84) return ['object'];
    if (kind < 92) return ['promise'];
    return kind < 98 ? ['root'] : ['bigint', String(below(1_000_000_000))];
  };

  /** @param {number} [depth] @returns {Spec} */
  const value = (depth = 0) => {
    const kind = below(100);
    if (depth < 2 && kind < 10) return ['list', listOf(below(4), () => value(depth + 1))];
    if (depth < 2 && kind < 18) return ['record', listOf(1 + below(2), () => value(depth + 1))];
    if (kind < 22) return ['error', nextText(), chance(50)];
    if (kind < 26) return ['fulfilled', leaf()];
    if (kind < 29) return ['rejected', chance(50) ? ['error', nextText(), false] : leaf()];
    return leaf();
  };

  const method = () => (chance(5) ? 'missing' : `m${below(methods)}`);

  /** @param {number} [limit]  of the target's place */
  const send = (limit = 40) => [
    'send',
    below(limit),
    method(),
    listOf(below(4), value),
    chance(60) ? below(3) : -1,
  ];

  /** @param {boolean} [isInner] @returns {Step} */
  const step = (isInner = false) => {
    const kind = below(100);
    if (kind < 44) return send();
    if (kind < 55) return ['settle', chance(75) ? 'resolve' : 'reject', value()];
    if (kind < 61) return ['make', pick(['promise', 'object'])];
    if (kind < 70) return ['store'];
    if (kind < 77) return ['watch', below(40), below(3)];
    if (kind < 84 && !isInner) return ['then', below(40), listOf(1 + below(2), () => step(true))];
    if (kind < 87) return isInner ? ['store'] : ['await', below(40)];
    if (kind < 90) return ['create'];
    if (kind < 93) return ['terminate', value()];
    if (kind < 96) return ['exit', chance(50), value()];
    return send(4);
  };

  /** @returns {Step[]} */
  const body = () => [
    ...(chance(40) ? [['store']] : []),
    ...listOf(1 + below(4), step),
    ...(chance(60) ? [[chance(85) ? 'return' : 'throw', value()]] : []),
  ];

  const budget = 5 + below(16);
  const script = (/** @type {boolean} */ canExit) => ({
    methods: listOf(methods, body),
    ...{ budget, canExit },
  });

  const peers = names.slice(0, 1 + below(names.length));
  const hasVats = chance(65);
  const vats = peers.map(name => ({ name, script: script(chance(15)) }));
  const creates = listOf(hasVats ? 1 + below(3) : 0, () =>
    JSON.stringify({ name: `made${below(1000)}`, script: script(true) }),
  );
  // A bootstrap that rejects its result made that kernel panic, and does not here.
  const boot = [
    ...listOf(2 + below(5), () => (chance(60) ? send(peers.length) : step())),
    ...(hasVats ? [['create']] : []),
  ];
  const round = [...listOf(1 + below(3), step), ...(chance(50) ? [['return', value()]] : [])];
  const own = { ...script(false), budget: budget + 6, peers, hasVats, creates, boot, round };
  return {
    seed,
    actors: [{ name: 'bootstrap', script: own }, ...vats],
    rounds: chance(50) ? 3 : 0,
  };
};
