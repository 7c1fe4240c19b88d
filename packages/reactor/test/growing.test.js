// Programs that mutations change again and again: after each change every reaction has the level that a numbering of
// the whole program gives it, also behind connections of modes, and a cycle is refused if and only if there is one.
//
// GROWING_RUNS=20000 runs so many programs, GROWING_SEED=N others.

import process from 'node:process';
import test from 'ava';
import fc from 'fast-check';
import { Program, Reactor, runFast } from '../index.js';
import { settleLevels } from '../late-levels.js';
import { arbCell, arbChange, Growing } from './growing-programs.js';
import { hasCycle, wrongDestinations, wrongLevels } from './wrong-levels.js';

const numRuns = Number(process.env.GROWING_RUNS ?? 400);
const seed = Number(process.env.GROWING_SEED ?? 1);

test('after every change each reaction has its level, and a cycle is refused', t => {
  let cycles = 0;
  let changes = 0;
  let looked = 0;
  fc.assert(
    fc.property(
      fc.array(arbCell, { minLength: 2, maxLength: 5 }),
      fc.array(arbChange, { minLength: 1, maxLength: 25 }),
      (cells, list) => {
        const main = new Growing(cells, list);
        main.keepsCycles = true;
        const program = new Program(main, { fast: true, timeout: list.length + 1 });
        program.scheduler.levelsAtOnce = true;
        program.scheduler.onLevels = () => {
          changes += 1;
          t.deepEqual(wrongLevels(main.node), []);
        };
        try {
          while (program.step()) {
            if (!hasCycle(main.node)) t.deepEqual(wrongLevels(main.node), []);
            t.deepEqual(wrongDestinations(main.node), []);
            looked += main.node.targets === null ? 0 : 1;
          }
        } catch (error) {
          // A change that leaves a cycle where it is is refused, too.
          if (!/zero-delay cycle: /.test(/** @type {Error} */ (error).message)) throw error;
          t.true(hasCycle(main.node));
        }
        cycles += main.cycles;
      },
    ),
    { numRuns, seed },
  );
  t.true(cycles > 20 && changes > 1000 && looked > 100, 'all kinds were tried');
});

/**
 * @param {import('./growing-programs.js').CellShape[]} cells
 * @param {import('./growing-programs.js').Change[]} list
 * @param {number} perTag
 * @param {(program: Program) => void} prepare
 */
const runGrowing = (cells, list, perTag, prepare) => {
  const main = new Growing(cells, list, perTag);
  const program = new Program(main, { fast: true, timeout: list.length + 3 });
  prepare(program);
  let failure = '';
  /** Tags after which levels were left open. */
  let open = 0;
  try {
    while (program.step()) if (program.scheduler.region.unsettled !== null) open += 1;
  } catch (error) {
    failure = /** @type {Error} */ (error).message;
  }
  return { main, program, failure, open };
};

test('levels that are assigned when they matter are those that are assigned at once', t => {
  let lines = 0;
  let noted = 0;
  fc.assert(
    fc.property(
      fc.array(arbCell, { minLength: 2, maxLength: 6 }),
      fc.array(arbChange, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 8 }),
      (cells, list, perTag) => {
        const late = runGrowing(cells, list, perTag, () => {});
        const atOnce = runGrowing(cells, list, perTag, ({ scheduler }) => {
          scheduler.levelsAtOnce = true;
        });
        t.is(late.failure, atOnce.failure);
        t.is(late.main.cycles, atOnce.main.cycles);
        t.is(late.main.refused, atOnce.main.refused);
        const told = late.main.all.map(cell => cell.lines);
        t.deepEqual(
          told,
          atOnce.main.all.map(cell => cell.lines),
        );
        noted += late.open;
        lines += told.flat().length;
        if (hasCycle(late.main.node)) return;
        const { region } = late.program.scheduler;
        settleLevels(region);
        t.deepEqual(wrongLevels(late.main.node), []);
      },
    ),
    { numRuns, seed },
  );
  t.true(lines > 2000 && noted > 200, 'reactions ran, and levels were left open');
});

test('changes of one mutation, and those of tags at which little runs, share one numbering', t => {
  class Pass extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(1));
  }
  /** How often a reaction gets a level, for each that there is. @param {number} perTag */
  const levelsFor = perTag => {
    class Front extends Reactor {
      tick = this.timer(1, 1);
      source = new Pass(this);
      count = 0;
      list = [new Pass(this)];
      m = this.mutation({ triggers: this.tick, effects: this.source.in }, () => {
        for (let i = 0; i < perTag && this.list.length < 100; i += 1) {
          const made = new Pass(this);
          let { depth } = made.r;
          Object.defineProperty(made.r, 'depth', {
            get: () => depth,
            set: to => {
              this.count += 1;
              depth = to;
            },
          });
          this.connect(made.out, /** @type {Pass} */ (this.list.at(-1)).in);
          this.list.push(made);
        }
        this.source.in.set(1);
      });
    }
    const main = new Front();
    const program = new Program(main, { fast: true, timeout: 101 });
    program.runFast();
    settleLevels(program.scheduler.region);
    t.is(main.list[0].r.depth, 100);
    return main.count / 100;
  };
  t.true(levelsFor(100) < 5);
  t.true(levelsFor(1) < 5);
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
