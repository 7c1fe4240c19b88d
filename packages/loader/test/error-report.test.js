// Places of errors are found in stacks, although a vat can put any text in them by the names of its functions.

import test from 'ava';
import { noteVatUrl, reportError } from '../compartment/error-report.js';

noteVatUrl(import.meta.url);

/** @param {string} name */
const throwIn = name => {
  const named = {
    [name]: () => {
      throw Error('no');
    },
  };
  try {
    return named[name]();
  } catch (error) {
    return reportError(error);
  }
};

test('the report has the place of an error in a function with a short name', t => {
  const [frame, outer] = throwIn('short').frames;
  t.regex(frame.functionName, /short$/);
  t.is(frame.url, import.meta.url);
  t.regex(outer.functionName, /throwIn$/);
});

test('a stack line with a very long name is skipped, and the lines after it are frames', t => {
  // Matching this line would take minutes.
  const [frame] = throwIn(' (:1:1'.repeat(10_000)).frames;
  t.regex(frame.functionName, /throwIn$/);
  const [behindLines] = throwIn(`\n  at ${' (:1:1'.repeat(10_000)}x\n`).frames;
  t.true(behindLines === undefined || behindLines.functionName.length < 1_000);
  t.deepEqual(throwIn('x'.repeat(1_000_000)).frames, [], 'nothing of such a stack is kept');
});
