// How a device passes on what vats gave it.

import '#testkit/lockdown.js';
import test from 'ava';
import { makeDevice } from '#vat';

/** @param {'qclass' | 'smallcaps'} notation */
const makeKeeper = notation => {
  /** @type {Map<string, string>} */
  const store = new Map();
  /** @type {any} */
  const powers = {
    get: (/** @type {string} */ key) => store.get(key),
    set: (/** @type {string} */ key, /** @type {string} */ value) => void store.set(key, value),
  };
  /** @type {any} */
  const device = makeDevice(
    /** @type {any} */ ({
      ...{ name: 'keeper', notation, powers, endowments: {}, parameters: {} },
      testLog: () => {},
      onError: () => {},
      build: () => harden({ echo: (/** @type {unknown} */ value) => value }),
    }),
  );
  return (/** @type {string} */ body) => device.invoke('d+0', 'echo', { body, slots: ['o-50'] });
};

test('a device of 2020 names no object that came without an interface', t => {
  const echo = makeKeeper('qclass');
  t.deepEqual(echo('[{"@qclass":"slot","index":0}]').data, {
    body: '{"@qclass":"slot","index":0}',
    slots: ['o-50'],
  });
});

test('a device of 2020 keeps the interface that an object came with', t => {
  const echo = makeKeeper('qclass');
  t.deepEqual(echo('[{"@qclass":"slot","iface":"Alleged: purse","index":0}]').data, {
    body: '{"@qclass":"slot","iface":"Alleged: purse","index":0}',
    slots: ['o-50'],
  });
});

test('a device of today names what came without an interface', t => {
  const echo = makeKeeper('smallcaps');
  t.is(echo('#["$0"]').data.body, '#"$0.Alleged: presence o-50"');
});
