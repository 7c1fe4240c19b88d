// Random reactor programs as plain data, made from a seed. `lingua-franca.js` and `reactors.js` write the same one for
// reactor-c and for this library.

import { makeRandom } from '#testkit';

/** @typedef {{ offset: number | null, period: number, mode: number | null }} TimerShape  an offset of null is the parameter `d` */
/** @typedef {{ minDelay: number, spacing: number | null, policy: string | null, mode: number | null }} ActionShape */
/** @typedef {{ modulus: number, rest: number, does: 'set' | 'schedule' | 'enter' | 'stop', at: number, channel: number, delay: number }} Deed */

/** An output of a contained reactor that a reaction reads. @typedef {{ child: number, out: number, triggers: boolean }} Overheard */

/**
 * `reads` are inputs that trigger, `looks` are others. A reaction enters at most one mode.
 *
 * @typedef {{ mode: number | null, reads: number[], looks: number[], overhears: Overheard[], timers: number[], actions: number[], builtIns: string[], writes: number[], schedules: number[], enters: { mode: number, kind: 'reset' | 'history' } | null, deadline: 'always' | 'never' | null, deeds: Deed[] }} ReactionShape
 */

/**
 * A contained reactor. `bank` is 0 for a single one; `q` and `d` are its parameters, null for those of its container.
 *
 * @typedef {{ of: number, bank: number, mode: number | null, q: number | null, d: number | null }} ChildShape
 */

/** A source of a connection: a contained reactor's output, or the reactor's own input for a child of -1. @typedef {{ child: number, port: number }} Source */

/**
 * To a contained reactor's input, or to the reactor's own output for a child of -1. A delay of `d` is the parameter.
 *
 * @typedef {{ sources: Source[], to: number, port: number, mode: number | null, after: number | 'd' | null, isPhysical: boolean, repeat: boolean, inTurn: boolean }} WireShape
 */

/**
 * A class of reactors; `ins` and `outs` are widths, 0 for a single port. An even one connects as many channels to as many,
 * and so do the reactors in it: only these are in banks.
 *
 * @typedef {{ isEven: boolean, ins: number[], outs: number[], modes: number, timers: TimerShape[], actions: ActionShape[], reactions: ReactionShape[], children: ChildShape[], wires: WireShape[] }} ClassShape
 */

/** `classes` contain only ones before them; the last is the program. @typedef {{ seed: number, stops: boolean, classes: ClassShape[] }} Shape */

/** Nanoseconds that a program runs. */
export const timeoutNs = 30;

/** The place of the main reactor, as no contained one has, so that reactors of different depth have different names. */
export const mainPlace = 9;

/** One of so many programs may ask for the end. */
const stopsEvery = 10;

/** @param {number} count @returns {number[]} */
export const upTo = count => Array.from({ length: count }, (_, i) => i);

/** @typedef {ReturnType<typeof makeRandom>} Random */

/** @param {number} bank @param {number} width */
const channelsOf = (bank, width) => Math.max(bank, 1) * Math.max(width, 1);

/**
 * @param {number} seed
 * @returns {Shape}
 */
export const makeShape = seed => {
  const random = makeRandom(seed);
  const { below, chance } = random;
  const stops = seed % stopsEvery === 0;
  /** @type {ClassShape[]} */
  const classes = [];
  /** @type {Map<string, boolean>} */
  const kinds = new Map();
  const add = (/** @type {boolean} */ isMain, /** @type {number} */ most) =>
    classes.push(makeClass(random, { stops, isMain, most, classes, kinds }));
  // Leaves first, then what contains them, then what contains those.
  for (const _ of upTo(1 + below(3))) add(false, 0);
  for (const _ of upTo(below(3))) add(false, 2);
  if (chance(0.4)) add(false, 2);
  add(true, 4);
  return { seed, stops, classes };
};

/**
 * @param {Random} random
 * @param {{ stops: boolean, isMain: boolean, most: number, classes: ClassShape[], kinds: Map<string, boolean> }} how  `most` is
 *   the number of reactors in it
 * @returns {ClassShape}
 */
const makeClass = (random, { stops, isMain, most, classes, kinds }) => {
  const { below, chance, pick } = random;
  const widths = (/** @type {number} */ count) =>
    upTo(1 + below(count)).map(() => (chance(0.7) ? 0 : 2 + below(2)));
  const modes = chance(0.35) ? 2 + below(2) : 0;
  const someMode = () => (modes > 0 && chance(0.6) ? below(modes) : null);
  const ins = isMain ? [] : widths(2);
  const outs = isMain ? [] : widths(2);
  const timers = upTo(1 + below(2)).map(() => ({
    offset: chance(0.7) ? below(8) : null,
    period: chance(0.8) ? 2 + below(9) : 0,
    mode: someMode(),
  }));
  const actions = upTo(below(3)).map(() => {
    const spacing = chance(0.25) ? below(7) : null;
    return {
      minDelay: chance(0.5) ? 0 : below(6),
      ...{
        spacing,
        policy: spacing === null ? null : pick(['defer', 'drop', 'replace', 'update']),
      },
      mode: someMode(),
    };
  });
  const isEven = most === 0 || (!isMain && chance(0.6));
  // The first class is even.
  const known = isEven ? classes.filter(each => each.isEven) : classes;
  // The main one has the last classes, so that whatever was made is there.
  const recent = isMain ? classes.slice(-2) : known;
  const children = upTo(most === 0 ? 0 : 1 + below(most)).map(() => {
    const of = classes.indexOf(pick(chance(0.7) ? recent : known));
    return {
      of,
      bank: classes[of].isEven && chance(0.35) ? 2 + below(2) : 0,
      mode: chance(0.5) ? someMode() : null,
      q: isMain || chance(0.5) ? below(1000) : null,
      d: isMain || chance(0.5) ? 1 + below(6) : null,
    };
  });
  const relayed = upTo(outs.length).filter(() => most > 0 && chance(0.5));
  const free = upTo(outs.length).filter(i => !relayed.includes(i));
  const parts = { isEven, ins, outs, modes, timers, actions, children };
  const wires = makeWires(random, parts, { stops, relayed, classes, kinds });
  // Lingua Franca makes reactions of connections of several modes to one port, and then whatever the others hear comes before.
  const isModal = wires.some(({ mode, to }) => mode !== null && children[to]?.mode !== mode);
  const hears = isModal ? [] : upTo(children.length);
  const reaction = (/** @type {number | null} */ mode) =>
    makeReaction(random, parts, { mode, stops, free, hears, classes });
  // Lingua Franca orders reactions of modes after the others.
  const reactions = [null, ...upTo(modes)].flatMap(mode =>
    upTo(mode === null ? 1 + below(3) : below(3)).map(() => reaction(mode)),
  );
  return { ...parts, reactions, wires };
};

/**
 * @param {Random} random
 * @param {Omit<ClassShape, 'reactions' | 'wires'>} parts
 * @param {{ mode: number | null, stops: boolean, free: number[], hears: number[], classes: ClassShape[] }} how  `free` are outputs that it may write, `hears` reactors that it may hear
 * @returns {ReactionShape}
 */
const makeReaction = (random, parts, { mode, stops, free, hears, classes }) => {
  const { below, chance, pick } = random;
  const { ins, outs, modes, timers, actions, children } = parts;
  const some = (/** @type {number[]} */ list, /** @type {number} */ odds) =>
    list.filter(() => chance(odds));
  const isHere = (/** @type {{ mode: number | null }[]} */ list) =>
    upTo(list.length).filter(i => list[i].mode === null || list[i].mode === mode);
  const ports = upTo(ins.length);
  const reads = some(ports, 0.5);
  const looks = some(ports, 0.2).filter(i => !reads.includes(i));
  const overhears = isHere(children)
    .filter(i => hears.includes(i) && children[i].bank === 0 && chance(0.3))
    .flatMap(child => {
      const { outs, reactions } = classes[children[child].of];
      // In C, an output that nothing writes cannot be read from outside.
      const out = upTo(outs.length).find(
        i => outs[i] === 0 && reactions.some(({ writes }) => writes.includes(i)),
      );
      return out === undefined ? [] : [{ child, out, triggers: chance(0.6) }];
    });
  const ticks = some(isHere(timers), 0.5);
  const acts = some(isHere(actions), 0.5);
  const builtIns = ['startup', 'shutdown', 'reset'].filter(
    kind => (kind !== 'reset' || mode !== null) && chance(0.15),
  );
  const heard = overhears.filter(({ triggers }) => triggers).length;
  if (reads.length + heard + ticks.length + acts.length + builtIns.length === 0)
    builtIns.push('startup');
  const writes = some(free, 0.5);
  const schedules = some(isHere(actions), 0.5);
  const others = upTo(modes).filter(m => m !== mode || chance(0.05));
  /** @type {ReactionShape['enters']} */
  const enters =
    mode !== null && chance(0.6)
      ? { mode: pick(others), kind: chance(0.5) ? 'reset' : 'history' }
      : null;
  const deeds = [
    ...writes.map(at => ({ does: 'set', at, channel: below(Math.max(outs[at], 1)) })),
    ...schedules.map(at => ({ does: 'schedule', at, delay: below(7) })),
    ...(enters === null ? [] : [{ does: 'enter' }]),
    ...(stops && chance(0.1) ? [{ does: 'stop' }] : []),
  ].map(deed => ({
    modulus: deed.does === 'stop' ? 9 : 2 + below(3),
    rest: below(2),
    at: 0,
    channel: 0,
    delay: 0,
    ...deed,
  }));
  return {
    ...{ mode, reads, looks, overhears, timers: ticks, actions: acts, builtIns, writes, schedules },
    ...{ enters, deeds: /** @type {Deed[]} */ (deeds) },
    deadline: chance(0.15) ? pick(['always', 'never']) : null,
  };
};

/**
 * Connections without a delay lead to later reactors only, so that there is no cycle.
 *
 * @param {Random} random
 * @param {Omit<ClassShape, 'reactions' | 'wires'>} parts
 * @param {{ stops: boolean, relayed: number[], classes: ClassShape[], kinds: Map<string, boolean> }} how  `relayed` are outputs
 *   that are connected, `kinds` says by destination whether its delayed connections are physical
 * @returns {WireShape[]}
 */
const makeWires = (random, parts, { stops, relayed, classes, kinds }) => {
  const { below, chance } = random;
  const { isEven, ins, outs, modes, children } = parts;
  /** Ports that are interleaved in none of their connections, or in all: Lingua Franca takes one order for all of them. @type {Map<string, boolean>} */
  const turns = new Map();
  const targets = [
    ...children.flatMap(({ of, bank, mode }, to) =>
      classes[of].ins.map((width, port) => ({ to, port, mode, wanted: channelsOf(bank, width) })),
    ),
    ...relayed.map(port => ({ to: -1, port, mode: null, wanted: channelsOf(0, outs[port]) })),
  ];
  /** @param {number | null} mode @returns {WideSource[]} */
  const sourcesIn = mode => [
    ...ins.map((width, port) => ({ child: -1, port, bank: 0, width: channelsOf(0, width) })),
    ...children.flatMap(({ of, bank, mode: own }, child) =>
      own !== null && own !== mode
        ? []
        : classes[of].outs.map((width, port) => ({
            ...{ child, port, bank },
            width: channelsOf(bank, width),
          })),
    ),
  ];
  return targets.flatMap(({ to, port, mode: own, wanted }) => {
    if (chance(0.15)) return [];
    const inModes =
      own !== null
        ? [own]
        : modes > 0 && chance(0.35)
          ? upTo(modes).filter(() => chance(0.6))
          : [null];
    return inModes.flatMap(mode => {
      const all = sourcesIn(mode);
      const equal = isEven || chance(0.4) ? chooseEqual(random, all, wanted) : [];
      const chosen = isEven || equal.length > 0 ? equal : choose(random, all);
      if (chosen.length === 0) return [];
      const isEarly = chosen.every(({ child }) => to < 0 || child < to);
      const wantsClock = !stops && chance(0.06);
      const delay = chance(0.3) ? 0 : chance(0.2) ? /** @type {const} */ ('d') : below(8);
      const isEqual = widthOf(chosen) === wanted;
      // Lingua Franca interleaves only multiports of banks.
      const mayTakeTurns =
        isEqual &&
        chosen.every(
          ({ child, port: from }) =>
            child >= 0 && children[child].bank > 0 && classes[children[child].of].outs[from] > 0,
        );
      // It also interleaves what feeds them.
      const isFed = chosen.some(
        ({ child, port: from }) =>
          child >= 0 &&
          classes[children[child].of].wires.some(wire => wire.to < 0 && wire.port === from),
      );
      const sources = chosen.map(({ child, port: from }) => ({ child, port: from }));
      const after = isEarly && chance(0.6) ? null : delay;
      // One class of reactors that delay is made for all connections to a port of a class, so all are of one kind.
      const target = to < 0 ? `${classes.length}.out${port}` : `${children[to].of}.in${port}`;
      const isPhysical =
        (after === null && !wantsClock ? undefined : kinds.get(target)) ?? wantsClock;
      // Lingua Franca fails for a wide connection with a delay in a mode.
      const isWide = wanted > 1 || chosen.length > 1 || chosen[0].width > 1;
      if (mode !== null && isWide && (after !== null || isPhysical)) return [];
      // Lingua Franca makes reactions of connections of several modes to one port, but only of plain ones.
      if (inModes.length > 1 && (isWide || after !== null || isPhysical)) return [];
      const names = sources.map(({ child, port: from }) => `${child}.${from}`);
      const asBefore = new Set(
        names.map(name => turns.get(name)).filter(each => each !== undefined),
      );
      const inTurn = mayTakeTurns && chance(0.9) && !asBefore.has(false) && !isFed;
      if (!inTurn && asBefore.has(true)) return [];
      for (const name of names) turns.set(name, inTurn);
      if (after !== null || isPhysical) kinds.set(target, isPhysical);
      return [{ ...{ sources, to, port, mode, after, isPhysical, inTurn }, repeat: !isEqual }];
    });
  });
};

/** @typedef {Source & { bank: number, width: number }} WideSource */

/** @param {WideSource[]} sources */
const widthOf = sources => sources.reduce((sum, { width }) => sum + width, 0);

/**
 * @param {Random} random
 * @param {WideSource[]} all
 */
const choose = ({ chance, pick }, all) => {
  if (all.length === 0) return [];
  return chance(0.2) ? [pick(all), pick(all)] : [pick(all)];
};

/**
 * Sources with as many channels as their destination; several only if none is in a bank, since `lfc` takes them in another
 * order in the second instance of their container.
 *
 * @param {Random} random
 * @param {WideSource[]} all
 * @param {number} wanted
 */
const chooseEqual = ({ pick }, all, wanted) => {
  const single = all.filter(({ bank }) => bank === 0);
  const chosen = [
    ...all.map(one => [one]),
    ...single.flatMap(one => single.map(other => [one, other])),
  ].filter(each => widthOf(each) === wanted);
  return chosen.length === 0 ? [] : pick(chosen);
};
