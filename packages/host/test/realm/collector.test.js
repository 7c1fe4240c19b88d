import { setFlagsFromString } from 'node:v8';
import test from 'ava';
import { forceCollection, makeCollector } from '#host/engine/collection.js';

test('a collection works though the engine has dropped the code that asks for it', t => {
  const collector = makeCollector(() => []);
  const { collect } = collector.ofVat('v1');
  collect();
  // As it does with what was not called for some natural collections.
  setFlagsFromString('--stress-flush-code');
  try {
    for (let i = 0; i < 3; i += 1) forceCollection();
    t.notThrows(collect);
  } finally {
    setFlagsFromString('--no-stress-flush-code');
  }
  t.is(collector.takeSpent().count, 2);
});
