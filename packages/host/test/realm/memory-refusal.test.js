import test from 'ava';

import { runVats } from '../vats/run-vats.js';

const bootstrap = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () =>
    Far('bootstrap', {
      async bootstrap({ hoarder }) {
        for (const method of ['first', 'last']) {
          try {
            console.log(method, 'gave', await E(hoarder)[method]());
          } catch (error) {
            console.log(method, 'failed:', error.message);
          }
        }
      },
    });
`;

/** @param {string} body  of the first method */
const hoarder = body => `
  import { Far } from '@endo/far';
  export const buildRootObject = () =>
    Far('hoarder', { first() { ${body} }, last: () => 'alive' });
`;

/** @param {string} body @param {'current' | '2020-09'} [profile] */
const run = (body, profile) => runVats({ hoarder: hoarder(body), bootstrap }, { profile });

const ended = ['bootstrap: first failed: vat terminated', 'bootstrap: last failed: vat terminated'];

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: a vat that is refused memory is ended, when the error leaves it`, async t => {
    for (const body of [
      'return new ArrayBuffer(Number.MAX_SAFE_INTEGER);',
      "return 'x'.repeat(2 ** 30);",
      'return Promise.resolve().then(() => new ArrayBuffer(Number.MAX_SAFE_INTEGER));',
    ]) {
      const { printed, errors, failure } = await run(body, profile);
      t.is(failure, undefined);
      t.deepEqual(printed, ended);
      t.is(errors.length, 2);
      t.regex(
        errors[0],
        /^vat hoarder: RangeError: (Array buffer allocation failed|Invalid string)/,
      );
      t.is(
        errors[1],
        'vat hoarder: Error: vat hoarder was ended: it asked for more memory than there is',
      );
    }
  });
}

test('a vat that handles a refusal continues', async t => {
  const { printed, errors } = await run(`
    try {
      new ArrayBuffer(Number.MAX_SAFE_INTEGER);
    } catch (error) {
      return error.message;
    }
  `);
  t.deepEqual(printed, [
    'bootstrap: first gave Array buffer allocation failed',
    'bootstrap: last gave alive',
  ]);
  t.deepEqual(errors, []);
});

test('an invalid array length is an ordinary error, and so is an error with the same text', async t => {
  for (const body of [
    'return new Array(-1);',
    'return new ArrayBuffer(-1);',
    "throw RangeError('Array buffer allocation failed');",
  ]) {
    const { printed } = await run(body);
    t.regex(
      printed[0],
      /^bootstrap: first failed: (a RangeError made|Array buffer|Invalid array buffer length)/,
    );
    t.is(printed[1], 'bootstrap: last gave alive');
  }
});

test('an unhandled refusal ends nothing', async t => {
  const { printed } = await run(
    "Promise.resolve().then(() => new ArrayBuffer(Number.MAX_SAFE_INTEGER)); return 'fine';",
  );
  t.deepEqual(printed, ['bootstrap: first gave fine', 'bootstrap: last gave alive']);
});
