// Wild programs as plain data, made from a seed: nested modes, mutations, spacing policies, delayed, physical and modal
// connections, banks, multiports, deadlines, watchdogs, transient children. `wild.js` makes reactors of a shape, and
// `interpreter.js` knows what they have to do.

import { makeRandom } from '#testkit';

/**
 * A port within a reactor: `in` and `out` are its own, with its place among them; `cin` and `cout` those of a contained
 * reactor, of all members if it is a bank; `din` and `dout` those of a reactor that a mutation makes; `res` is the result
 * of the transient child. A channel of a multiport is -1 for all.
 *
 * @typedef {{ kind: 'in' | 'out' | 'cin' | 'cout' | 'din' | 'dout' | 'res', child: number, port: number, channel: number }} Ref
 */

/** @typedef {{ from: Ref[], to: Ref[], after: number | null, physical: boolean, repeat: boolean, inTurn: boolean, mode: number | null }} ConnectionShape */
/** @typedef {{ offset: number, period: number, mode: number | null }} TimerShape */
/** @typedef {{ physical: boolean, minDelay: number, minSpacing: number | null, policy: string | null, mode: number | null }} ActionShape */

/**
 * An operation of a reaction, carried out if the reaction's value has this remainder.
 *
 * @typedef {{ modulus: number, rest: number, do: string, at: number, delay: number, microstep: number, ref: Ref | null }} Op
 */

/** @typedef {{ isMutation: boolean, mode: number | null, reads: Ref[], looks: Ref[], writes: Ref[], timers: number[], actions: number[], builtIns: string[], dogs: number[], deadline: number | null, cell: number, ops: Op[] }} ReactionShape */

/** @typedef {{ in: Ref, out: Ref | null, shape: ReactorShape, mode: number | null }} SlotShape  a place that mutations fill; `in` leads to it, it leads to `out` */

/** @typedef {{ ins: number[], outs: number[], modes: number, timers: TimerShape[], actions: ActionShape[], dogs: { timeout: number, mode: number | null }[], children: { shape: ReactorShape, width: number | null, mode: number | null }[], connections: ConnectionShape[], slots: SlotShape[], transient: boolean, reactions: ReactionShape[] }} ReactorShape */

/** @typedef {{ parts: ReactorShape[], wires: ConnectionShape[], timeout: number, clock: [number, number][] }} Shape */

export const builtIns = Object.freeze(['startup', 'shutdown', 'reset']);
const policies = ['defer', 'drop', 'replace', 'update'];

/** @param {Ref['kind']} kind @param {number} child @param {number} port @returns {Ref} */
const ref = (kind, child, port, channel = -1) => ({ kind, child, port, channel });

/**
 * @param {number} seed
 * @param {{ canSplit?: boolean }} [options]  without what a split program cannot have
 * @returns {Shape}
 */
// eslint-disable-next-line max-lines-per-function -- one program is drawn in one go, since each part depends on those before
export const wildShape = (seed, { canSplit = false } = {}) => {
  const random = makeRandom(seed);
  const { below, chance, pick } = random;
  const hasModes = chance(0.7);
  const hasSlots = !canSplit && chance(0.5);

  /** @param {number} modes @returns {number | null} */
  const someMode = modes => (modes > 0 && chance(0.6) ? below(modes) : null);
  const widths = (/** @type {number} */ most) =>
    Array.from({ length: below(most + 1) }, () => (chance(0.7) ? 1 : 2 + below(2)));

  /** @param {number} depth @param {boolean} isLeaf @returns {ReactorShape} */
  const reactor = (depth, isLeaf) => {
    const modes = hasModes && chance(0.5) ? 2 + below(2) : 0;
    /** @type {ReactorShape} */
    const shape = {
      ins: isLeaf ? [1] : widths(3),
      outs: isLeaf ? [1] : widths(2),
      modes,
      timers: Array.from({ length: below(3) }, () => ({
        offset: below(8),
        period: chance(0.3) ? 0 : 1 + below(9),
        mode: someMode(modes),
      })),
      actions: Array.from({ length: below(3) }, () => ({
        physical: chance(0.15),
        minDelay: chance(0.7) ? 0 : below(4),
        ...(chance(0.5)
          ? { minSpacing: null, policy: null }
          : { minSpacing: below(5), policy: pick(policies) }),
        mode: someMode(modes),
      })),
      dogs: chance(0.15) ? [{ timeout: below(12), mode: someMode(modes) }] : [],
      children: [],
      connections: [],
      slots: [],
      transient: !isLeaf && chance(0.15),
      reactions: [],
    };
    if (depth > 0 && !isLeaf) {
      const count = below(3);
      for (let i = 0; i < count; i += 1) {
        shape.children.push({
          shape: reactor(depth - 1, false),
          width: chance(0.2) ? below(4) : null,
          mode: someMode(modes),
        });
      }
    }
    /** Ports that a connection leads to: nothing else may. */
    const taken = new Set();
    const name = (/** @type {Ref} */ r) => `${r.kind} ${r.child} ${r.port}`;
    const sources = [
      ...shape.ins.map((_, i) => ref('in', 0, i)),
      ...shape.children.flatMap((c, k) => c.shape.outs.map((_, i) => ref('cout', k, i))),
    ];
    const targets = [
      ...shape.outs.map((_, i) => ref('out', 0, i)),
      ...shape.children.flatMap((c, k) => c.shape.ins.map((_, i) => ref('cin', k, i))),
    ];
    const modeOf = (/** @type {Ref} */ r) =>
      r.kind === 'cin' || r.kind === 'cout' ? shape.children[r.child].mode : null;
    if (hasSlots && !isLeaf && depth > 0 && chance(0.6)) {
      const inner = targets.filter(r => r.kind === 'cin' && modeOf(r) === null && width(r) === 1);
      const outer = targets.filter(r => r.kind === 'out' && width(r) === 1);
      const out =
        chance(0.5) && outer.length > 0 ? pick(outer) : inner.length > 0 ? pick(inner) : null;
      const ins = sources.filter(r => modeOf(r) === null && width(r) === 1);
      if (ins.length > 0) {
        if (out !== null) taken.add(name(out));
        shape.slots.push({ in: pick(ins), out, shape: reactor(0, true), mode: null });
      }
    }
    /** @param {Ref} r */
    function width(r) {
      const of = r.kind[0] === 'c' ? shape.children[r.child] : null;
      const list = r.kind.endsWith('in')
        ? (of?.shape.ins ?? shape.ins)
        : (of?.shape.outs ?? shape.outs);
      return list[r.port] * (of === null ? 1 : (of.width ?? 1));
    }
    for (let i = 0; sources.length > 0 && i < targets.length; i += 1) {
      const to = [pick(targets)];
      if (chance(0.2)) to.push(pick(targets));
      if (new Set(to.map(name)).size < to.length || to.some(r => taken.has(name(r)))) continue;
      const from = [pick(sources)];
      if (chance(0.2)) from.push(pick(sources));
      const inModes = new Set([...from, ...to].map(modeOf).filter(m => m !== null));
      if (inModes.size > 1) continue;
      const total = (/** @type {Ref[]} */ list) => list.reduce((sum, r) => sum + width(r), 0);
      const repeat = total(from) !== total(to);
      if (repeat && total(from) === 0) continue;
      to.forEach(r => taken.add(name(r)));
      // Mostly onwards, since a cycle is refused; so are most reactions below.
      const isBack = from.some(a =>
        to.some(b => a.kind === 'cout' && b.kind === 'cin' && a.child >= b.child),
      );
      const delayed = chance(isBack ? 0.95 : 0.3);
      shape.connections.push({
        from,
        to,
        after: delayed ? below(6) : null,
        physical: delayed && chance(0.2),
        repeat,
        inTurn: chance(0.3),
        mode:
          inModes.size === 1
            ? chance(0.5)
              ? [...inModes][0]
              : null
            : chance(0.3)
              ? someMode(modes)
              : null,
      });
    }
    const free = targets.filter(r => !taken.has(name(r)));
    const count = 1 + below(4);
    let border = 0;
    for (let i = 0; i < count; i += 1) {
      // It reads from children before a border and writes to those behind it.
      if (chance(0.5)) border = Math.min(border + 1, shape.children.length);
      const isFree = chance(0.03);
      const reads = sources.filter(r => isFree || r.kind === 'in' || r.child < border);
      const writes = free.filter(r => isFree || r.kind === 'out' || r.child >= border);
      shape.reactions.push(reaction(shape, reads, writes));
    }
    return shape;
  };

  /** @param {ReactorShape} shape @param {Ref[]} sources @param {Ref[]} free @returns {ReactionShape} */
  const reaction = (shape, sources, free) => {
    const some = (/** @type {any[]} */ list, /** @type {number} */ p) =>
      list.filter(() => chance(p));
    const oneChannel = (/** @type {Ref} */ r) => {
      const isOwn = r.kind === 'in' || r.kind === 'out';
      const list = r.kind === 'in' ? shape.ins : shape.outs;
      return isOwn && list[r.port] > 1 && chance(0.4) ? { ...r, channel: below(list[r.port]) } : r;
    };
    const isMutation = shape.slots.length > 0 && chance(0.6);
    const mode = someMode(shape.modes);
    // A reaction of a mode may use what lies in no other one.
    const fits = (/** @type {{ mode: number | null }} */ part) =>
      part.mode === null || mode === null || part.mode === mode;
    const inMode = (/** @type {Ref[]} */ refs) =>
      refs.filter(r => r.kind[0] !== 'c' || fits(shape.children[r.child]));
    const fitting = (/** @type {{ mode: number | null }[]} */ list) =>
      list.flatMap((part, i) => (fits(part) ? [i] : []));
    const results = shape.transient && chance(0.4) ? [ref('res', 0, 0)] : [];
    /** @type {ReactionShape} */
    const made = {
      isMutation,
      mode,
      reads: [...some(inMode(sources), 0.4).map(oneChannel), ...results],
      looks: some(inMode(sources), 0.15).map(oneChannel),
      writes: some(inMode(free), 0.5).map(oneChannel),
      timers: some(fitting(shape.timers), 0.5),
      actions: some(fitting(shape.actions), 0.5),
      builtIns: some([...builtIns], 0.25),
      dogs: some(fitting(shape.dogs), 0.4),
      deadline: chance(0.1) ? below(4) : null,
      cell: below(shape.modes + 1) - 1,
      ops: [],
    };
    if (isMutation) {
      for (const { out } of shape.slots) if (out?.kind === 'out') made.writes.push(out);
    }
    const add = (/** @type {string} */ what, at = 0, /** @type {Ref | null} */ target = null) => {
      const modulus = 2 + below(4);
      const rest = below(modulus);
      const op = { modulus, rest, do: what, at, delay: below(7), microstep: below(4), ref: target };
      made.ops.push(op);
    };
    for (const write of made.writes) {
      if (
        !isMutation ||
        !shape.slots.some(
          ({ out }) => out?.kind === 'out' && out.port === write.port && write.kind === 'out',
        )
      )
        add('set', 0, write);
    }
    for (const i of fitting(shape.actions)) {
      if (chance(0.5)) add('schedule', i);
      if (!shape.actions[i].physical && chance(0.1)) add('scheduleAt', i);
    }
    for (const i of fitting(shape.dogs)) {
      if (chance(0.6)) add(pick(['start', 'start', 'stop']), i);
    }
    for (let i = 0; i < shape.modes; i += 1) if (chance(0.35)) add(pick(['reset', 'history']), i);
    if (shape.transient && chance(0.4) && results.length === 0) add('spawn');
    if (isMutation) {
      for (const what of ['make', 'kill', 'swap', 'unplug', 'plug']) if (chance(0.5)) add(what);
    } else if (shape.slots.length > 0 && chance(0.3)) {
      add('killLater');
    }
    return made;
  };

  const parts = Array.from({ length: 1 + below(3) }, () => reactor(2, false));
  /** @type {ConnectionShape[]} */
  const wires = [];
  const outs = parts.flatMap((p, k) => p.outs.map((w, i) => ({ r: ref('cout', k, i), w })));
  for (const [k, part] of parts.entries()) {
    for (const [i, w] of part.ins.entries()) {
      const fitting = outs.filter(out => out.w === w);
      if (fitting.length === 0 || chance(0.2)) continue;
      const from = pick(fitting).r;
      wires.push({
        from: [from],
        to: [ref('cin', k, i)],
        after: chance(from.child >= k ? 0.9 : 0.3) ? below(6) : null,
        physical: chance(0.08),
        repeat: false,
        inTurn: false,
        mode: null,
      });
    }
  }
  /** @type {[number, number][]} */
  const clock = chance(0.4) ? Array.from({ length: 3 }, () => [below(40), below(60)]) : [];
  return { parts, wires, timeout: 10 + below(40), clock };
};
