// Programs that mutations change again and again: after each change every reaction has the level that a numbering of
// the whole program gives it, also behind connections of modes, and a cycle is refused if and only if there is one.

import test from 'ava';
import fc from 'fast-check';
import { Program, Reactor, runFast } from '../index.js';
import { hasCycle, wrongLevels } from './wrong-levels.js';

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
const arbCell = fc.record({
  reactions: arbReactions,
  inner: fc.option(fc.record({ in: arbChannel, out: arbChannel, mode: arbMode })),
});
/** @type {fc.Arbitrary<Change>} */
const arbChange = fc.record({
  kind: fc.constantFrom('make', 'connect', 'connect', 'connect', 'disconnect', 'delete'),
  cell: arbCell,
  from: fc.nat(7),
  out: arbChannel,
  to: fc.nat(7),
  in: arbChannel,
  after: fc.integer({ min: 0, max: 5 }).map(n => n === 0),
  mode: arbMode,
});

class Cell extends Reactor {
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
    for (const { reads, writes } of reactions) {
      this.reaction(
        {
          triggers: reads.map(i => this.in.channel(i)),
          effects: writes
            .filter(i => inner === null || i !== inner.out)
            .map(i => this.out.channel(i)),
        },
        () => {},
      );
    }
  }
}

class Main extends Reactor {
  tick = this.timer(1, 1);
  modes = [this.mode({ initial: true }), this.mode()];
  /** @type {Cell[]} */
  cells;
  refused = 0;
  cycles = 0;
  /** @param {CellShape[]} cells @param {Change[]} changes */
  constructor(cells, changes) {
    super(null);
    this.cells = cells.map(cell => new Cell(this, cell));
    const list = [...changes];
    this.mutation({ triggers: this.tick }, () => {
      const change = list.shift();
      if (change !== undefined) this.#change(change);
    });
  }

  /** @param {Change} change */
  #change({ kind, cell, from, out, to, in: input, after, mode }) {
    const { cells } = this;
    if (kind === 'make' || cells.length === 0) {
      cells.push(new Cell(this, cell));
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
        if (this.cycles % 2 === 0) this.disconnect(...ends);
        return;
      }
      if (!/has two sources|is not connected|cycle of connections/.test(message)) throw error;
      this.refused += 1;
    }
  }
}

test('after every change each reaction has its level, and a cycle is refused', t => {
  let cycles = 0;
  let changes = 0;
  fc.assert(
    fc.property(
      fc.array(arbCell, { minLength: 2, maxLength: 5 }),
      fc.array(arbChange, { minLength: 1, maxLength: 25 }),
      (cells, list) => {
        const main = new Main(cells, list);
        const program = new Program(main, { fast: true, timeout: list.length + 1 });
        program.scheduler.onLevels = () => {
          changes += 1;
          t.deepEqual(wrongLevels(main.node), []);
        };
        try {
          while (program.step()) if (!hasCycle(main.node)) t.deepEqual(wrongLevels(main.node), []);
        } catch (error) {
          // A change that leaves a cycle where it is is refused, too.
          if (!/zero-delay cycle: /.test(/** @type {Error} */ (error).message)) throw error;
          t.true(hasCycle(main.node));
        }
        cycles += main.cycles;
      },
    ),
    { numRuns: 400, seed: 1 },
  );
  t.true(cycles > 20 && changes > 1000, 'both kinds were tried');
});

test('a reaction behind a connection of a mode runs after a source that a mutation connects', t => {
  class Pass extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
  }
  class Modal extends Reactor {
    in = this.input();
    on = this.mode({ initial: true });
    inner = new (class extends Reactor {
      in = this.input();
      tick = this.timer(2);
      /** @type {unknown[]} */
      seen = [];
      r = this.reaction(
        { triggers: this.tick, sources: this.in },
        () => void this.seen.push(this.in.get()),
      );
    })(this);
    wire = this.connect(this.in, this.inner.in, { mode: this.on });
  }
  class Growing extends Reactor {
    start = this.timer(1);
    tick = this.timer(2);
    modal = new Modal(this);
    first = new Pass(this);
    last = new Pass(this);
    wire = this.connect(this.first.out, this.last.in);
    m = this.mutation({ triggers: this.start }, () => this.connect(this.last.out, this.modal.in));
    r = this.reaction({ triggers: this.tick, effects: this.first.in }, () => this.first.in.set(7));
  }
  const main = new Growing();
  runFast(main);
  t.deepEqual(main.modal.inner.seen, [7]);
});
