// Reactors of a wild shape. It is a vat's module, too.

import { Part, program, reactorBuilder } from '../program.js';
import { Reactor, interleaved } from 'swingset-runner/reactor';

/** @import { ConnectionShape, ReactionShape, ReactorShape, Ref, Shape } from './shape.js' */

/** @type {(left: number, right: number) => number} */
export const mix = (left, right) => (Math.imul(left ^ right, 0x9e3779b1) ^ (left >>> 15)) >>> 0;

/** The value that a transient child answers. @param {number} value */
export const answerOf = value => mix(value, 99);

class Answer extends Reactor {
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(answerOf(/** @type {number} */ (this.in.get()))),
  );
}

// eslint-disable-next-line house/max-class-lines -- one reactor that has whatever a shape may ask for
class Wild extends Part {
  value = 1;
  /** @type {any[]} what mutations have made, by place */
  made = [];
  births = 0;
  /** @type {{ timeNs: number, microstep: number } | undefined} */
  doomedAt = undefined;

  /** @param {any} container @param {{ shape: ReactorShape, id: string, isBank?: boolean }} params @param {any} powers */
  constructor(container, params, powers) {
    super(container, params, powers);
    const { shape } = params;
    this.shape = shape;
    this.id = params.isBank ? `${params.id}_${this.getBankIndex()}` : params.id;
    const self = /** @type {any} */ (this);
    shape.ins.forEach((w, i) => (self[`in${i}`] = w === 1 ? this.input() : this.inputs(w)));
    shape.outs.forEach((w, i) => (self[`out${i}`] = w === 1 ? this.output() : this.outputs(w)));
    this.modes = Array.from({ length: shape.modes }, (_, i) => this.mode({ initial: i === 0 }));
    const modeAt = (/** @type {number | null} */ i) => (i === null ? undefined : this.modes[i]);
    this.ticks = shape.timers.map(({ offset, period, mode }) =>
      this.timer(offset, period, modeAt(mode)),
    );
    this.acts = shape.actions.map(({ physical, minDelay, minSpacing, policy, mode }) =>
      (physical ? this.physicalAction : this.action).call(this, {
        minDelay,
        minSpacing: minSpacing ?? undefined,
        policy: /** @type {any} */ (policy ?? undefined),
        mode: modeAt(mode),
      }),
    );
    this.cells = [this.state(1), ...this.modes.map(mode => this.state(1, mode))];
    /** @type {any[]} reactors, and banks and lists of them */
    this.kids = shape.children.map(({ shape: inner, width, mode }, k) => {
      const where = modeAt(mode) ?? this;
      const id = `${this.id}.c${k}`;
      if (width === null) return new Wild(where, { shape: inner, id }, powers);
      if (mode === null) return this.bank(width, Wild, { shape: inner, id, isBank: true }, powers);
      return Array.from(
        { length: width },
        (_, i) => new Wild(where, { shape: inner, id: `${id}_${i}` }, powers),
      );
    });
    if (shape.transient) this.child = this.transient(Answer, ['out']);
    this.dogs = shape.dogs.map(({ timeout, mode }, i) =>
      this.watchdog(timeout, { mode: modeAt(mode) }, () => this.note(this.id, 'dog', i)),
    );
    this.wires = shape.connections.map(connection => this.#connect(connection));
    this.reactions = shape.reactions.map((reaction, i) => this.#react(reaction, i));
  }

  /** @param {Ref} ref @returns {any[]} */
  portsAt({ kind, child, port, channel }) {
    const own = /** @type {any} */ (this);
    if (kind === 'res') return [own.child.out];
    if (kind === 'din' || kind === 'dout') return [this.made[child][`${kind.slice(1)}0`]];
    if (kind === 'in' || kind === 'out') {
      const it = own[`${kind}${port}`];
      return [channel < 0 ? it : it.channel(channel)];
    }
    const kid = this.kids[child];
    const name = `${kind.slice(1)}${port}`;
    if (kid instanceof Wild) return [/** @type {any} */ (kid)[name]];
    return Array.isArray(kid) ? kid.map(one => /** @type {any} */ (one)[name]) : kid.port(name);
  }

  /** @param {ConnectionShape} connection */
  #connect({ from, to, after, physical, repeat, inTurn, mode }) {
    const sources = from.flatMap(ref => this.portsAt(ref));
    this.connect(
      inTurn ? interleaved(sources) : sources,
      to.flatMap(ref => this.portsAt(ref)),
      {
        ...(after !== null && { after }),
        physical,
        repeat,
        ...(mode !== null && { mode: this.modes[mode] }),
      },
    );
  }

  /** @param {ReactionShape} reaction @param {number} place */
  #react(reaction, place) {
    const { isMutation, mode, reads, looks, writes, timers, actions, dogs, deadline } = reaction;
    const uses = (/** @type {string} */ what) => reaction.ops.filter(op => op.do === what);
    const spawns = uses('spawn').length > 0;
    const options = {
      ...(mode !== null && { mode: this.modes[mode] }),
      triggers: [
        reads.map(ref => this.portsAt(ref)),
        timers.map(i => this.ticks[i]),
        actions.map(i => this.acts[i]),
        reaction.builtIns.map(name => /** @type {any} */ (this)[name]),
        dogs.map(i => this.dogs[i]),
      ],
      sources: looks.map(ref => this.portsAt(ref)),
      effects: [
        writes.map(ref => this.portsAt(ref)),
        [...uses('schedule'), ...uses('scheduleAt')].map(({ at }) => this.acts[at]),
        [...uses('start'), ...uses('stop')].map(({ at }) => this.dogs[at]),
        uses('reset').map(({ at }) => this.modes[at].reset),
        uses('history').map(({ at }) => this.modes[at].history),
        spawns ? this.child : [],
      ],
      ...(deadline !== null && {
        deadline,
        late: () => this.note(this.id, `r${place}`, 'late'),
      }),
    };
    const body = () => this.#run(reaction, place);
    return isMutation ? this.mutation(options, body) : this.reaction(options, body);
  }

  /** @param {ReactionShape} reaction @param {number} place */
  #run({ reads, looks, timers, actions, builtIns, dogs, cell, ops }, place) {
    let value = mix(this.value, place);
    for (const ref of [...reads, ...looks]) {
      for (const port of this.portsAt(ref)) {
        if (typeof port.values === 'function') {
          port.forEachPresent((/** @type {number} */ v, /** @type {number} */ i) => {
            value = mix(value, mix(v, i));
          });
        } else if (port.isPresent()) value = mix(value, port.get());
      }
    }
    for (const i of timers) if (this.ticks[i].isPresent()) value = mix(value, 17 + i);
    for (const i of actions) {
      if (this.acts[i].isPresent()) value = mix(value, /** @type {number} */ (this.acts[i].get()));
    }
    builtIns.forEach((name, i) => {
      if (/** @type {any} */ (this)[name].isPresent()) value = mix(value, 31 + i);
    });
    for (const i of dogs) if (this.dogs[i].isPresent()) value = mix(value, 53 + i);
    const state = this.cells[cell + 1];
    value = mix(value, state.get());
    state.set(value % 1000);
    this.value = value;
    this.note(this.id, `r${place}`, value);
    for (const { modulus, rest, do: what, at, delay, microstep, ref } of ops) {
      if (value % modulus !== rest) continue;
      if (what === 'set') this.#set(/** @type {Ref} */ (ref), value);
      else if (what === 'schedule') this.acts[at].schedule(delay, value % 997);
      else if (what === 'scheduleAt') this.#scheduleAt(at, delay, microstep, value % 991);
      else if (what === 'start') this.dogs[at].start(delay);
      else if (what === 'stop') this.dogs[at].stop();
      else if (what === 'reset') this.modes[at].reset.set();
      else if (what === 'history') this.modes[at].history.set();
      else if (what === 'spawn') {
        /** @type {any} */ (this.child).spawn(value);
      } else this.#change(what);
    }
  }

  /** @param {Ref} ref @param {number} value */
  #set(ref, value) {
    for (const port of this.portsAt(ref)) {
      if (typeof port.values !== 'function') port.set(value);
      else
        for (let i = 0; i < port.width; i += 1) if ((value >>> i) % 2 === 0) port.set(i, value + i);
    }
  }

  /** @param {number} at @param {number} delay @param {number} microstep @param {number} value */
  #scheduleAt(at, delay, microstep, value) {
    const now = this.util.getCurrentTag();
    const step = delay === 0 ? now.microstep + 1 + microstep : microstep;
    this.acts[at].scheduleAt({ timeNs: now.timeNs + delay, microstep: step }, value);
  }

  /** @param {string} what */
  #change(what) {
    const [slot] = this.shape.slots;
    let [made] = this.made;
    const plug = () => {
      this.connect(this.portsAt(slot.in), made.in0);
      if (slot.out !== null) this.connect(made.out0, this.portsAt(slot.out));
      made.isPlugged = true;
    };
    const unplug = () => {
      this.disconnect(this.portsAt(slot.in)[0], made.in0);
      if (slot.out !== null) this.disconnect(made.out0);
      made.isPlugged = false;
    };
    const make = () => {
      this.births += 1;
      const id = `${this.id}.d${this.births}`;
      made = new Wild(this, { shape: slot.shape, id }, this.powers);
      this.made[0] = made;
      plug();
    };
    if (what === 'make' && made === undefined && !this.#isEnding()) make();
    if (made === undefined) return;
    if (what === 'unplug' && made.isPlugged) unplug();
    if (what === 'plug' && !made.isPlugged) plug();
    if (what === 'kill' || what === 'swap') {
      if (made.isPlugged) unplug();
      this.delete(made);
      this.made[0] = undefined;
      made = undefined;
      if (what === 'swap') make();
    }
    if (what === 'killLater' && !made.isDoomed) {
      made.isDoomed = true;
      this.delete(made);
      this.made[0] = undefined;
      this.doomedAt = this.util.getCurrentTag();
    }
  }

  /** A deleted reactor stays, with its connections, until the next microstep is over. */
  #isEnding() {
    const { timeNs, microstep } = this.util.getCurrentTag();
    const { doomedAt } = this;
    return doomedAt?.timeNs === timeNs && microstep <= doomedAt.microstep + 1;
  }
}

/** @param {Shape} shape */
export const wildProgram = shape => {
  const names = (/** @type {Ref[]} */ refs) =>
    refs.map(({ kind, child, port }) => `p${child}.${kind.slice(1)}${port}`);
  return program({
    name: 'Wild',
    rule: 'whatever the shape, split or not, as the naive interpreter says',
    parts: Object.fromEntries(
      shape.parts.map((part, i) => [`p${i}`, [Wild, { shape: part, id: `p${i}` }]]),
    ),
    connections: shape.wires.map(({ from, to, after, physical }) => ({
      from: names(from),
      to: names(to),
      ...(after !== null && { after }),
      ...(physical && { physical }),
    })),
    options: { timeout: shape.timeout, keepalive: true, maxMicrosteps: 60, clock: shape.clock },
    parameters: { shape },
  });
};

/** @param {unknown} vatPowers @param {any} parameters */
export const buildReactor = (vatPowers, parameters) =>
  reactorBuilder(wildProgram(parameters.shape))(vatPowers, parameters);
