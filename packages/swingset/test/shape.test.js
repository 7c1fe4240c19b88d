// SwingSet's patterns for configs, by the library that a host program matches with.

import test from 'ava';

import { shape } from '../index.js';

/** @param {any} config */
const accepts = async config => {
  const { matches } = await import('@endo/patterns');
  return matches(harden(config), shape.SwingSetConfig);
};

test('a config matches with all that SwingSet describes', async t => {
  const vats = { bootstrap: { sourceSpec: 'bootstrap.js', creationOptions: { critical: true } } };
  t.true(await accepts({ vats }));
  t.true(
    await accepts({
      vats: { ...vats, zoe: { bundleSpec: 'zoe.json', parameters: { zcfBundleName: 'zcf' } } },
      defaultManagerType: 'xs-worker',
      includeDevDependencies: true,
      defaultReapInterval: 1000,
      snapshotInterval: 10,
      bootstrap: 'bootstrap',
      bundles: { zcf: { bundle: { moduleType: 'endoZipBase64' } } },
    }),
  );
  t.true(await accepts({ vats, coreProposals: ['more.js'] }), 'others may add fields');
});

test('a config without its vats, or with fields of other types, does not match', async t => {
  const vats = { bootstrap: { sourceSpec: 'bootstrap.js' } };
  t.false(await accepts({ bootstrap: 'bootstrap' }));
  t.false(await accepts({ vats: { bootstrap: {} } }));
  t.false(await accepts({ vats, defaultManagerType: 'wasm' }));
  t.false(await accepts({ vats, snapshotInterval: '10' }));
  t.false(await accepts({ vats, bundles: { zcf: { sourceSpec: 'zcf.js', more: 1 } } }));
  t.false(
    await accepts({
      vats: { bootstrap: { sourceSpec: 'a.js', creationOptions: { critical: 1 } } },
    }),
  );
});

test('workers and bundles have patterns of their own', async t => {
  const { matches } = await import('@endo/patterns');
  for (const name of ['xsnap', 'xs-worker', 'node-subprocess', 'local'])
    t.true(matches(name, shape.ManagerType));
  t.false(matches('thread', shape.ManagerType));
  t.true(matches(harden({ moduleType: 'endoZipBase64', more: 1 }), shape.Bundle));
  t.false(matches(harden({}), shape.Bundle));
});
