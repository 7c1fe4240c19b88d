// The values under way to a vat, compared with a list that is sorted each time.

import test from 'ava';
import fc from 'fast-check';

import { EventList, PortEvent } from '../tables/event-list.js';
import { Journal } from '../tables/journal.js';
import { ReactorKeeper } from '../reactors/reactors.js';
import { PutList } from '../tables/put-list.js';

const shape = {
  inputs: [],
  outputs: [],
  actions: [],
  dependencies: [],
  mayRequestStop: false,
  hasRoot: true,
};

const none = { body: '#1', slots: [] };

/** @param {PortEvent} event */
const place = ({ timeNs, microstep, channel }) => [timeNs, microstep, channel];

/** @param {PortEvent} left @param {PortEvent} right */
const compare = (left, right) =>
  left.timeNs - right.timeNs || left.microstep - right.microstep || left.channel - right.channel;

test('values are in the order of tags and channels, each at the first free microstep, after any additions and removals', t => {
  const small = fc.integer({ min: 0, max: 3 });
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('add'), time: small, micro: small, channel: small }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('first'),
        time: small,
        micro: small,
        channel: small,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('any'), time: small, micro: small, channel: small }),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), steps => {
      const list = new EventList();
      /** @type {PortEvent[]} */
      let naive = [];
      for (const { kind, time, micro, channel } of steps) {
        if (kind === 'add') {
          let free = micro;
          const isTaken = () =>
            naive.some(e => e.timeNs === time && e.microstep === free && e.channel === channel);
          while (isTaken()) free += 1;
          t.is(list.findFree(time, micro, channel), free);
          const stage = (naive.length * 7 + micro) % 5;
          const event = new PortEvent('v1', time, free, stage, channel, none);
          list.insert(event);
          naive = [...naive, event].sort(compare);
        } else if (naive.length > 0) {
          const gone =
            kind === 'first' ? naive[0] : naive[(time * 16 + micro * 4 + channel) % naive.length];
          list.remove(gone);
          naive = naive.filter(event => event !== gone);
        }
        t.is(list.length, naive.length);
        t.is(list.first, naive[0]);
        const [first] = naive;
        if (first === undefined) continue;
        const atFirst = naive.filter(
          ({ timeNs, microstep }) => timeNs === first.timeNs && microstep === first.microstep,
        );
        t.is(list.leastStage, Math.min(...atFirst.map(({ stage }) => stage)));
      }
      t.deepEqual([...list].map(place), naive.map(place));
    }),
  );
});

/** A commit in each step, in which one value more is under way. @param {number} n */
const countWritten = n => {
  const journal = new Journal();
  const keeper = new ReactorKeeper(journal);
  keeper.add('v1', shape);
  let written = 0;
  for (let i = 0; i < n; i += 1) {
    keeper.addValue(keeper.require('v1'), new PortEvent('v1', 1000 + i, 0, 0, 0, none));
    journal.keep();
    const puts = new PutList();
    keeper.collect(puts);
    puts.forEach((value, key) => {
      written += key.length + (value?.length ?? 0);
    });
  }
  return written;
};

test('one more value under way is one more row, however many there are', t => {
  t.true(countWritten(400) < 5 * countWritten(100));
});

test('many values for one tag are searched once, however often the next run is computed', t => {
  const count = 500;
  const list = new EventList();
  let reads = 0;
  for (let channel = 0; channel < count; channel += 1) {
    const event = new PortEvent('v1', 7, 0, 1, channel, none);
    const { stage } = event;
    Object.defineProperty(event, 'stage', { get: () => ((reads += 1), stage) });
    list.insert(event);
    t.is(list.leastStage, 1);
  }
  t.true(reads < 5 * count, `${reads} reads`);
});

test('items that a dropped crank took or changed are under way as before', t => {
  const journal = new Journal();
  const keeper = new ReactorKeeper(journal);
  keeper.add('v1', shape);
  const entry = keeper.require('v1');
  const [one, two, three] = [1, 2, 3].map(time => new PortEvent('v1', time, 0, 0, 0, none));
  keeper.addValue(entry, one);
  keeper.addValue(entry, three);
  journal.keep();
  keeper.collect(new PutList());
  keeper.takeValues(entry, [one]);
  keeper.addValue(entry, two);
  keeper.remove('v1');
  journal.drop();
  t.deepEqual([...entry.agenda.values], [one, three]);
  const puts = new PutList();
  keeper.collect(puts);
  /** @type {Map<string, unknown>} */
  const last = new Map();
  puts.forEach((value, key) => last.set(key, value));
  t.is(last.get(one.key), one.text);
  t.false(last.has(two.key));
});
