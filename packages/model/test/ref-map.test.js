import test from 'ava';
import fc from 'fast-check';
import { RefMap } from '../index.js';

/** In the order in which they are visited, but for those in the second list, which come in the order of insertion. */
const forms = {
  kref: [
    ['ko7', 'ko20', 'ko021', 'ko1073741824'],
    ['kd30', 'ko', ''],
    ['kp7', 'kp40', 'kp641'],
  ],
  vref: [
    ['o+0', 'o+7', 'o+1000', 'o-50', 'o-64', 'o-1000'],
    ['o+d10/3:1', 'o+07', 'o-99999999999', 'd-70', 'o+1x'],
    ['p+5', 'p-5', 'p-60', 'p-61'],
  ],
};

/** Not written as a number is, or too large for one that is kept by it. */
const isOdd = (/** @type {string} */ ref) =>
  !/^..(0|[1-9][0-9]{0,8})$/.test(ref) || /^k?d/.test(ref);

for (const form of /** @type {const} */ (['kref', 'vref'])) {
  const all = forms[form].flat();

  test(`by ${form} it holds what a Map would, objects before promises, each by their numbers`, t => {
    const arbStep = fc.record({
      op: fc.constantFrom('set', 'delete'),
      ref: fc.constantFrom(...all),
    });
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
          for (const one of all) t.is(refs.get(one), model.get(one));
        });
        const has = (/** @type {string} */ ref) => model.has(ref) && !isOdd(ref);
        const keys = [
          ...forms[form][0].filter(has),
          ...[...model.keys()].filter(isOdd),
          ...forms[form][2].filter(has),
        ];
        t.deepEqual(refs.keys(), keys);
        t.deepEqual(
          refs.values(),
          keys.map(ref => model.get(ref)),
        );
        t.deepEqual(
          refs.entries(),
          keys.map(ref => [ref, model.get(ref)]),
        );
      }),
    );
  });
}
