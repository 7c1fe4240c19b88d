// Random reactor programs as plain data, made from a seed. `lingua-franca.js` and `reactors.js` write the same one for
// reactor-c and for this library.

import { makeRandom } from '#testkit';

/** @typedef {{ offset: number, period: number, mode: number | null }} TimerShape */
/** @typedef {{ minDelay: number, spacing: number | null, policy: string | null, mode: number | null }} ActionShape */
/** @typedef {{ modulus: number, rest: number, does: 'set' | 'schedule' | 'enter' | 'stop', at: number, channel: number, delay: number }} Deed */

/**
 * `reads` are inputs that trigger, `looks` are others. A reaction enters at most one mode.
 *
 * @typedef {{ mode: number | null, reads: number[], looks: number[], timers: number[], actions: number[], builtIns: string[], writes: number[], schedules: number[], enters: { mode: number, kind: 'reset' | 'history' } | null, deadline: 'always' | 'never' | null, deeds: Deed[] }} ReactionShape
 */

/**
 * `bank` is 0 for a single reactor, `ins` and `outs` are widths, 0 for a single port.
 *
 * @typedef {{ bank: number, ins: number[], outs: number[], modes: number, timers: TimerShape[], actions: ActionShape[], reactions: ReactionShape[] }} NodeShape
 */

/** @typedef {{ from: number, out: number, to: number, in: number, after: number | null, repeat: boolean, inTurn: boolean }} WireShape */
/** @typedef {{ seed: number, stops: boolean, nodes: NodeShape[], wires: WireShape[] }} Shape */

/** Nanoseconds that a program runs. */
export const timeoutNs = 30;

/** One of so many programs may ask for the end. */
const stopsEvery = 10;

/** @param {number} count @returns {number[]} */
export const upTo = count => Array.from({ length: count }, (_, i) => i);

/** @param {NodeShape} node @param {number} width */
const channelsOf = ({ bank }, width) => Math.max(bank, 1) * Math.max(width, 1);

/**
 * @param {number} seed
 * @returns {Shape}
 */
export const makeShape = seed => {
  const random = makeRandom(seed);
  const { below, chance, pick } = random;
  const stops = seed % stopsEvery === 0;
  const widths = (/** @type {number} */ most) =>
    upTo(1 + below(most)).map(() => (chance(0.7) ? 0 : 2 + below(2)));
  const some = (/** @type {number[]} */ list, /** @type {number} */ odds) =>
    list.filter(() => chance(odds));

  /** @returns {NodeShape} */
  const makeNode = () => {
    const modes = chance(0.35) ? 2 + below(2) : 0;
    const someMode = () => (modes > 0 && chance(0.6) ? below(modes) : null);
    const ins = widths(2);
    const outs = widths(2);
    const timers = upTo(1 + below(2)).map(() => ({
      offset: below(8),
      period: chance(0.8) ? 2 + below(9) : 0,
      mode: someMode(),
    }));
    const actions = upTo(below(3)).map(() => {
      const spacing = chance(0.25) ? below(7) : null;
      return {
        minDelay: chance(0.5) ? 0 : below(6),
        spacing,
        policy: spacing === null ? null : pick(['defer', 'drop', 'replace', 'update']),
        mode: someMode(),
      };
    });
    /** @param {number | null} mode @returns {ReactionShape} */
    const makeReaction = mode => {
      const isHere = (/** @type {{ mode: number | null }[]} */ parts) =>
        upTo(parts.length).filter(i => parts[i].mode === null || parts[i].mode === mode);
      const ports = upTo(ins.length);
      const reads = some(ports, 0.5);
      const looks = some(ports, 0.2).filter(i => !reads.includes(i));
      const ticks = some(isHere(timers), 0.5);
      const acts = some(isHere(actions), 0.5);
      const builtIns = ['startup', 'shutdown', 'reset'].filter(
        kind => (kind !== 'reset' || mode !== null) && chance(0.15),
      );
      if (reads.length + ticks.length + acts.length + builtIns.length === 0)
        builtIns.push('startup');
      const writes = some(upTo(outs.length), 0.5);
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
        ...(stops && chance(0.2) ? [{ does: 'stop' }] : []),
      ].map(deed => ({
        modulus: deed.does === 'stop' ? 9 : 2 + below(3),
        rest: below(2),
        at: 0,
        channel: 0,
        delay: 0,
        ...deed,
      }));
      return {
        ...{ mode, reads, looks, timers: ticks, actions: acts, builtIns, writes, schedules },
        ...{ enters, deeds: /** @type {Deed[]} */ (deeds) },
        deadline: chance(0.15) ? pick(['always', 'never']) : null,
      };
    };
    // Lingua Franca orders reactions of modes after the others.
    const places = [null, ...upTo(modes)];
    const reactions = places.flatMap(mode =>
      upTo(mode === null ? 1 + below(3) : below(3)).map(() => makeReaction(mode)),
    );
    return { bank: chance(0.3) ? 2 + below(2) : 0, ins, outs, modes, timers, actions, reactions };
  };

  const nodes = upTo(1 + below(4)).map(makeNode);
  /** @type {WireShape[]} */
  const wires = [];
  nodes.forEach((node, to) =>
    node.ins.forEach((width, input) => {
      if (chance(0.25)) return;
      const from = below(nodes.length);
      const out = below(nodes[from].outs.length);
      const after = from < to && chance(0.6) ? null : chance(0.3) ? 0 : below(8);
      const isEqual = channelsOf(nodes[from], nodes[from].outs[out]) === channelsOf(node, width);
      const inTurn = nodes[from].bank > 0 && nodes[from].outs[out] > 0 && chance(0.5);
      wires.push({ from, out, to, in: input, after, repeat: !isEqual, inTurn: isEqual && inTurn });
    }),
  );
  return { seed, stops, nodes, wires };
};
