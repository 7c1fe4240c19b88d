// Random programs: nodes with several reactions each, which mix what they read into a number, and send and schedule as
// that number says. Values may pass through a node more than once at a tag. It is a vat's module, too.

import { Part, program, reactorBuilder } from './program.js';

/** @import { Action, InPort } from 'swingset-runner/reactor' */

/**
 * `reads` and `writes` are channels.
 *
 * @typedef {{ reads: number[], looks: number[], writes: number[], ticks: boolean, acts: boolean, delays: number[] }} ReactionShape
 */
/** @typedef {{ offset: number, period: number, mutates?: boolean, reactions: ReactionShape[] }} NodeShape */
/** @typedef {{ from: number, out: number, to: number, in: number, after: number | null }} WireShape */
/** @typedef {{ nodes: NodeShape[], wires: WireShape[] }} Shape */

export const inputs = 3;
export const outputs = 2;

/** @type {(left: number, right: number) => number} */
const mix = (left, right) => (Math.imul(left ^ right, 0x9e3779b1) ^ (left >>> 15)) >>> 0;

/** A mutation makes and deletes it; its timer and actions change when its vat is next to run. */
class Child extends Part {
  /** @type {InPort<any>} */
  in = this.input();
  tick = this.timer(1, 3);
  /** @type {Action<any>} */
  act = this.action();
  value = this.params.value;
  r = this.reaction({ triggers: [this.in, this.tick, this.act], effects: this.act }, () => {
    const { in: input, act } = this;
    if (input.isPresent()) this.value = mix(this.value, input.get());
    if (act.isPresent()) this.value = mix(this.value, act.get());
    this.note('child', this.value);
    if (this.value % 3 === 0) act.schedule(this.value % 5, this.value);
  });
}

class Node extends Part {
  tick = this.timer(this.params.offset, this.params.period);
  /** @type {Action<any>} */
  act = this.action();
  value = 1;
  ins = Array.from({ length: inputs }, (_, i) => this.#port(`in${i}`, this.input()));
  outs = Array.from({ length: outputs }, (_, i) => this.#port(`out${i}`, this.output()));
  reactions = this.params.reactions.map(
    (/** @type {ReactionShape} */ shape, /** @type {number} */ i) => this.#react(shape, i),
  );

  /** @type {Child | undefined} */
  child;

  m = this.params.mutates
    ? this.mutation({ triggers: this.tick }, () => {
        const isWanted = this.value % 3 !== 0;
        if (this.child !== undefined && !isWanted) {
          this.delete(this.child);
          this.child = undefined;
        } else if (this.child === undefined && isWanted) {
          this.child = new Child(this, { value: this.value });
          this.connect(this.ins[0], this.child.in);
        }
      })
    : undefined;

  /** @param {string} name @param {any} port */
  #port(name, port) {
    /** @type {any} */ (this)[name] = port;
    return port;
  }

  /** @param {ReactionShape} shape @param {number} place */
  #react({ reads, looks, writes, ticks, acts, delays }, place) {
    const { tick, act, ins, outs } = this;
    return this.reaction(
      {
        triggers: [reads.map(i => ins[i]), ticks ? tick : [], acts ? act : []],
        sources: looks.map(i => ins[i]),
        effects: [writes.map(i => outs[i]), act],
      },
      () => {
        for (const i of [...reads, ...looks]) {
          if (ins[i].isPresent()) this.value = mix(this.value, mix(ins[i].get(), i));
        }
        if (acts && act.isPresent()) this.value = mix(this.value, act.get());
        this.note(place, this.value);
        for (const i of writes) if (this.value % 5 !== i) outs[i].set(this.value + i);
        delays.forEach((delay, i) => {
          if (this.value % 4 === i) act.schedule(delay, this.value);
        });
      },
    );
  }
}

/**
 * @param {Shape} shape
 * @param {number} timeout
 */
export const randomProgram = (shape, timeout) =>
  program({
    name: 'Random',
    rule: 'whatever the shape, split or not',
    parts: Object.fromEntries(shape.nodes.map((node, i) => [`n${i}`, [Node, node]])),
    connections: shape.wires.map(({ from, out, to, in: input, after }) => ({
      from: [`n${from}.out${out}`],
      to: [`n${to}.in${input}`],
      ...(after !== null && { after }),
    })),
    options: { timeout, keepalive: true, maxMicrosteps: 200 },
    parameters: { shape, timeout },
  });

/** @param {unknown} vatPowers @param {any} parameters */
export const buildReactor = (vatPowers, parameters) =>
  reactorBuilder(randomProgram(parameters.shape, parameters.timeout))(vatPowers, parameters);
