// Random programs as reactors of this library.

import { Bank, Program, Reactor, interleaved } from 'swingset-runner/reactor';
import { hasModes, isAlways, reasons } from './reasons.js';
import { mainPlace, timeoutNs } from './shape.js';

/** @import { ChildShape, ClassShape, ReactionShape, Shape, Source, WireShape } from './shape.js' */

/** @type {(left: number, right: number) => number} */
const mix = (left, right) => (Math.imul(left ^ right, 0x9e3779b1) ^ (left >>> 15)) >>> 0;

/** Physical time, far behind the timeout and far before the deadlines that are never missed. */
const nowNs = 1e9;

/** So many microsteps at one time, and a program is taken for one that never ends. */
const maxMicrosteps = 300;

/**
 * @typedef {{ seed: number, classes: ClassShape[], lines: string[], happened: import('./reasons.js').Happened }} World
 */

/** @typedef {{ of: number, w: number, q: number, d: number, around: number[] }} Given  `around` are the places of its containers */

// eslint-disable-next-line house/max-class-lines -- a reactor that makes all its parts from a shape, and does what each says
class Node extends Reactor {
  /**
   * @param {any} container
   * @param {World} world
   * @param {Given} given  its class and parameters
   */
  constructor(container, world, { of, w, q, d, around }) {
    super(container);
    const shape = world.classes[of];
    const { ins, outs, modes, timers, actions, children, wires, reactions } = shape;
    this.shape = shape;
    this.world = world;
    this.index = Math.max(this.getBankIndex(), 0);
    this.place = [w, this.index, ...around.slice(0, 6)];
    this.name = [`P${world.seed}c${of}`, ...this.place].join('.');
    this.q = q;
    this.d = d;
    this.s = this.state(0);
    /** @type {any[]} */
    this.ins = ins.map(width => (width === 0 ? this.input() : this.inputs(width)));
    /** @type {any[]} */
    this.outs = outs.map(width => (width === 0 ? this.output() : this.outputs(width)));
    this.modes = Array.from({ length: modes }, (_, i) => this.mode({ initial: i === 0 }));
    this.cells = this.modes.map(mode => this.state(1, mode));
    this.timers = timers.map(({ offset, period, mode }) =>
      this.timer(offset ?? d, period, this.#modeAt(mode)),
    );
    this.actions = actions.map(({ minDelay, spacing, policy, mode }) =>
      this.action({
        minDelay,
        ...(spacing !== null && { minSpacing: spacing, policy: /** @type {any} */ (policy) }),
        ...(mode !== null && { mode: this.modes[mode] }),
      }),
    );
    /** The members of each child. @type {Node[][]} */
    this.kids = children.map((child, i) => this.#make(child, i));
    for (const wire of wires) this.#connect(wire);
    /** Modes that have a connection which delivers in other modes, too, with reactor-c. */
    this.always = wires.filter(wire => isAlways(shape, wire)).map(wire => Number(wire.mode));
    if (this.always.some(mode => mode !== 0)) world.happened.set(reasons.always, 0);
    /** The time of the last event of each action. @type {number[]} */
    this.lastOf = [];
    this.reactions = reactions.map((reaction, at) => this.#react(reaction, at));
  }

  /** @param {number | null} i */
  #modeAt(i) {
    return i === null ? undefined : this.modes[i];
  }

  /** @param {ChildShape} child @param {number} w */
  #make({ of, bank, mode, q, d }, w) {
    /** @type {Given} */
    const given = { of, w, q: q ?? this.q, d: d ?? this.d, around: this.place };
    const where = this.#modeAt(mode) ?? this;
    if (bank === 0) return [new Node(where, this.world, given)];
    return new Bank(where, bank, Node, this.world, given).members;
  }

  /** @param {WireShape} wire */
  #connect({ sources, to, port, mode, after, isPhysical, repeat, inTurn }) {
    const from = sources.flatMap(({ child, port: out }) =>
      child < 0 ? [this.ins[out]] : this.kids[child].map(({ outs }) => outs[out]),
    );
    this.connect(
      inTurn ? interleaved(from) : from,
      to < 0 ? this.outs[port] : this.kids[to].map(({ ins }) => ins[port]),
      {
        ...(after !== null && { after: after === 'd' ? this.d : after }),
        ...{ physical: isPhysical, repeat, mode: this.#modeAt(mode) },
      },
    );
  }

  /** @param {ReactionShape} reaction @param {number} at */
  #react(reaction, at) {
    const { ins, outs, timers, actions, modes } = this;
    const { mode, enters, deadline, overhears } = reaction;
    const heard = (/** @type {boolean} */ isTrigger) =>
      overhears
        .filter(({ triggers }) => triggers === isTrigger)
        .map(({ child, out }) => this.kids[child][0].outs[out]);
    return this.reaction(
      {
        triggers: [
          ...reaction.builtIns.map(kind => /** @type {any} */ (this)[kind]),
          ...reaction.reads.map(i => ins[i]),
          ...heard(true),
          ...reaction.timers.map(i => timers[i]),
          ...reaction.actions.map(i => actions[i]),
        ],
        sources: [...reaction.looks.map(i => ins[i]), ...heard(false)],
        effects: [
          ...reaction.writes.map(i => outs[i]),
          ...reaction.schedules.map(i => actions[i]),
          ...(enters === null ? [] : [modes[enters.mode][enters.kind]]),
        ],
        ...(mode !== null && { mode: modes[mode] }),
        ...(deadline !== null && {
          deadline: deadline === 'always' ? 0 : '10 h',
          late: () => {
            this.s.set(mix(this.#seed(), at + 50));
            this.#note(`late${at}`, '', this.#cell(reaction));
          },
        }),
      },
      () => this.#run(reaction, at),
    );
  }

  #seed() {
    return this.s.get() || this.index + this.q + 1;
  }

  /** @param {ReactionShape} reaction */
  #cell({ mode }) {
    return mode === null ? 0 : this.cells[mode].get();
  }

  /** @param {string} who @param {string} said @param {number} cell */
  #note(who, said, cell) {
    const { timeNs, microstep } = this.util.getCurrentTag();
    const at = `${timeNs}.${microstep}`;
    this.world.lines.push(`${this.name} ${who} ${at}${said} ${this.s.get()} ${cell}`);
  }

  /** The values that a reaction reads, each with its number and name. @param {ReactionShape} reaction @returns {[any, number, string][]} */
  #readable({ reads, looks, overhears }) {
    return [
      ...[...reads, ...looks].flatMap(i =>
        this.shape.ins[i] === 0
          ? [/** @type {[any, number, string]} */ ([this.ins[i], i * 10, `in${i}`])]
          : [...this.ins[i].channels()].map(
              (channel, k) =>
                /** @type {[any, number, string]} */ ([channel, i * 10 + k, `in${i}[${k}]`]),
            ),
      ),
      ...overhears.map(
        ({ child, out }) =>
          /** @type {[any, number, string]} */ ([
            this.kids[child][0].outs[out],
            100 + child * 10 + out,
            `n${child}.out${out}`,
          ]),
      ),
    ];
  }

  /** @param {ReactionShape} reaction @param {number} at */
  #run(reaction, at) {
    const { shape, outs, actions, modes } = this;
    let s = this.#seed();
    let said = '';
    for (const [port, number, name] of this.#readable(reaction)) {
      if (!port.isPresent()) continue;
      s = mix(s, mix(port.get(), number));
      said += ` ${name}=${port.get()}`;
    }
    for (const i of reaction.actions) {
      if (!actions[i].isPresent()) continue;
      s = mix(s, /** @type {number} */ (actions[i].get()));
      said += ` a${i}=${actions[i].get()}`;
    }
    s = mix(s, (at + this.#cell(reaction)) >>> 0);
    this.s.set(s);
    const { mode, enters } = reaction;
    if (mode !== null) this.cells[mode].set((this.cells[mode].get() + 1 + (s % 7)) >>> 0);
    this.#note(`r${at}`, said, this.#cell(reaction));
    for (const { modulus, rest, does, at: part, channel, delay } of reaction.deeds) {
      if (s % modulus !== rest) continue;
      if (does === 'set') {
        const out = shape.outs[part] === 0 ? outs[part] : outs[part].channel(channel);
        out.set((s + part) >>> 0);
      } else if (does === 'schedule') {
        this.#noteSchedule(part, delay);
        actions[part].schedule(delay, s % 1000);
      } else if (does === 'stop') this.requestStop();
      else if (enters !== null) {
        this.#noteEntry(enters, mode);
        modes[enters.mode][enters.kind].set();
      }
    }
  }

  /** @param {string} reason */
  #happen(reason) {
    const { happened } = this.world;
    const { timeNs } = this.util.getCurrentTag();
    if (!happened.has(reason)) happened.set(reason, timeNs);
  }

  /** @param {number} i @param {number} delay */
  #noteSchedule(i, delay) {
    const { minDelay, spacing, policy } = this.shape.actions[i];
    if (spacing === null) return;
    const last = this.lastOf[i];
    const asked = this.util.getCurrentTag().timeNs + minDelay + delay;
    const isClose = last !== undefined && asked < last + spacing;
    if (isClose && policy === 'update') this.#happen(reasons.update);
    // At a spacing of 0 only two events of one time are too close.
    if (spacing === 0 && last !== undefined && asked <= last) this.#happen(reasons.noSpacing);
    this.lastOf[i] = isClose ? last + spacing : asked;
    if (this.lastOf[i] > timeoutNs) this.#happen(reasons.late);
  }

  /** @param {{ mode: number, kind: 'reset' | 'history' }} entry @param {number | null} from */
  #noteEntry({ mode, kind }, from) {
    const { actions, children } = this.shape;
    if (this.always.some(own => own !== mode)) this.#happen(reasons.always);
    if (kind === 'reset') {
      if (mode === from) this.#happen(reasons.ownReset);
      return;
    }
    if (actions.some(action => action.mode === mode)) this.#happen(reasons.together);
    if (children.some(child => child.mode === mode && hasModes(this.world.classes, child.of)))
      this.#happen(reasons.modal);
  }
}

/**
 * @param {Shape} shape
 * @returns {{ lines: string[], happened: import('./reasons.js').Happened } | undefined} what its reactions noted, and when the
 *   causes of differences first happened; undefined if it never ends
 */
export const runHere = ({ seed, stops, classes }) => {
  /** @type {World} */
  const world = { seed, classes, lines: [], happened: new Map() };
  const main = new Node(null, world, {
    of: classes.length - 1,
    ...{ w: mainPlace, q: 0, d: 1, around: [0, 0, 0, 0, 0, 0] },
  });
  const program = new Program(main, {
    ...{ fast: true, timeout: timeoutNs, keepalive: !stops, maxMicrosteps },
    clock: { nowNs: () => nowNs, sleep: () => ({ done: Promise.resolve(), wake: () => {} }) },
  });
  try {
    program.runFast();
  } catch (error) {
    if (/microsteps at/.test(/** @type {Error} */ (error).message)) return undefined;
    throw error;
  }
  return { lines: world.lines, happened: world.happened };
};
