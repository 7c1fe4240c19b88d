import test from 'ava';
import { ByteWriter } from '#model';
import { Counters, countersCurrent } from '../tables/counters.js';
import { Figures, NumberBank } from '../tables/figures.js';

/** @import { Batch, KernelStore } from '../store-interface.js' */

/**
 * @param {Map<string, any>} values
 * @returns {KernelStore}
 */
const storeOf = values =>
  /** @type {any} */ ({
    get: (/** @type {string} */ key) => values.get(key),
    getBytes: (/** @type {string} */ key) => values.get(key),
  });

/** @param {Counters} counters */
const written = counters => {
  const puts = new Map();
  counters.collect(/** @type {Batch['puts']} */ (puts));
  return new Map([...puts].map(([key, value]) => [key, value.slice()]));
};

test('a gauge has value, up, down and max; a tally has its value', t => {
  const counters = new Counters(countersCurrent);
  const objects = counters.find('kernelObjects');
  const syscalls = counters.find('syscalls');
  for (let i = 0; i < 3; i += 1) counters.inc(objects);
  counters.dec(objects);
  counters.inc(syscalls);
  counters.add(syscalls, 5);
  const { kernelObjects, syscalls: tally } = counters.toRecord();
  t.deepEqual(kernelObjects, { value: 2, up: 3, down: 1, max: 3 });
  t.deepEqual(tally, { value: 6 });
  const columns = counters.columns();
  const positions = counters.columnPositions();
  t.is(counters.numbers[positions[columns.indexOf('kernelObjectsMax')]], 3);
  t.is(counters.numbers[positions[columns.indexOf('syscalls')]], 6);
});

test('counters are read as they were written', t => {
  const counters = new Counters(countersCurrent);
  for (const name of ['kernelObjects', 'syscalls', 'clistEntries', 'deadlineMisses'])
    counters.inc(counters.find(name));
  const loaded = new Counters(countersCurrent);
  loaded.load(storeOf(written(counters)));
  t.deepEqual(loaded.toRecord(), counters.toRecord());
});

test('a store in which tallies had four numbers is read, and then written in the new form', t => {
  const writer = new ByteWriter();
  writer.varints([1, 2, 1, 2, 300, 300, 0, 300, 7, 7, 0, 7, 4, 9, 5, 8]);
  const names = 'kernelObjects syscalls unheardOf clistEntries';
  const counters = new Counters(countersCurrent);
  counters.load(
    storeOf(
      new Map(
        Object.entries({
          'kernel.counters.names': names,
          'kernel.counters': writer.view(),
        }),
      ),
    ),
  );
  const { kernelObjects, syscalls, clistEntries, kernelPromises } = counters.toRecord();
  t.deepEqual(kernelObjects, { value: 1, up: 2, down: 1, max: 2 });
  t.deepEqual(syscalls, { value: 300 });
  t.deepEqual(clistEntries, { value: 4, up: 9, down: 5, max: 8 });
  t.deepEqual(kernelPromises, { value: 0, up: 0, down: 0, max: 0 });
  t.regex(written(counters).get('kernel.counters.names'), /^kernelObjects .* syscalls\/1 /);
});

test('tables of a bank are kept and dropped together, and keep what they had before', t => {
  const figures = new Figures();
  const counters = new Counters(countersCurrent);
  const bank = new NumberBank(figures, counters);
  const at = counters.find('syscalls');
  t.is(figures.allocate(0), 20);
  bank.drop();
  t.is(figures.allocate(0), 20);
  counters.inc(at);
  bank.keep();
  counters.inc(at);
  figures.allocate(0);
  bank.drop();
  t.is(counters.numbers[at], 1);
  t.is(figures.numbers[0], 21);
});
