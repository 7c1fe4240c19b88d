// Plans of random programs: data from which `program.js` builds the same program over reactor-ts and over this package.

import { makeRandom } from '#testkit';

/** @import { Random } from '#testkit' */

/**
 * A part that reactions name: a timer, an action, a port, or a port of a child.
 *
 * @typedef {['timer' | 'action' | 'in' | 'out', index: number]
 *   | ['childIn' | 'childOut', child: number, index: number] | ['startup'] | ['shutdown']} Part
 */

/**
 * @typedef {object} ReactionPlan
 * @property {Part[]} triggers
 * @property {Part[]} reads
 * @property {Part[]} writes
 * @property {number} seed  of its random choices
 * @property {number} rate  the probability of each write
 * @property {number} delayUs  of some events
 * @property {boolean} hasDeadline
 * @property {boolean} sendsLists  values that receivers may change
 * @property {boolean} changesLists
 * @property {boolean} calls
 * @property {'stop' | 'fail' | null} end  requested at its third run
 */

/**
 * @typedef {object} ReactorPlan
 * @property {number} depth  children are less deep
 * @property {number[]} ins  widths; 0 for a single port
 * @property {number[]} outs
 * @property {[offsetUs: number, periodUs: number][]} timers
 * @property {number[]} actions  minimum delays, in microseconds
 * @property {[kind: number, width: number][]} children  a width over 0 makes a bank
 * @property {boolean} isServer
 * @property {boolean} isClient
 * @property {[client: number, server: number][]} calls  among children
 * @property {{ sources: Part[], destinations: Part[], delayUs: number | null, repeats: boolean }[]} connections
 * @property {{ trigger: Part, source: Part, destination: Part, connectsFirst: boolean }[]} mutations
 * @property {ReactionPlan[]} reactions
 */

/**
 * @typedef {object} ProgramPlan
 * @property {ReactorPlan[]} kinds
 * @property {number} main  the kind of the app
 * @property {number | null} timeoutUs
 */

const times = Object.freeze([0, 0, 1, 1000, 1000, 2000, 5000, 7000, 10_000]);
const periods = Object.freeze([0, 1000, 2000, 3000, 5000]);
const timeouts = Object.freeze([0, 5000, 20_000, 20_000, 30_000]);

/** @template T @param {number} count @param {() => T} make */
const repeat = (count, make) => Array.from({ length: count }, make);

/** @template T @param {Random} random @param {readonly T[]} list @param {number} count  at most */
const some = (random, list, count) => {
  const rest = [...list];
  const taken = [];
  while (rest.length > 0 && taken.length < count)
    taken.push(...rest.splice(random.below(rest.length), 1));
  return taken;
};

/** @param {Random} random */
const makeWidths = random =>
  repeat(random.below(3), () => (random.chance(0.35) ? 1 + random.below(3) : 0));

/**
 * @param {readonly number[]} list
 * @param {'in' | 'out' | 'timer' | 'action'} kind
 * @returns {Part[]}
 */
const partsOf = (list, kind) => list.map((_, index) => [kind, index]);

/**
 * @param {ReactorPlan[]} kinds
 * @param {ReactorPlan} plan
 * @param {'childIn' | 'childOut'} kind
 * @returns {Part[]}
 */
const portsOfChildren = (kinds, { children }, kind) =>
  children.flatMap(([childKind], child) => {
    const { ins, outs } = kinds[childKind];
    return (kind === 'childIn' ? ins : outs).map(
      (_, index) => /** @type {Part} */ ([kind, child, index]),
    );
  });

/**
 * @param {Random} random
 * @param {Part[]} triggers
 * @param {Part[]} effects
 * @param {boolean} mayCall
 * @returns {ReactionPlan}
 */
const planReaction = (random, triggers, effects, mayCall) => {
  const chosen = some(random, triggers, random.below(3));
  if (random.chance(0.35) || triggers.length === 0) chosen.push(['startup']);
  if (random.chance(0.2)) chosen.push(['shutdown']);
  if (chosen.length === 0) chosen.push(random.pick(triggers));
  const others = triggers.filter(each => !chosen.includes(each));
  return {
    triggers: chosen,
    reads: random.chance(0.3) ? some(random, others, 1) : [],
    writes: some(random, effects, random.below(3)),
    seed: random.below(1_000_000),
    rate: random.pick([0.3, 0.7, 1, 1]),
    delayUs: random.pick([0, 0, 1000, 3000]),
    hasDeadline: random.chance(0.1),
    sendsLists: random.chance(0.15),
    changesLists: random.chance(0.05),
    calls: mayCall && random.chance(0.5),
    end: random.chance(0.03) ? random.pick(['stop', 'stop', 'fail']) : null,
  };
};

/**
 * @param {Random} random
 * @param {ReactorPlan[]} kinds  made before
 * @param {number} depth
 * @param {boolean} isMain
 * @returns {ReactorPlan}
 */
const planReactor = (random, kinds, depth, isMain) => {
  const inner = kinds.flatMap((kind, index) => (kind.depth < depth ? [index] : []));
  /** @type {ReactorPlan} */
  const plan = {
    depth,
    ins: isMain ? [] : makeWidths(random),
    outs: isMain ? [] : makeWidths(random),
    timers: repeat(random.below(3), () => [random.pick(times), random.pick(periods)]),
    actions: repeat(random.below(3), () => random.pick(times)),
    children: repeat(depth === 0 ? 0 : 1 + random.below(4), () => [
      random.pick(inner),
      random.chance(0.3) ? 1 + random.below(3) : 0,
    ]),
    isServer: !isMain && random.chance(0.2),
    isClient: !isMain && random.chance(0.2),
    calls: [],
    connections: [],
    mutations: [],
    reactions: [],
  };
  const { children, timers, actions, ins, outs } = plan;
  const childIns = portsOfChildren(kinds, plan, 'childIn');
  const childOuts = portsOfChildren(kinds, plan, 'childOut');
  // Lists of ports of banks are left out: reactor-ts ignores that reactions depend on them.
  const isAlone = (/** @type {Part} */ part) => children[/** @type {number} */ (part[1])][1] === 0;
  const own = [
    .../** @type {Part[]} */ (timers.map((_, i) => ['timer', i])),
    ...partsOf(actions, 'action'),
  ];
  const triggers = [...own, ...partsOf(ins, 'in'), ...childOuts.filter(isAlone)];
  const effects = [
    ...partsOf(outs, 'out'),
    ...partsOf(actions, 'action'),
    ...childIns.filter(isAlone),
  ];
  plan.reactions = repeat((isMain ? 1 : 0) + random.below(4), () =>
    planReaction(random, triggers, effects, plan.isClient),
  );
  const sources = [...partsOf(ins, 'in'), ...childOuts];
  const destinations = [...partsOf(outs, 'out'), ...childIns];
  if (sources.length === 0 || destinations.length === 0) return plan;
  plan.connections = repeat(random.below(4), () => ({
    sources: some(random, sources, random.chance(0.2) ? 2 : 1),
    destinations: some(random, destinations, random.chance(0.2) ? 2 : 1),
    delayUs: random.chance(0.3) ? random.pick(times) : null,
    repeats: random.chance(0.15),
  }));
  if (random.chance(0.2))
    plan.mutations.push({
      trigger: random.pick([...own, /** @type {Part} */ (['startup'])]),
      source: random.pick(sources),
      destination: random.pick(destinations),
      connectsFirst: random.chance(0.7),
    });
  const having = (/** @type {'isClient' | 'isServer'} */ role) =>
    children.flatMap(([kind, width], child) => (width === 0 && kinds[kind][role] ? [child] : []));
  const servers = having('isServer');
  if (servers.length > 0)
    for (const client of having('isClient')) plan.calls.push([client, random.pick(servers)]);
  return plan;
};

/**
 * @param {number} seed
 * @returns {ProgramPlan}
 */
export const planProgram = seed => {
  const random = makeRandom(seed);
  /** @type {ReactorPlan[]} */
  const kinds = [];
  const add = (/** @type {number} */ count, /** @type {number} */ depth, isMain = false) => {
    for (let i = 0; i < count; i += 1) kinds.push(planReactor(random, kinds, depth, isMain));
  };
  add(1 + random.below(3), 0);
  add(random.below(3), 1);
  add(random.chance(0.4) ? 1 : 0, 2);
  add(1, 3, true);
  const timeoutUs = random.chance(0.9) ? random.pick(timeouts) : null;
  // Without a timeout a program ends when no event is left.
  if (timeoutUs === null) for (const { timers } of kinds) for (const timer of timers) timer[1] = 0;
  return { kinds, main: kinds.length - 1, timeoutUs };
};
