// The c-list against two maps: kept or dropped with the crank, and a block writes what the list holds.

import test from 'ava';
import fc from 'fast-check';

import { Counters, countersCurrent } from '../tables/counters.js';
import { Figures } from '../tables/figures.js';
import { Journal } from '../tables/journal.js';
import { CList } from '../tables/clist.js';
import { PromiseKeeper } from '../tables/promises.js';

const arbNumber = fc.integer({ min: 1, max: 4 });

const arbStep = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('add'), arbNumber, arbNumber) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('delete'), arbNumber, arbNumber) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('keep', 'drop', 'commit', 'load', 'forget'),
      arbNumber,
      arbNumber,
    ),
  },
);

test('a c-list is a bijection that forgets dropped cranks, and writes blocks that hold what it holds', t => {
  const make = () => {
    const journal = new Journal();
    const figures = new Figures();
    const counters = new Counters(countersCurrent);
    const promises = new PromiseKeeper(journal, figures, counters, {
      deletesRings: true,
      countsParked: true,
    });
    return { journal, clist: new CList('v1', journal, promises, counters, true) };
  };
  fc.assert(
    fc.property(fc.array(arbStep, { maxLength: 60 }), steps => {
      /** @type {Map<string, string>} */
      const stored = new Map();
      const store = /** @type {any} */ ({
        entries: (/** @type {string} */ prefix) =>
          [...stored].filter(([key]) => key.startsWith(prefix)).sort(),
      });
      let { journal, clist } = make();
      /** @type {Map<string, string>} kref → vref */
      let model = new Map();
      let kept = new Map(model);
      const keep = () => {
        journal.keep();
        kept = new Map(model);
      };
      for (const [step, left, right] of steps) {
        const kref = `ko${left}`;
        const vref = `o+${right}`;
        if (step === 'add') {
          if (model.has(kref) || [...model.values()].includes(vref)) continue;
          clist.add(kref, vref);
          model.set(kref, vref);
        } else if (step === 'delete') {
          if (!model.delete(kref)) t.throws(() => clist.delete(kref));
          else clist.delete(kref);
        } else if (step === 'forget') {
          if (!model.delete(kref)) t.throws(() => clist.forget(kref));
          else clist.forget(kref);
        } else if (step === 'keep') {
          keep();
        } else if (step === 'drop') {
          journal.drop();
          model = new Map(kept);
        } else {
          keep();
          /** @type {Map<string, any>} */
          const puts = new Map();
          clist.collect(puts);
          for (const [key, value] of puts) {
            if (value === undefined) t.true(stored.delete(key), 'only what is stored is deleted');
            else stored.set(key, value);
          }
          t.deepEqual(
            [...stored].sort(),
            [...model].map(([ref, to]) => [`c.v1.${to}`, ref]).sort(),
          );
          const again = new Map();
          clist.collect(again);
          t.is(again.size, 0, 'what is written is not written again');
          if (step === 'load') {
            ({ journal, clist } = make());
            clist.load(store);
          }
        }
        t.is(clist.size, model.size);
        t.deepEqual(
          [...clist.byKref.entries()].sort().map(([ref, pair]) => [ref, pair.vref]),
          [...model].sort(),
        );
        t.deepEqual(
          [...clist.pairs()].map(pair => [pair.kref, pair.vref]).sort(),
          [...model].sort(),
        );
        for (const n of [1, 2, 3, 4]) {
          t.is(clist.findVref(`ko${n}`), model.get(`ko${n}`));
          t.is(clist.findKref(`o+${n}`), [...model].find(([, to]) => to === `o+${n}`)?.[0]);
        }
      }
    }),
    { numRuns: 500 },
  );
});
