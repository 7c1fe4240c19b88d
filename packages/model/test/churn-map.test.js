import test from 'ava';
import fc from 'fast-check';
import { ChurnMap } from '../index.js';

test('a churn map holds what a Map would, in the same order', t => {
  const arbStep = fc.record({ op: fc.constantFrom('set', 'delete', 'delete'), key: fc.nat(30) });
  fc.assert(
    fc.property(fc.array(arbStep, { maxLength: 1000, size: 'max' }), steps => {
      const churn = new ChurnMap();
      const model = new Map();
      steps.forEach(({ op, key }, i) => {
        if (op === 'set') {
          churn.set(key, i);
          model.set(key, i);
        } else {
          t.is(churn.delete(key), model.delete(key));
        }
        t.is(churn.size, model.size);
        t.is(churn.get(key), model.get(key));
        t.is(churn.has(key), model.has(key));
      });
      t.deepEqual([...churn.entries()], [...model.entries()]);
      t.deepEqual([...churn.keys()], [...model.keys()]);
      t.deepEqual([...churn.values()], [...model.values()]);
    }),
    { numRuns: 100 },
  );
});
