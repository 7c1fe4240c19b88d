// Which vats a program has is looked up, not searched for: it is what the rows say, whatever came, went or was undone.

import test from 'ava';
import fc from 'fast-check';
import { compareIds } from '#model';
import { Journal } from '../tables/journal.js';
import { ReactorKeeper } from '../reactors/reactors.js';

/** @import { ReactorShape } from '#model' */

const shape = /** @type {ReactorShape} */ (/** @type {unknown} */ ({ inputs: [], outputs: [] }));

/** @param {ReactorKeeper} keeper @param {number} program */
const searched = ({ rows }, program) =>
  [...rows.entries()]
    .filter(([, row]) => row.program === program)
    .map(([vatId]) => vatId)
    .sort(compareIds);

test('the vats of a program are those whose rows say so', t => {
  const vat = fc.integer({ min: 1, max: 6 });
  const act = fc.oneof(
    fc.record({ kind: fc.constant('add'), vat }),
    fc.record({ kind: fc.constant('join'), vat, program: vat }),
    fc.record({ kind: fc.constant('remove'), vat }),
    fc.record({ kind: fc.constantFrom('keep', 'drop', 'ask'), vat }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), acts => {
      const journal = new Journal();
      const keeper = new ReactorKeeper(journal);
      // As the state does at the end of a crank.
      const forget = () => {
        for (const { vatId, isThere } of keeper.takeMoved()) if (!isThere) keeper.forget(vatId);
      };
      for (const { kind, vat: number, ...rest } of acts) {
        const vatId = `v${number}`;
        const entry = keeper.find(vatId);
        if (kind === 'add' && entry === undefined) {
          keeper.add(vatId, shape);
        } else if (kind === 'join' && entry !== undefined) {
          keeper.rows.touch(entry.row);
          entry.row.program = /** @type {{ program: number }} */ (rest).program;
          keeper.regroup();
        } else if (kind === 'remove') {
          keeper.remove(vatId);
        } else if (kind === 'keep') {
          journal.keep();
          forget();
        } else if (kind === 'drop') {
          keeper.takeMoved();
          journal.drop();
          keeper.regroup();
        }
        for (let program = 1; program <= 6; program += 1) {
          t.deepEqual(
            keeper.vatsOf(program).map(found => found.vatId),
            searched(keeper, program),
          );
        }
      }
    }),
  );
});
