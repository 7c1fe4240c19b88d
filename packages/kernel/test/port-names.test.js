import test from 'ava';
import fc from 'fast-check';

import { channelName, findChannel } from '../reactors/port-names.js';

/** Ports as a vat tells of them; some have no channels. */
const ports = fc.uniqueArray(fc.tuple(fc.string(), fc.nat(4)), { selector: ([name]) => name });

test('a channel is that of the port in whose turn it comes', t => {
  fc.assert(
    fc.property(ports, list => {
      const all = list.flatMap(([port, width]) =>
        Array.from({ length: width }, (_, index) => ({ port, index, width })),
      );
      t.deepEqual(
        all.map((_, channel) => findChannel(list, channel)),
        all,
      );
    }),
  );
});

test('a channel is named by its port, and by its place where that has several', t => {
  /** @type {[string, number][]} */
  const list = [
    ['none', 0],
    ['one', 1],
    ['two', 2],
  ];
  t.deepEqual(
    [0, 1, 2].map(channel => channelName(list, channel)),
    ['one', 'two[0]', 'two[1]'],
  );
  t.is(channelName(list, 3), '3', 'there is no such port');
});
