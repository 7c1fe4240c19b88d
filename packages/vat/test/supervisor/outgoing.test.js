// A vat's messages become syscalls.

import '#testkit/lockdown.js';

import test from 'ava';
import { cap, startVat } from './run-supervisor.js';

const slot = '$0.Alleged: other';

/** The sends of `go(other)`. @param {Awaited<ReturnType<typeof startVat>>} vat */
const sends = async vat =>
  (await vat.call('go', [slot], { slots: ['o-50'] })).filter(([kind]) => kind === 'send');

test('messages go out in the order in which they were sent, each with a result of its own', async t => {
  const vat = await startVat(({ E }) => ({
    go(/** @type {any} */ other) {
      E(other).first();
      E(other).second(2n);
    },
  }));
  t.deepEqual(await sends(vat), [
    ['send', 'o-50', cap(['first', []]), 'p+5'],
    ['send', 'o-50', cap(['second', ['+2']]), 'p+6'],
  ]);
});

test('a result that is awaited is subscribed to behind its message', async t => {
  const vat = await startVat(({ E }) => ({
    go(/** @type {any} */ other) {
      E(other)
        .ask()
        .then(() => {});
    },
  }));
  t.deepEqual(await vat.call('go', [slot], { slots: ['o-50'] }), [
    ['send', 'o-50', cap(['ask', []]), 'p+5'],
    ['subscribe', 'p+5'],
  ]);
});

test('a message to a result is sent to its promise, before it is settled', async t => {
  const vat = await startVat(({ E }) => ({
    go(/** @type {any} */ other) {
      E(E(other).get()).use();
    },
  }));
  t.deepEqual(await sends(vat), [
    ['send', 'o-50', cap(['get', []]), 'p+5'],
    ['send', 'p+5', cap(['use', []]), 'p+6'],
  ]);
});

test('an object goes out as the same export each time', async t => {
  const vat = await startVat(({ E, Far }) => {
    const counter = Far('counter', {});
    return {
      go(/** @type {any} */ other) {
        E(other).take(counter, counter);
        E(other).take(Far('another', {}));
        E(other).take(counter);
      },
    };
  });
  t.deepEqual(
    (await sends(vat)).map(([, , { slots }]) => slots),
    [['o+1'], ['o+2'], ['o+1']],
  );
});

test('an argument that cannot be passed sends nothing, and rejects the result', async t => {
  const vat = await startVat(({ E }) => ({
    go(/** @type {any} */ other) {
      return E(other)
        .take(new Map())
        .catch(() => 'refused');
    },
  }));
  const syscalls = await vat.call('go', [slot], { slots: ['o-50'], result: 'p-60' });
  t.deepEqual(syscalls, [['resolve', [['p-60', false, cap('refused')]]]]);
});
