// A program's vats are looked up, not searched for: the index equals the rows, whatever came, went or was undone.

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

test('a program of reactors consists of the vats whose rows name it', t => {
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
      // A vat that has ended does not come again: ids are not used twice. If its end is undone it has not ended.
      const ended = new Set();
      /** @type {string[]} */
      let endedNow = [];
      for (const { kind, vat: number, ...rest } of acts) {
        const vatId = `v${number}`;
        const entry = keeper.find(vatId);
        if (kind === 'add' && entry === undefined && !ended.has(vatId)) {
          keeper.add(vatId, shape);
        } else if (kind === 'join' && entry !== undefined) {
          keeper.rows.touch(entry.row);
          entry.row.program = /** @type {{ program: number }} */ (rest).program;
          keeper.regroup();
        } else if (kind === 'remove') {
          if (entry !== undefined) {
            endedNow.push(vatId);
            ended.add(vatId);
          }
          keeper.remove(vatId);
        } else if (kind === 'keep') {
          endedNow = [];
          journal.keep();
          forget();
        } else if (kind === 'drop') {
          for (const each of endedNow) ended.delete(each);
          endedNow = [];
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
