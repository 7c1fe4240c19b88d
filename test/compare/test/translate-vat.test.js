import test from 'ava';
import { translateVat } from '../translate-vat.js';

const text = `import { E } from '@agoric/eventual-send';

export function buildRootObject(_vatPowers) {
  let root;

  function makeThing() {
    return harden({
      touch() {},
    });
  }

  root = harden({
    go() {
      return harden({ rec: true, val: makeThing() });
    },
  });
  return root;
}
`;

test('a vat of 2020 imports Far, and makes its root and its things by it; data is hardened still', t => {
  t.is(
    translateVat(text, 'alice'),
    `import { E, Far } from '@endo/far';

export function buildRootObject(_vatPowers) {
  let root;

  function makeThing() {
    return Far('alice thing', {
      touch() {},
    });
  }

  root = Far('alice root', {
    go() {
      return harden({ rec: true, val: makeThing() });
    },
  });
  return root;
}
`,
  );
});

test('a vat without the import or the root of 2020 is not translated', t => {
  t.throws(() => translateVat(translateVat(text, 'bob'), 'bob'), {
    instanceOf: TypeError,
    message: /^vat bob has 0 times import \{ E \} from '@agoric\/eventual-send';; once is right$/,
  });
  t.throws(() => translateVat(text.replace('  root =', '  main ='), 'bob'), {
    message: /^vat bob has 0 times root = harden\(\{; once is right$/,
  });
});
