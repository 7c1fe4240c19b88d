// `atob` and `btoa` of vats, beside Node's.

import test from 'ava';
import fc from 'fast-check';

import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

const host = { atob: globalThis.atob, btoa: globalThis.btoa };

test.before(() => ensureLockdown());

const vat = () => makeVatCompartment({ name: 'x' }).globalThis;

/** @param {(data: any) => string} convert @param {unknown} data */
const outcome = (convert, data) => {
  try {
    return convert(data);
  } catch {
    return undefined;
  }
};

const bytes = fc.uint8Array({ maxLength: 20 }).map(list => String.fromCharCode(...list));
const texts = fc.oneof(
  bytes,
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[A-Z/+= \n]{0,9}$/),
);

test('texts are encoded and decoded as by Node', t => {
  const { atob, btoa } = vat();
  fc.assert(
    fc.property(texts, text => {
      t.is(outcome(btoa, text), outcome(host.btoa, text));
      t.is(outcome(atob, text), outcome(host.atob, text));
    }),
  );
  fc.assert(fc.property(bytes, text => t.is(atob(btoa(text)), text)));
});

test('what is no base64, and characters of more than a byte, are refused by frozen errors', t => {
  const { atob, btoa } = vat();
  const refused = [
    [() => atob('a'), 'the text is not correctly encoded in base64'],
    [() => atob('ab='), 'the text is not correctly encoded in base64'],
    [() => atob('a-b_'), 'the text is not correctly encoded in base64'],
    [() => btoa('a€'), 'btoa takes characters up to U+00FF, got one of 8364 at index 1'],
    [() => btoa('x'.repeat(2 ** 28 + 1)), /^btoa takes at most 268435456 characters/],
  ];
  for (const [call, message] of /** @type {[() => unknown, string | RegExp][]} */ (refused)) {
    const error = t.throws(call, { message });
    t.true(Object.isFrozen(Object.getPrototypeOf(error)));
  }
});

test('compartments that a vat makes have neither, as under SwingSet', t => {
  t.is(
    makeVatCompartment({ name: 'x' }).evaluate(
      "new Compartment().evaluate('typeof atob + typeof btoa')",
    ),
    'undefinedundefined',
  );
});
