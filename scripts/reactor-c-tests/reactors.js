// Random programs as reactors of this library.

import { Program, Reactor, interleaved } from 'swingset-runner/reactor';
import { timeoutNs } from './shape.js';

/** @import { NodeShape, ReactionShape, Shape } from './shape.js' */

/** @type {(left: number, right: number) => number} */
const mix = (left, right) => (Math.imul(left ^ right, 0x9e3779b1) ^ (left >>> 15)) >>> 0;

class Node extends Reactor {
  /**
   * @param {any} container
   * @param {NodeShape} shape
   * @param {string} name
   * @param {string[]} lines
   */
  constructor(container, shape, name, lines) {
    super(container);
    this.shape = shape;
    this.name = name;
    this.lines = lines;
    const { ins, outs, modes, timers, actions, reactions } = shape;
    this.index = Math.max(this.getBankIndex(), 0);
    this.s = 0;
    /** @type {any[]} */
    this.ins = ins.map(width => (width === 0 ? this.input() : this.inputs(width)));
    /** @type {any[]} */
    this.outs = outs.map(width => (width === 0 ? this.output() : this.outputs(width)));
    this.modes = Array.from({ length: modes }, (_, i) => this.mode({ initial: i === 0 }));
    const modeAt = (/** @type {number | null} */ i) => (i === null ? undefined : this.modes[i]);
    this.cells = this.modes.map(mode => this.state(1, mode));
    this.timers = timers.map(({ offset, period, mode }) =>
      this.timer(offset, period, modeAt(mode)),
    );
    this.actions = actions.map(({ minDelay, spacing, policy, mode }) =>
      this.action({
        minDelay,
        ...(spacing !== null && { minSpacing: spacing, policy: /** @type {any} */ (policy) }),
        ...(mode !== null && { mode: this.modes[mode] }),
      }),
    );
    this.reactions = reactions.map((reaction, at) => this.#react(reaction, at));
  }

  /** @param {ReactionShape} reaction @param {number} at */
  #react(reaction, at) {
    const { ins, outs, timers, actions, modes } = this;
    const { mode, enters, deadline } = reaction;
    return this.reaction(
      {
        triggers: [
          ...reaction.builtIns.map(kind => /** @type {any} */ (this)[kind]),
          ...reaction.reads.map(i => ins[i]),
          ...reaction.timers.map(i => timers[i]),
          ...reaction.actions.map(i => actions[i]),
        ],
        sources: reaction.looks.map(i => ins[i]),
        effects: [
          ...reaction.writes.map(i => outs[i]),
          ...reaction.schedules.map(i => actions[i]),
          ...(enters === null ? [] : [modes[enters.mode][enters.kind]]),
        ],
        ...(mode !== null && { mode: modes[mode] }),
        ...(deadline !== null && {
          deadline: deadline === 'always' ? 0 : '10 h',
          late: () => {
            this.s = mix(this.s || this.index + 1, at + 50);
            this.#note(`late${at}`, '', this.#cell(reaction));
          },
        }),
      },
      () => this.#run(reaction, at),
    );
  }

  /** @param {ReactionShape} reaction */
  #cell({ mode }) {
    return mode === null ? 0 : this.cells[mode].get();
  }

  /** @param {string} who @param {string} said @param {number} cell */
  #note(who, said, cell) {
    const { timeNs, microstep } = this.util.getCurrentTag();
    this.lines.push(
      `${this.name}.${this.index} ${who} ${timeNs}.${microstep}${said} ${this.s} ${cell}`,
    );
  }

  /** @param {ReactionShape} reaction @param {number} at */
  #run(reaction, at) {
    const { shape, ins, outs, actions, modes } = this;
    let s = this.s || this.index + 1;
    let said = '';
    for (const i of [...reaction.reads, ...reaction.looks]) {
      const isSingle = shape.ins[i] === 0;
      const channels = isSingle ? [ins[i]] : [...ins[i].channels()];
      channels.forEach((channel, k) => {
        if (!channel.isPresent()) return;
        const value = channel.get();
        s = mix(s, mix(value, i * 10 + k));
        said += ` in${i}${isSingle ? '' : `[${k}]`}=${value}`;
      });
    }
    for (const i of reaction.actions) {
      if (!actions[i].isPresent()) continue;
      s = mix(s, /** @type {number} */ (actions[i].get()));
      said += ` a${i}=${actions[i].get()}`;
    }
    s = mix(s, (at + this.#cell(reaction)) >>> 0);
    this.s = s;
    const { mode, enters } = reaction;
    if (mode !== null) this.cells[mode].set((this.cells[mode].get() + 1 + (s % 7)) >>> 0);
    this.#note(`r${at}`, said, this.#cell(reaction));
    for (const { modulus, rest, does, at: part, channel, delay } of reaction.deeds) {
      if (s % modulus !== rest) continue;
      if (does === 'set') {
        const out = shape.outs[part] === 0 ? outs[part] : outs[part].channel(channel);
        out.set((s + part) >>> 0);
      } else if (does === 'schedule') actions[part].schedule(delay, s % 1000);
      else if (does === 'stop') this.requestStop();
      else if (enters !== null) modes[enters.mode][enters.kind].set();
    }
  }
}

class Main extends Reactor {
  /** @param {Shape} shape @param {string[]} lines */
  constructor({ seed, nodes, wires }, lines) {
    super(null);
    this.nodes = nodes.map((node, i) => {
      const args = /** @type {const} */ ([node, `P${seed}n${i}`, lines]);
      return node.bank === 0 ? new Node(this, ...args) : this.bank(node.bank, Node, ...args);
    });
    const members = (/** @type {number} */ i) => {
      const node = /** @type {any} */ (this.nodes[i]);
      return /** @type {Node[]} */ (nodes[i].bank === 0 ? [node] : node.members);
    };
    for (const { from, out, to, in: input, after, repeat, inTurn } of wires) {
      const sources = members(from).map(({ outs }) => outs[out]);
      this.connect(
        inTurn ? interleaved(sources) : sources,
        members(to).map(({ ins }) => ins[input]),
        { ...(after !== null && { after }), repeat },
      );
    }
  }
}

/**
 * @param {Shape} shape
 * @returns {string[]} what its reactions noted
 */
export const runHere = shape => {
  /** @type {string[]} */
  const lines = [];
  const main = new Main(shape, lines);
  // There, programs without a request to stop share a process, which ends at the timeout.
  new Program(main, { fast: true, timeout: timeoutNs, keepalive: !shape.stops }).runFast();
  return lines;
};
