import test from 'ava';
import fc from 'fast-check';
import { RefMap } from '../index.js';

const forms = {
  kref: fc.constantFrom('ko20', 'ko21', 'ko7', 'kd30', 'kp40', 'kp41', 'kp7'),
  vref: fc.constantFrom('o+0', 'o-50', 'o+d10/3:1', 'd-70', 'p+5', 'p-60', 'p-61'),
};

for (const form of /** @type {const} */ (['kref', 'vref'])) {
  const isPromise = (/** @type {string} */ ref) => /^k?p/.test(ref);

  test(`by ${form} it holds what a Map would, objects before promises, each in the same order`, t => {
    const arbStep = fc.record({ op: fc.constantFrom('set', 'delete'), ref: forms[form] });
    fc.assert(
      fc.property(fc.array(arbStep, { maxLength: 200 }), steps => {
        const refs = new RefMap(form);
        const model = new Map();
        steps.forEach(({ op, ref }, i) => {
          if (op === 'set') {
            refs.set(ref, i);
            model.set(ref, i);
          } else {
            t.is(refs.delete(ref), model.delete(ref));
          }
          t.is(refs.size, model.size);
          t.is(refs.get(ref), model.get(ref));
        });
        const entries = [...model].sort(([a], [b]) => Number(isPromise(a)) - Number(isPromise(b)));
        t.deepEqual([...refs.entries()], entries);
        t.deepEqual(
          [...refs.keys()],
          entries.map(([ref]) => ref),
        );
        t.deepEqual(
          [...refs.values()],
          entries.map(([, value]) => value),
        );
      }),
    );
  });
}
