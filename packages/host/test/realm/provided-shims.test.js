// The bundler leaves out what is provided, so each of these modules must be there when the vat runs.

import '#testkit/lockdown.js';
import test from 'ava';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleVat, importBundle } from '#loader/bundle/index.js';
import { noOpModules, providedModules } from '#loader/bundle/provided-modules.js';

// After lockdown, which the modules of a vat count on.
const { loadVatShims } = await import('#vat');
const { loadVatModules } = await import('#system-vats/as-modules.js');
const { loadReactorRuntime, reactorModule } = await import('#host/vats/reactor-runtime.js');

/** @type {Record<string, Record<string, unknown>>} */
const shims = {
  ...(await loadVatShims(['@endo/marshal'])),
  ...(await loadVatModules(providedModules)),
  [reactorModule]: (await loadReactorRuntime()).shim,
};

/** To be taken off the list: much of it prints to the console of its vat, which a shared module does not have. */
const undecided = new Set(['@agoric/internal']);

const wanted = [...providedModules].filter(
  specifier => !noOpModules.has(specifier) && !undecided.has(specifier),
);

for (const specifier of wanted) {
  test(`${specifier} is provided`, t => {
    t.true(Object.hasOwn(shims, specifier));
    t.true(Object.keys(shims[specifier]).length > 0);
  });
}

const folder = mkdtempSync(join(tmpdir(), 'ssr-shims-'));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string} source */
const importVat = async source => {
  const file = join(folder, 'vat-x.js');
  writeFileSync(file, source);
  const options = { cacheDir: join(folder, 'cache') };
  const { bundle } = await bundleVat(file, options);
  return (await importBundle(bundle, { name: 'x', shims, ...options })).namespace;
};

test.serial('a vat imports all of them at once, with every name that they export', async t => {
  const imports = wanted.map((specifier, i) => `import * as m${i} from '${specifier}';`);
  const pairs = wanted.map((specifier, i) => `['${specifier}', m${i}]`);
  const namespace = await importVat(
    `${imports.join('\n')}\nexport const found = [${pairs.join(', ')}];`,
  );
  for (const [specifier, found] of namespace.found) {
    t.deepEqual(Object.keys(found).sort(), Object.keys(shims[specifier]).sort(), specifier);
    for (const [name, value] of Object.entries(shims[specifier])) t.is(found[name], value);
  }
});

test.serial('a vat of 2020 builds its root from them', async t => {
  const { buildRootObject } = await importVat(`
    import { E } from '@agoric/eventual-send';
    import { producePromise } from '@agoric/produce-promise';
    import { assert, details, q } from '@agoric/assert';
    import { sameStructure } from '@agoric/same-structure';
    import makeStore from '@agoric/store';
    import Nat from '@agoric/nat';
    export const buildRootObject = () => {
      const store = makeStore('amount');
      return harden({
        deposit: (name, amount) => {
          store.init(name, Nat(amount));
          return E.when(E(store).get(name), kept => sameStructure([kept], [amount]));
        },
        refuse: color => assert(false, details\`\${q(color)} is no color\`),
        promise: () => producePromise().promise,
      });
    };`);
  const root = buildRootObject();
  t.throws(() => root.deposit('a', 1.5), { name: 'RangeError' });
  t.throws(() => root.refuse('green'), { message: /^"green" is no color/ });
  t.true(root.promise() instanceof Promise);
});

test.serial('a misspelt name is refused with the place and the name that was meant', async t => {
  await t.throwsAsync(importVat(`import { makeStor } from '@agoric/store';`), {
    message:
      /vat-x\.js:1: "@agoric\/store" does not export "makeStor"; did you mean "makeStore"\?; vats get it from the system/,
  });
});
