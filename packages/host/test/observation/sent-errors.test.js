// Reports of errors that vats sent: the latest are found, and all together are bounded.

import test from 'ava';
import { SentErrors } from '#host/explain/sent-errors.js';

/** @import { ErrorReport } from '#loader/compartment' */

/** @param {string} message */
const makeReport = message =>
  /** @type {ErrorReport} */ (/** @type {unknown} */ ({ name: 'Error', message, told: undefined }));

test('the latest report is found by its id and by its text', t => {
  const sent = new SentErrors();
  const [first, second] = [makeReport('no'), makeReport('no')];
  sent.note(first, 'error:1');
  sent.note(second, 'error:2');
  const sought = { name: 'Error', message: 'no' };
  t.is(sent.find({ ...sought, errorId: 'error:1' }), first);
  t.is(sent.find({ ...sought, errorId: 'error:2' }), second);
  t.is(sent.find(sought), second);
});

test('the number of kept characters is bounded, and the latest are kept', t => {
  const sent = new SentErrors();
  const long = 'x'.repeat(100_000);
  for (let i = 0; i < 50; i += 1) sent.note(makeReport(`${i} ${long}`), `error:${i}`);
  const isKept = (/** @type {number} */ i) =>
    sent.find({ name: 'Error', message: `${i} ${long}`, errorId: `error:${i}` }) !== undefined;
  t.true(isKept(49));
  t.true(isKept(48));
  t.is(Array.from({ length: 50 }, (_, i) => i).filter(isKept).length, 2);
  // One that is longer than all that is kept takes nothing else away.
  sent.note(makeReport('x'.repeat(2_000_000)), 'error:long');
  t.is(sent.find({ name: 'Error', message: '', errorId: 'error:long' }), undefined);
  t.true(isKept(49));
  for (let i = 0; i < 3_000; i += 1) sent.note(makeReport(`${i}`), `short:${i}`);
  t.is(sent.find({ name: 'Error', message: '', errorId: 'short:1000' }), undefined);
  t.true(sent.find({ name: 'Error', message: '', errorId: 'short:2999' }) !== undefined);
});
