// The owners of keys.

import test from 'ava';
import { bundleIDFromName, getKeyType } from '../swing-store.js';

test('a key of the store is text', t => {
  t.is(getKeyType('local.x'), 'local');
  for (const value of /** @type {any[]} */ ([undefined, null, 5, {}])) {
    t.throws(() => getKeyType(value), {
      instanceOf: TypeError,
      message: /^getKeyType\(\) takes a key, as "local\.x", got /,
    });
    t.throws(() => bundleIDFromName(value), {
      instanceOf: TypeError,
      message: /^bundleIDFromName\(\) takes a name, as "bundle\.b1-…", got /,
    });
  }
});
