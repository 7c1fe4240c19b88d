// The last error of each vat, by which its end is explained.

import test from 'ava';
import { watchVats } from '#host/vats/vat-watch.js';

/** @param {string[]} texts  of errors that are reported of a vat, in order */
const lastOf = texts => {
  const watch = watchVats({}, false);
  for (const text of texts) watch.hooks.onVatError('alice', Error(text));
  return watch.findLastError('alice')?.message;
};

test('the report that an error ended its vat does not replace the error', t => {
  t.is(lastOf(['no such account', 'it was ended: no such account']), 'no such account');
});

test('another error replaces the last one, also one without a text', t => {
  t.is(
    lastOf(['no such account', 'it used a vref that it does not know']),
    'it used a vref that it does not know',
  );
  t.is(
    lastOf(['', 'it used a vref that it does not know']),
    'it used a vref that it does not know',
  );
});
