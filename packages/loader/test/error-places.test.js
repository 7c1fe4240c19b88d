// The place that an error is told with is the author's own line, or none.

import vm from 'node:vm';
import test from 'ava';
import { findErrorPlace } from '../compartment/index.js';
import { noteVatUrl } from '../compartment/error-report.js';

/** Catch an error whose stack goes through files of a vat. @param {string[]} files  innermost first */
const placeOf = files => {
  let run = () => {
    throw Error('no');
  };
  for (const file of files) {
    const filename = `file:///x/${file}`;
    noteVatUrl(filename);
    run = new vm.Script('\n\nnext => () => next()', { filename }).runInThisContext()(run);
  }
  try {
    return run();
  } catch (error) {
    return `${findErrorPlace(error)}`;
  }
};

const check = 'node_modules/@endo/common/throw.js';

test('frames of packages are passed over', t => {
  t.regex(placeOf([check, 'vat-a.js', 'vat-b.js']), /vat-a\.js:3:15$/);
});

test('a check by a library of Endo has no place of its own, since it says nothing of who sent what', t => {
  t.is(placeOf([check, 'node_modules/@endo/patterns/match.js']), 'undefined');
});

test('vats that come as a package have places', t => {
  t.regex(placeOf([check, 'node_modules/some-vats/vat-a.js']), /some-vats\/vat-a\.js:3:15$/);
});
