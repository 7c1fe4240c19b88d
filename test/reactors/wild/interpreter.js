/* eslint-disable max-lines -- the model, to be read from top to bottom beside the paper, in one file */
// Interprets a wild program by the definition of the model and nothing else: plain lists and maps, no scheduler, no levels,
// no slots. At each tag it works out anew which connections hold, which reaction precedes which, and which ports are
// present. It is slow, and shares no code with `packages/reactor`.
//
// The rules are those of "Reactors: A Deterministic Model for Composable Reactive Systems", of "Modal Reactors", and of
// Lingua Franca's documentation on timers, actions (delays, spacing, pile-up), deadlines, watchdogs and modes; for
// mutations those of packages/reactor/mutation.js.

import { nowAt } from '../in-library.js';
import { answerOf, mix } from './wild.js';

/** @import { ConnectionShape, ReactionShape, ReactorShape, Ref, Shape } from './shape.js' */

/** @typedef {{ t: number, m: number }} Tag */
/** @typedef {{ path: string, shape: ReactorShape, parent: Inst | null, mode: number | null, kids: Inst[][], made: Made | null, births: number, doomedAt: Tag | null, value: number, cells: number[], current: number, hasStarted: boolean, begun: Set<number>, transition: { mode: number, isReset: boolean } | null, isDoomed: boolean, isGone: boolean, last: Map<number, Last>, dogs: Map<number, Event> }} Inst */
/** @typedef {{ inst: Inst, isPlugged: boolean, isDoomed: boolean }} Made */
/** @typedef {{ t: number, m: number, before: number, event: Event | null }} Last */
/** @typedef {{ kind: string, inst: Inst, at: number | string, place: Place | null, mode: number | null, t: number, m: number, seq: number, value: any, wait: number }} Event  `place`: where a delayed value arrives */
/** @typedef {{ key: string, inst: Inst }} Place  a channel */
/** @typedef {{ from: Place, to: Place, after: number | null, physical: boolean, owner: Inst, mode: number | null }} Link */
/** @typedef {{ inst: Inst, shape: ReactionShape | null, at: number, dog: number }} Act  a reaction, or the handler of a watchdog */

const known = ['zero-delay cycle', 'more than 60 microsteps'];

class Refused extends Error {}

/**
 * @param {Shape} shape
 * @returns {Record<string, string[]> | string} lines by instance, or why it is refused
 */
export const interpret = shape => {
  try {
    return new Interpreter(shape).run();
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
};

// eslint-disable-next-line house/max-class-lines -- the model, to be read from top to bottom beside the paper
class Interpreter {
  /** @param {Shape} shape */
  constructor(shape) {
    this.shape = shape;
    /** @type {Record<string, string[]>} */
    this.trace = {};
    /** @type {Event[]} */
    this.events = [];
    /** @type {Event[]} */
    this.suspended = [];
    this.seq = 0;
    this.t = 0;
    this.m = -1;
    /** Values by channel. @type {Map<string, any>} */
    this.values = new Map();
    /** Actions, timers and the like that are present. @type {Map<string, any>} */
    this.present = new Map();
    /** @type {Inst[]} */
    this.leaving = [];
    /** @type {Inst[]} */
    this.doomed = [];
    /** @type {Act[]} */
    this.done = [];
    /** @type {ReactorShape} */
    const main = {
      ins: [],
      outs: [],
      modes: 0,
      timers: [],
      actions: [],
      dogs: [],
      children: shape.parts.map(part => ({ shape: part, width: null, mode: null })),
      connections: shape.wires,
      slots: [],
      transient: false,
      reactions: [],
    };
    this.main = this.make(main, '', null, null);
  }

  // The tree

  /** @param {ReactorShape} shape @param {string} path @param {Inst | null} parent @param {number | null} mode @returns {Inst} */
  make(shape, path, parent, mode) {
    /** @type {Inst} */
    const inst = {
      path,
      shape,
      parent,
      mode,
      kids: [],
      made: null,
      births: 0,
      doomedAt: null,
      value: 1,
      cells: Array.from({ length: shape.modes + 1 }, () => 1),
      current: -1,
      hasStarted: false,
      begun: new Set(),
      transition: null,
      isDoomed: false,
      isGone: false,
      last: new Map(),
      dogs: new Map(),
    };
    inst.kids = shape.children.map((child, k) => {
      const name = parent === null ? `p${k}` : `${path}.c${k}`;
      if (child.width === null) return [this.make(child.shape, name, inst, child.mode)];
      return Array.from({ length: child.width }, (_, i) =>
        this.make(child.shape, `${name}_${i}`, inst, child.mode),
      );
    });
    return inst;
  }

  /** @param {Inst} inst @returns {Inst[]} what it contains directly */
  inside(inst) {
    const made = this.extra.filter(other => other.parent === inst && !other.isGone);
    return [...inst.kids.flat(), ...made];
  }

  /** Made by mutations, those that are on their way out among them. @type {Inst[]} */
  extra = [];

  /** @param {Inst} inst @returns {Inst[]} */
  tree(inst = this.main) {
    return [inst, ...this.inside(inst).flatMap(inner => this.tree(inner))];
  }

  /** @param {Inst} inst @param {number | null} mode @returns {[Inst, number][]} the modes that something lies in, innermost first */
  modesAround(inst, mode) {
    /** @type {[Inst, number][]} */
    const around = [];
    for (let i = inst, m = mode; ;) {
      if (m !== null) around.push([i, m]);
      if (i.parent === null) return around;
      m = i.mode;
      i = i.parent;
    }
  }

  /** @param {Inst} inst @param {number | null} mode */
  isActive(inst, mode) {
    return this.modesAround(inst, mode).every(([i, m]) => i.current === m);
  }

  // Channels and connections

  /** @param {Inst} inst @param {Ref} ref @returns {Place[][]} channels by port */
  ports(inst, { kind, child, port, channel }) {
    if (kind === 'res') return [[{ key: `${inst.path} res`, inst }]];
    const isIn = kind.endsWith('in');
    const owners =
      kind === 'in' || kind === 'out'
        ? [inst]
        : kind[0] === 'c'
          ? inst.kids[child]
          : [/** @type {Made} */ (inst.made).inst];
    return owners.map(owner => {
      const width = (isIn ? owner.shape.ins : owner.shape.outs)[port];
      const all = Array.from({ length: width }, (_, c) => ({
        key: `${owner.path} ${isIn ? 'in' : 'out'}${port} ${c}`,
        inst: owner,
      }));
      return channel < 0 ? all : [all[channel]];
    });
  }

  /** @param {Inst} inst @param {Ref[]} refs @returns {Place[]} */
  channels(inst, refs) {
    const known = this.#channels.get(refs)?.get(inst);
    if (known !== undefined) return known;
    const found = refs.flatMap(ref => this.ports(inst, ref).flat());
    const byInst = this.#channels.get(refs) ?? new Map();
    this.#channels.set(refs, byInst.set(inst, found));
    return found;
  }

  /** @type {Map<Ref[], Map<Inst, Place[]>>} */
  #channels = new Map();

  /** @returns {Link[]} all connections as they are now */
  links() {
    this.#links ??= this.tree().flatMap(inst => {
      const links = inst.shape.connections.flatMap(connection => this.linksOf(inst, connection));
      for (const extra of this.extraLinks) if (extra.owner === inst) links.push(extra);
      return links;
    });
    return this.#links;
  }

  /** Until something is made, connected or deleted. @type {Link[] | null} */
  #links = null;

  /** Connections without a delay, by their sources. @type {Map<string, Link[]> | null} */
  #linksFrom = null;

  /** @type {Act[] | null} */
  #order = null;

  /** Makes creations, connections and deletions take effect. */
  changed() {
    this.#links = null;
    this.#linksFrom = null;
    this.#order = null;
    this.#channels = new Map();
  }

  /** Made by mutations. @type {(Link & { child: Inst })[]} */
  extraLinks = [];

  /** @param {Inst} inst @param {ConnectionShape} connection @returns {Link[]} */
  linksOf(inst, { from, to, after, physical, repeat, inTurn, mode }) {
    let sources = this.channels(inst, from);
    const targets = this.channels(inst, to);
    if (inTurn) {
      const ports = from.flatMap(ref => this.ports(inst, ref));
      sources = [];
      for (let c = 0; ports.some(port => c < port.length); c += 1)
        for (const port of ports) if (c < port.length) sources.push(port[c]);
    }
    if (!repeat && sources.length !== targets.length) throw Error('widths');
    return targets.map((target, i) => ({
      from: sources[i % sources.length],
      to: target,
      after,
      physical,
      owner: inst,
      mode,
    }));
  }

  // The order of reactions

  /** @returns {Act[]} all reactions, those that come first in front */
  order() {
    this.#order ??= this.findOrder();
    return this.#order;
  }

  /** @returns {Act[]} */
  findOrder() {
    const links = this.links().filter(({ after, physical }) => after === null && !physical);
    /** @type {Map<string, string[]>} */
    const next = new Map();
    for (const { from, to } of links) next.set(from.key, [...(next.get(from.key) ?? []), to.key]);
    /** @param {string} key @param {string[]} way @returns {Set<string>} the channels that a value reaches at the tag */
    const reach = (key, way = []) => {
      if (way.includes(key)) throw new Refused('zero-delay cycle');
      const found = new Set([key]);
      for (const k of next.get(key) ?? []) for (const f of reach(k, [...way, key])) found.add(f);
      return found;
    };
    for (const key of next.keys()) reach(key);
    /** @type {Act[]} */
    const acts = this.tree().flatMap(inst => this.actsOf(inst));
    /** @type {Map<string, Act[]>} */
    const readers = new Map();
    for (const act of acts) {
      for (const { key } of this.channels(act.inst, [
        ...(act.shape?.reads ?? []),
        ...(act.shape?.looks ?? []),
      ])) {
        readers.set(key, [...(readers.get(key) ?? []), act]);
      }
    }
    /** @type {Map<Act, Set<Act>>} */
    const after = new Map(acts.map(act => [act, new Set()]));
    const add = (/** @type {Act} */ first, /** @type {Act} */ second) =>
      /** @type {Set<Act>} */ (after.get(first)).add(second);
    for (const act of acts) {
      const written = this.channels(act.inst, act.shape?.writes ?? []).map(({ key }) => key);
      if (act.shape?.ops.some(op => op.do === 'spawn')) written.push(`${act.inst.path} res`);
      for (const key of written)
        for (const reached of reach(key)) for (const r of readers.get(reached) ?? []) add(act, r);
    }
    for (const inst of this.tree()) {
      const own = acts.filter(act => act.inst === inst);
      own.forEach((first, i) => {
        for (const second of own.slice(i + 1)) if (!areApart(first, second)) add(first, second);
        if (!first.shape?.isMutation) return;
        const inner = new Set(this.tree(inst).slice(1));
        for (const act of acts) if (inner.has(act.inst)) add(first, act);
      });
    }
    return sorted(acts, after);
  }

  /** Reactions of an instance in their order: mutations first, then watchdogs' handlers, which are made first. @param {Inst} inst @returns {Act[]} */
  actsOf(inst) {
    /** @type {Act[]} */
    const own = inst.shape.reactions.map((shape, at) => ({ inst, shape, at, dog: -1 }));
    const dogs = inst.shape.dogs.map((_, dog) => ({ inst, shape: null, at: -1, dog }));
    return [
      ...own.filter(({ shape }) => shape?.isMutation),
      ...dogs,
      ...own.filter(({ shape }) => !shape?.isMutation),
    ];
  }

  /** @param {Act} act */
  modeOf({ inst, shape, dog }) {
    return shape === null ? inst.shape.dogs[dog].mode : shape.mode;
  }

  // Events

  /** @param {Omit<Event, 'seq' | 'wait'>} event */
  put(event) {
    this.seq += 1;
    const full = { ...event, seq: this.seq, wait: 0 };
    if (this.isActive(full.inst, full.mode)) {
      this.events.push(full);
    } else {
      // It waits with its mode.
      full.wait = full.t - this.t;
      this.suspended.push(full);
    }
    return full;
  }

  /** @param {Omit<Event, 'seq' | 'wait' | 't' | 'm'>} event @param {number} delay */
  putLater(event, delay) {
    return this.put(
      delay === 0 ? { ...event, t: this.t, m: this.m + 1 } : { ...event, t: this.t + delay, m: 0 },
    );
  }

  /** @param {Event} event */
  static keyOf({ kind, inst, at, place }) {
    return place === null ? `${inst.path} ${kind} ${at}` : `${inst.path} to ${place.key} ${at}`;
  }

  // Starting, modes

  /** @param {Inst} inst @param {boolean} isReset @param {boolean} isNow  at this tag; else at the next microstep */
  activate(inst, isReset, isNow) {
    const isFirst = !inst.hasStarted;
    inst.hasStarted = true;
    this.activateContents(inst, null, isFirst, isReset, isNow);
    if (inst.shape.modes === 0) return;
    if (inst.current < 0 || isReset) inst.current = 0;
    this.activateMode(inst, inst.current, isReset, isNow);
  }

  /** @param {Inst} inst @param {number} mode @param {boolean} isReset @param {boolean} isNow */
  activateMode(inst, mode, isReset, isNow) {
    const isFirst = !inst.begun.has(mode);
    inst.begun.add(mode);
    inst.current = mode;
    this.activateContents(inst, mode, isFirst, isReset, isNow);
  }

  /** @param {Inst} inst @param {number | null} mode @param {boolean} isFirst @param {boolean} isReset @param {boolean} isNow */
  activateContents(inst, mode, isFirst, isReset, isNow) {
    // Restore suspended events before new ones can be suspended.
    const back = this.suspended.filter(event => {
      const [innermost] = this.modesAround(event.inst, event.mode);
      return mode !== null && innermost[0] === inst && innermost[1] === mode;
    });
    this.suspended = this.suspended.filter(event => !back.includes(event));
    if (isReset) inst.cells[mode === null ? 0 : mode + 1] = 1;
    if (isFirst || isReset) {
      inst.shape.timers.forEach((timer, at) => {
        if (timer.mode !== mode) return;
        const event = { kind: 'timer', inst, at, place: null, mode, value: undefined };
        if (isNow && timer.offset === 0) this.arrive({ ...event, t: 0, m: 0, seq: 0, wait: 0 });
        else this.putLater(event, timer.offset);
      });
    }
    for (const event of isReset ? [] : back) {
      this.seq += 1;
      const t = this.t + event.wait;
      this.events.push(
        Object.assign(event, { t, m: event.wait === 0 ? this.m + 1 : 0, seq: this.seq }),
      );
    }
    const fire = (/** @type {string} */ kind) => {
      const event = { kind, inst, at: String(mode), place: null, mode, value: undefined };
      if (isNow) this.arrive({ ...event, t: 0, m: 0, seq: 0, wait: 0 });
      else this.putLater(event, 0);
    };
    if (isFirst) fire('startup');
    if (isReset) fire('reset');
    for (const inner of this.inside(inst))
      if (inner.mode === mode) this.activate(inner, isReset, isNow);
  }

  enterModes() {
    /** @type {[Inst, number][]} */
    const fresh = [];
    const isIn = (/** @type {[Inst, number][]} */ around) =>
      around.some(([i, m]) => fresh.some(([fi, fm]) => fi === i && fm === m));
    // A container comes before what it contains.
    for (const inst of this.tree()) {
      const { transition } = inst;
      inst.transition = null;
      if (
        transition === null ||
        (inst.parent !== null && isIn(this.modesAround(inst.parent, inst.mode)))
      )
        continue;
      const { mode, isReset } = transition;
      if (isReset) {
        fresh.push([inst, mode]);
        const lies = (/** @type {Event} */ e) =>
          this.modesAround(e.inst, e.mode).some(([i, m]) => i === inst && m === mode);
        this.forget([...this.events, ...this.suspended].filter(lies));
      }
      this.activateMode(inst, mode, isReset, false);
    }
    const left = this.events.filter(event => !this.isActive(event.inst, event.mode));
    this.events = this.events.filter(event => !left.includes(event));
    for (const event of left.sort(byTag)) {
      if (event.kind === 'dog') continue;
      event.wait = event.t - this.t;
      this.suspended.push(event);
    }
  }

  /** @param {Event[]} gone */
  forget(gone) {
    this.events = this.events.filter(event => !gone.includes(event));
    this.suspended = this.suspended.filter(event => !gone.includes(event));
  }

  /** @param {Event} event */
  isPending(event) {
    return this.events.includes(event) || this.suspended.includes(event);
  }

  // A tag

  /** @param {Event} event */
  arrive(event) {
    const { kind, inst, at, place, mode, value } = event;
    if (place !== null) {
      this.write(place.key, value);
      return;
    }
    this.present.set(Interpreter.keyOf(event), value);
    if (kind !== 'timer') return;
    const { period } = inst.shape.timers[Number(at)];
    if (period > 0) this.put({ kind, inst, at, place, mode, value, t: this.t + period, m: 0 });
  }

  /** @param {string} key @param {any} value */
  write(key, value) {
    this.values.set(key, value);
    if (this.#linksFrom === null) {
      this.#linksFrom = new Map();
      for (const link of this.links()) {
        if (link.after !== null || link.physical) continue;
        this.#linksFrom.set(link.from.key, [...(this.#linksFrom.get(link.from.key) ?? []), link]);
      }
    }
    for (const { to, owner, mode } of this.#linksFrom.get(key) ?? []) {
      // One of no mode is there whether or not its reactor is active.
      if (mode !== null && !this.isActive(owner, mode)) continue;
      this.write(to.key, value);
    }
  }

  /** @param {Act} act */
  isTriggered(act) {
    const { inst, shape, dog } = act;
    const mode = this.modeOf(act);
    const has = (/** @type {string} */ kind, /** @type {number | string} */ at) =>
      this.present.has(`${inst.path} ${kind} ${at}`);
    if (shape?.builtIns.includes('shutdown') && has('shutdown', String(mode))) return true;
    if (!this.isActive(inst, mode)) return false;
    if (shape === null) return has('dog', dog);
    return (
      shape.timers.some(i => has('timer', i)) ||
      shape.actions.some(i => has('action', i)) ||
      shape.dogs.some(i => has('dog', i)) ||
      shape.builtIns.some(kind => has(kind, String(mode))) ||
      this.channels(inst, shape.reads).some(({ key }) => this.values.has(key))
    );
  }

  run() {
    this.order();
    this.activate(this.main, false, false);
    const { timeout } = this.shape;
    for (;;) {
      const first = [...this.events].sort(byTag)[0];
      const isEarlier =
        first !== undefined && (first.t < timeout || (first.t === timeout && first.m === 0));
      let [t, m] = isEarlier ? [first.t, first.m] : [timeout, 0];
      if (this.doomed.length > 0 || this.wantsNext) [t, m] = [this.t, this.m + 1];
      if (t === timeout && m > 0) return this.trace;
      this.wantsNext = false;
      this.t = t;
      this.m = m;
      if (m > 60) throw new Refused(known[1]);
      this.runTag(t === timeout);
      if (t === timeout) return this.trace;
    }
  }

  wantsNext = false;

  /** @param {boolean} isLast */
  runTag(isLast) {
    this.values.clear();
    this.present.clear();
    this.done = [];
    const { t, m } = this;
    // Among several events of one action, timer or connection, the first scheduled comes first.
    const due = this.events.filter(event => event.t === t && event.m <= m).sort(bySeq);
    const taken = new Set();
    for (const event of due) {
      const key = Interpreter.keyOf(event);
      if (taken.has(key)) {
        event.m = m + 1;
        continue;
      }
      taken.add(key);
      this.events = this.events.filter(other => other !== event);
      this.arrive(event);
    }
    const doomed = this.doomed.filter(inst => !inst.isGone);
    this.doomed = [];
    for (const inst of doomed) {
      this.leaving.push(inst);
      this.shutDown(inst);
    }
    if (isLast) this.shutDown(this.main);
    this.isLast = isLast;
    for (;;) {
      const act = this.order().find(one => !this.isOver(one) && this.isTriggered(one));
      if (act === undefined) break;
      this.done.push(act);
      this.react(act);
    }
    this.endTag();
  }

  isLast = false;

  /**
   * Whether it has run at this tag, or one of its reactor that comes behind it has: what a mutation changes then, it does
   * not see any more.
   *
   * @param {Act} act
   */
  isOver(act) {
    const own = this.actsOf(act.inst);
    const at = own.findIndex(one => isSame(one, act));
    return this.done.some(d => d.inst === act.inst && own.findIndex(one => isSame(one, d)) >= at);
  }

  /** @param {Inst} inst */
  shutDown(inst) {
    for (const inner of this.tree(inst)) {
      if (!inner.hasStarted) continue;
      for (let mode = -1; mode < inner.shape.modes; mode += 1) {
        const own = mode < 0 ? null : mode;
        const around = this.modesAround(inner, own);
        if (around.every(([i, k]) => i.begun.has(k)))
          this.present.set(`${inner.path} shutdown ${own}`, undefined);
      }
    }
  }

  endTag() {
    // Connections with a delay take the last value of the tag.
    for (const { from, to, after, physical, owner, mode } of this.links()) {
      if ((after === null && !physical) || !this.values.has(from.key)) continue;
      if (!this.isActive(owner, mode)) continue;
      const event = {
        kind: 'value',
        inst: owner,
        at: 0,
        place: to,
        mode,
        value: this.values.get(from.key),
      };
      if (!physical) {
        this.putLater(event, /** @type {number} */ (after));
        continue;
      }
      const at = nowAt(this.shape.clock, this.t) + (after ?? 0);
      this.putLater(event, Math.max(at - this.t, 0));
    }
    if (this.leaving.length > 0) this.changed();
    for (const inst of this.leaving) {
      const inside = this.tree(inst);
      for (const inner of inside) inner.isGone = true;
      this.extra = this.extra.filter(other => !inside.includes(other));
      const lost = this.extraLinks.filter(({ child }) => child === inst);
      this.extraLinks = this.extraLinks.filter(link => !lost.includes(link));
      const isLost = (/** @type {Event} */ { inst: owner, place }) =>
        inside.includes(owner) || (place !== null && inside.includes(place.inst));
      this.forget([...this.events, ...this.suspended].filter(isLost));
    }
    this.leaving = [];
    if (this.tree().some(inst => inst.transition !== null)) {
      this.enterModes();
      this.wantsNext = true;
    }
  }

  // A reaction

  /** @param {Act} act */
  react({ inst, shape, at, dog }) {
    const { path } = inst;
    if (shape === null) {
      this.note(inst, `dog ${dog}`);
      return;
    }
    const { deadline } = shape;
    if (
      deadline !== null &&
      (deadline === 0 || nowAt(this.shape.clock, this.t) - this.t > deadline)
    ) {
      this.note(inst, `r${at} late`);
      return;
    }
    let value = mix(inst.value, at);
    for (const ref of [...shape.reads, ...shape.looks]) {
      const isWide = ref.kind !== 'res' && ref.channel < 0;
      for (const port of this.ports(inst, ref)) {
        const width = this.widthOf(inst, ref);
        port.forEach(({ key }, i) => {
          if (!this.values.has(key)) return;
          const v = this.values.get(key);
          value = mix(value, isWide && width > 1 ? mix(v, i) : v);
        });
      }
    }
    const read = (/** @type {string} */ kind, /** @type {number | string} */ k) =>
      this.present.has(`${path} ${kind} ${k}`);
    for (const i of shape.timers) if (read('timer', i)) value = mix(value, 17 + i);
    for (const i of shape.actions)
      if (read('action', i)) value = mix(value, this.present.get(`${path} action ${i}`));
    shape.builtIns.forEach((kind, i) => {
      if (read(kind, String(shape.mode))) value = mix(value, 31 + i);
    });
    for (const i of shape.dogs) if (read('dog', i)) value = mix(value, 53 + i);
    value = mix(value, inst.cells[shape.cell + 1]);
    inst.cells[shape.cell + 1] = value % 1000;
    inst.value = value;
    this.note(inst, `r${at} ${value}`);
    /** @type {number | null} */
    let spawned = null;
    for (const { modulus, rest, do: what, at: k, delay, microstep, ref } of shape.ops) {
      if (value % modulus !== rest) continue;
      if (what === 'set') this.set(inst, /** @type {Ref} */ (ref), value);
      else if (what === 'schedule') this.schedule(inst, k, delay, value % 997);
      else if (what === 'scheduleAt') {
        const m = delay === 0 ? this.m + 1 + microstep : microstep;
        this.scheduleAt(inst, k, this.t, this.t + delay, m, value % 991);
      } else if (what === 'start' || what === 'stop')
        this.watch(inst, k, what === 'start' ? delay : -1);
      else if (what === 'reset' || what === 'history')
        inst.transition = { mode: k, isReset: what === 'reset' };
      else if (what === 'spawn') spawned = answerOf(value);
      else this.change(inst, what);
    }
    if (spawned !== null) this.write(`${path} res`, spawned);
  }

  /** @param {Inst} inst @param {string} text */
  note({ path }, text) {
    this.trace[path] ??= [];
    this.trace[path].push(`${this.t}.${this.m} ${path} ${text}`);
  }

  /** @param {Inst} inst @param {Ref} ref */
  widthOf(inst, ref) {
    if (ref.kind === 'res' || ref.channel >= 0) return 1;
    return this.ports(inst, ref)[0]?.length ?? 0;
  }

  /** @param {Inst} inst @param {Ref} ref @param {number} value */
  set(inst, ref, value) {
    const width = this.widthOf(inst, ref);
    for (const port of this.ports(inst, ref)) {
      port.forEach(({ key }, i) => {
        if (width === 1) this.write(key, value);
        else if ((value >>> i) % 2 === 0) this.write(key, value + i);
      });
    }
  }

  /** @param {Inst} inst @param {number} at @param {number} delay @param {any} value */
  schedule(inst, at, delay, value) {
    const { physical, minDelay } = inst.shape.actions[at];
    const from = physical ? Math.max(nowAt(this.shape.clock, this.t), this.t) : this.t;
    const t = from + minDelay + delay;
    this.scheduleAt(inst, at, from, t, t === this.t ? this.m + 1 : 0, value);
  }

  /** @param {Inst} inst @param {number} at @param {number} from @param {number} t @param {number} m @param {any} value */
  scheduleAt(inst, at, from, t, m, value) {
    const { minSpacing, policy, mode } = inst.shape.actions[at];
    const put = (/** @type {number} */ when, /** @type {number} */ step) => {
      const event = this.put({
        kind: 'action',
        inst,
        at,
        place: null,
        mode,
        value,
        t: when,
        m: step,
      });
      // By the clock or by the tag, what waits with its mode waits as long as it was delayed.
      if (this.suspended.includes(event)) event.wait = when - from;
      return event;
    };
    if (minSpacing === null) {
      put(t, m);
      return;
    }
    const last = inst.last.get(at) ?? { t: -Infinity, m: 0, before: -Infinity, event: null };
    inst.last.set(at, last);
    let [when, step] = [t, m];
    if (t < last.t + minSpacing || t < last.t || (t === last.t && m <= last.m)) {
      if (policy === 'drop') return;
      const isPending = last.event !== null && this.isPending(last.event);
      if (isPending && policy === 'replace') {
        /** @type {Event} */ (last.event).value = value;
        return;
      }
      if (isPending && policy === 'update') {
        this.forget([/** @type {Event} */ (last.event)]);
        const earliest = last.before + minSpacing;
        if (when < earliest) [when, step] = [earliest, 0];
        if (when === last.before) step = Math.max(step, this.m + 1);
        last.t = last.before;
      } else {
        when = last.t + minSpacing;
        step = when === last.t ? last.m + 1 : 0;
      }
    }
    last.before = last.t;
    last.t = when;
    last.m = step;
    last.event = put(when, step);
  }

  /** @param {Inst} inst @param {number} at @param {number} extra  -1 to stop */
  watch(inst, at, extra) {
    const { timeout, mode } = inst.shape.dogs[at];
    const event = inst.dogs.get(at);
    if (event !== undefined && this.isPending(event) && nowAt(this.shape.clock, this.t) <= event.t)
      this.forget([event]);
    inst.dogs.delete(at);
    if (extra < 0 || !this.isActive(inst, mode)) return;
    const dog = { kind: 'dog', inst, at, place: null, mode, value: undefined };
    inst.dogs.set(at, this.putLater(dog, timeout + extra));
  }

  /** @param {Inst} inst @param {string} what */
  change(inst, what) {
    const [slot] = inst.shape.slots;
    const plug = () => {
      const made = /** @type {Made} */ (inst.made);
      const common = { after: null, physical: false, owner: inst, mode: null, child: made.inst };
      const [inner] = this.channels(inst, [{ kind: 'din', child: 0, port: 0, channel: -1 }]);
      const [source] = this.channels(inst, [slot.in]);
      this.connect({ ...common, from: source, to: inner });
      if (slot.out !== null) {
        const [out] = this.channels(inst, [{ kind: 'dout', child: 0, port: 0, channel: -1 }]);
        this.connect({ ...common, from: out, to: this.channels(inst, [slot.out])[0] });
      }
      made.isPlugged = true;
    };
    const unplug = () => {
      const made = /** @type {Made} */ (inst.made);
      const gone = this.extraLinks.filter(({ child }) => child === made.inst);
      for (const { to } of gone) this.cut(to.key);
      this.extraLinks = this.extraLinks.filter(({ child }) => child !== made.inst);
      this.changed();
      made.isPlugged = false;
    };
    const make = () => {
      inst.births += 1;
      const inner = this.make(slot.shape, `${inst.path}.d${inst.births}`, inst, null);
      this.extra.push(inner);
      this.changed();
      inst.made = { inst: inner, isPlugged: false, isDoomed: false };
      if (this.isActive(inst, null)) this.activate(inner, false, true);
      if (this.isLast || this.leaving.some(gone => this.tree(gone).includes(inner)))
        this.shutDown(inner);
      plug();
    };
    const isEnding = inst.doomedAt?.t === this.t && this.m <= inst.doomedAt.m + 1;
    if (what === 'make' && inst.made === null && !isEnding) make();
    const { made } = inst;
    if (made === null) return;
    if (what === 'unplug' && made.isPlugged) unplug();
    if (what === 'plug' && !made.isPlugged) plug();
    if (what === 'kill' || what === 'swap') {
      if (made.isPlugged) unplug();
      this.leaving.push(made.inst);
      this.shutDown(made.inst);
      inst.made = null;
      if (what === 'swap') make();
    }
    if (what === 'killLater') {
      this.doomed.push(made.inst);
      inst.made = null;
      inst.doomedAt = { t: this.t, m: this.m };
    }
  }

  /** @param {Link & { child: Inst }} link */
  connect(link) {
    this.extraLinks.push(link);
    this.changed();
    this.order();
    if (this.values.has(link.from.key)) this.write(link.to.key, this.values.get(link.from.key));
  }

  /** Removes a value that came by a connection that is now removed. @param {string} key */
  cut(key) {
    if (!this.values.delete(key)) return;
    for (const { from, to, after, physical } of this.links())
      if (from.key === key && after === null && !physical) this.cut(to.key);
  }
}

/** @param {Act} a @param {Act} b  of one instance, in this order */
const areApart = (a, b) => {
  const [ma, mb] = [a, b].map(({ inst, shape, dog }) =>
    shape === null ? inst.shape.dogs[dog].mode : shape.mode,
  );
  if (ma === null || mb === null || ma === mb) return false;
  return ![a, b].some(({ shape }) => shape?.builtIns.includes('shutdown'));
};

/** @param {Act} a @param {Act} b */
const isSame = (a, b) => a.inst === b.inst && a.at === b.at && a.dog === b.dog;

/** @param {Event} a @param {Event} b */
const byTag = (a, b) => a.t - b.t || a.m - b.m || a.seq - b.seq;

/** @param {Event} a @param {Event} b */
const bySeq = (a, b) => a.seq - b.seq;

/** @param {Act[]} acts @param {Map<Act, Set<Act>>} after @returns {Act[]} */
const sorted = (acts, after) => {
  /** @type {Act[]} */
  const list = [];
  /** @type {Map<Act, boolean>} */
  const seen = new Map();
  const visit = (/** @type {Act} */ act) => {
    if (seen.has(act)) {
      if (!seen.get(act)) throw new Refused('zero-delay cycle');
      return;
    }
    seen.set(act, false);
    for (const next of /** @type {Set<Act>} */ (after.get(act))) visit(next);
    seen.set(act, true);
    list.unshift(act);
  };
  for (const act of acts) visit(act);
  return list;
};
