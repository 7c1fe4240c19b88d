// Random programs that mutations change again and again, one change or several at each tag.

import fc from 'fast-check';
import { Reactor } from '../index.js';
import { hasCycle } from './wrong-levels.js';

const channels = 2;

/** @typedef {{ reads: number[], writes: number[] }} ReactionShape */
/** @typedef {{ reactions: ReactionShape[], inner: { in: number, out: number, mode: number } | null }} CellShape */
/** @typedef {{ kind: 'make' | 'connect' | 'disconnect' | 'delete', cell: CellShape, from: number, out: number, to: number, in: number, after: boolean, mode: number }} Change */

const arbChannel = fc.nat(channels - 1);
const arbReactions = fc.array(
  fc.record({
    reads: fc.uniqueArray(arbChannel, { maxLength: 2 }),
    writes: fc.uniqueArray(arbChannel, { maxLength: 1 }),
  }),
  { maxLength: 3 },
);
/** 0 and 1 are modes, 2 is none. */
const arbMode = fc.nat(2);
/** @type {fc.Arbitrary<CellShape>} */
export const arbCell = fc.record({
  reactions: arbReactions,
  inner: fc.option(fc.record({ in: arbChannel, out: arbChannel, mode: arbMode })),
});
/** @type {fc.Arbitrary<Change>} */
export const arbChange = fc.record({
  kind: fc.constantFrom('make', 'connect', 'connect', 'connect', 'disconnect', 'delete'),
  cell: arbCell,
  from: fc.nat(7),
  out: arbChannel,
  to: fc.nat(7),
  in: arbChannel,
  after: fc.integer({ min: 0, max: 5 }).map(n => n === 0),
  mode: arbMode,
});

/** Notes at each tag what its reactions read, and writes what follows from all that it ever read. */
class Cell extends Reactor {
  tick = this.timer(1, 3);
  /** @type {string[]} */
  lines = [];
  count = 1;
  in = this.inputs(channels);
  out = this.outputs(channels);
  modes = [this.mode({ initial: true }), this.mode()];
  /** @param {any} container @param {CellShape} shape */
  constructor(container, { reactions, inner }) {
    super(container);
    if (inner !== null) {
      const { mode } = inner;
      this.inner = new Cell(this, { reactions: [{ reads: [0], writes: [0] }], inner: null });
      const where = mode < 2 ? { mode: this.modes[mode] } : {};
      this.connect(this.in.channel(inner.in), this.inner.in.channel(0), where);
      this.connect(this.inner.out.channel(0), this.out.channel(inner.out), where);
    }
    reactions.forEach(({ reads, writes }, at) => {
      const ins = reads.map(i => this.in.channel(i));
      const outs = writes
        .filter(i => inner === null || i !== inner.out)
        .map(i => this.out.channel(i));
      const triggers = at === 0 ? [this.tick, ...ins] : ins;
      this.reaction({ triggers, effects: outs }, () => {
        const { timeNs, microstep } = this.util.getCurrentTag();
        const values = ins.map(channel => channel.get() ?? '-');
        this.lines.push(`${timeNs}.${microstep} ${at} ${values.join(' ')}`);
        const sum = values.reduce(
          (/** @type {number} */ all, value) => all + (Number(value) || 7),
          at,
        );
        this.count = (this.count * 31 + sum) % 9973;
        for (const out of outs) out.set(this.count);
      });
    });
  }
}

export class Growing extends Reactor {
  tick = this.timer(1, 1);
  modes = [this.mode({ initial: true }), this.mode()];
  /** @type {Cell[]} */
  cells;
  refused = 0;
  cycles = 0;
  /** Whether some cycles are left for a while, so that reactions on them run in no order. */
  keepsCycles = false;
  /** @type {Cell[]} */
  all;
  /** @param {CellShape[]} cells @param {Change[]} changes @param {number} [perTag]  changes at each tag */
  constructor(cells, changes, perTag = 1) {
    super(null);
    this.cells = cells.map(cell => new Cell(this, cell));
    this.all = [...this.cells];
    const list = [...changes];
    this.mutation({ triggers: this.tick }, () => {
      for (const change of list.splice(0, perTag)) this.#change(change);
    });
  }

  /** @param {Change} change */
  #change({ kind, cell, from, out, to, in: input, after, mode }) {
    const { cells } = this;
    if (kind === 'make' || cells.length === 0) {
      const made = new Cell(this, cell);
      cells.push(made);
      this.all.push(made);
      return;
    }
    const source = cells[from % cells.length];
    const target = cells[to % cells.length];
    const ends = /** @type {const} */ ([source.out.channel(out), target.in.channel(input)]);
    const options = { ...(after && { after: 1 }), ...(mode < 2 && { mode: this.modes[mode] }) };
    try {
      if (kind === 'connect') this.connect(...ends, /** @type {any} */ (options));
      else if (kind === 'disconnect') this.disconnect(ends[0]);
      else if (cells.length > 2) this.delete(cells.splice(to % cells.length, 1)[0]);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (/zero-delay cycle: /.test(message)) {
        this.cycles += hasCycle(this.node) ? 1 : -1000;
        // Every other cycle is taken apart by the next change at the earliest.
        if (kind === 'connect' && (this.cycles % 2 === 0 || !this.keepsCycles))
          this.disconnect(...ends);
        return;
      }
      if (!/has two sources|is not connected|cycle of connections/.test(message)) throw error;
      this.refused += 1;
    }
  }
}
