import test from 'ava';
import fc from 'fast-check';

import { compareTexts } from '../index.js';

const arbText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}') }),
);

test('texts are in the order of their UTF-8 bytes', t => {
  t.is(compareTexts('\uffff', '\u{1f600}'), -1, 'where < says otherwise');
  t.true('\uffff' > '\u{1f600}');
  fc.assert(
    fc.property(arbText, arbText, (left, right) => {
      const [a, b] = [left, right].map(text => text.toWellFormed());
      t.is(compareTexts(a, b), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 2000 },
  );
});
