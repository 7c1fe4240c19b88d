// Tables with a journal: a crank is kept or dropped whole, and a block writes what changed.

import { forms } from '#model';
import test from 'ava';
import fc from 'fast-check';

import { Journal, Row, rowsAsJson, Table } from '../tables/journal.js';

const { count, texts } = forms;

class Counted extends Row {
  /** @param {{ count: number, names?: string[] }} fields */
  constructor({ count, names = [] }) {
    super();
    this.count = count;
    this.names = names;
  }
}

const arbKey = fc.constantFrom('a', 'b', 'c', 'd');

const arbStep = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('set'), arbKey) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('touch'), arbKey) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('delete'), arbKey) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('keep', 'drop', 'commit', 'load'), arbKey) },
);

/** The rows' contents, by key. @param {Iterable<[string, Counted]>} entries */
const plain = entries =>
  Object.fromEntries([...entries].map(([key, { count, names }]) => [key, { count, names }]).sort());

test('a table is a map that forgets dropped cranks, and writes blocks that hold what it holds', t => {
  fc.assert(
    fc.property(fc.array(arbStep, { maxLength: 80 }), steps => {
      const codec = rowsAsJson('row.', { count, names: texts }, fields => new Counted(fields));
      /** @type {Map<string, string>} */
      const stored = new Map();
      const store = /** @type {any} */ ({ entries: () => [...stored].sort() });
      let journal = new Journal();
      /** @type {Table<Counted>} */
      let table = new Table(journal, codec);
      /** @type {Record<string, { count: number, names: string[] }>} */
      let model = {};
      let kept = structuredClone(model);

      const keep = () => {
        journal.keep();
        kept = structuredClone(model);
      };
      steps.forEach(([step, key], i) => {
        if (step === 'set') {
          table.set(key, new Counted({ count: i }));
          model[key] = { count: i, names: [] };
        } else if (step === 'touch') {
          const row = table.get(key);
          t.is(row !== undefined, key in model);
          if (row === undefined) return;
          table.touch(row);
          row.count += 1;
          row.names = [...row.names, `${i}`];
          model[key].count += 1;
          model[key].names.push(`${i}`);
        } else if (step === 'delete') {
          table.delete(key);
          delete model[key];
        } else if (step === 'keep') {
          keep();
        } else if (step === 'drop') {
          journal.drop();
          model = structuredClone(kept);
        } else {
          keep();
          /** @type {Map<string, any>} */
          const puts = new Map();
          table.collect(puts);
          for (const [full, text] of puts) {
            if (text === undefined) t.true(stored.delete(full), 'only what is stored is deleted');
            else stored.set(full, text);
          }
          t.deepEqual(
            Object.fromEntries([...stored].map(([full, text]) => [full, JSON.parse(text)])),
            Object.fromEntries(Object.entries(model).map(([name, row]) => [`row.${name}`, row])),
          );
          const again = new Map();
          table.collect(again);
          t.is(again.size, 0, 'what is written is not written again');
          if (step === 'load') {
            journal = new Journal();
            table = new Table(journal, codec);
            table.load(store);
          }
        }
        t.deepEqual(plain(table.entries()), Object.fromEntries(Object.entries(model).sort()));
        t.is(table.size, Object.keys(model).length);
        t.is(table.has(key), key in model);
        t.deepEqual([...table.keys()].sort(), Object.keys(model).sort());
      });
    }),
    { numRuns: 500 },
  );
});

test('a table without a codec writes nothing, and forgets its deleted keys with the block', t => {
  const journal = new Journal();
  /** @type {Table<string>} */
  const table = new Table(journal);
  table.set('a', '1');
  table.delete('a');
  table.set('b', '2');
  journal.keep();
  const puts = new Map();
  table.collect(puts);
  t.is(puts.size, 0);
  t.deepEqual([...table.entries()], [['b', '2']]);
});

test('two tables of one journal are dropped together', t => {
  const journal = new Journal();
  /** @type {Table<string>} */
  const one = new Table(journal);
  /** @type {Table<number>} */
  const two = new Table(journal);
  one.set('a', 'kept');
  two.set('a', 1);
  journal.keep();
  one.delete('a');
  two.set('a', 2);
  two.set('b', 3);
  one.set('a', 'dropped');
  journal.drop();
  t.deepEqual([...one.entries()], [['a', 'kept']]);
  t.deepEqual([...two.entries()], [['a', 1]]);
});
