// A trace with a target that cannot be written to.

import test from 'ava';
import { makePacketWriter, traceTo } from '#observe/perfetto';

test('a trace wants a function for its pieces, or a writer', t => {
  const message = /takes a function for the file's pieces, as writeToFile\(path\) makes one, got /;
  for (const value of /** @type {any[]} */ ([undefined, null, 5, 'trace.json', {}]))
    for (const make of [traceTo, makePacketWriter])
      t.throws(() => make(value), { instanceOf: TypeError, message });
});
