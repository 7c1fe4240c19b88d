// The plugin device takes numbers of modules and a receiver from vats, which may give it anything.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';

import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { buildPlugin, buildVatController } from '../index.js';

const vat = `
  import { Far } from '@endo/far';
  const attempt = act => {
    try {
      return \`gives \${act()}\`;
    } catch {
      return 'refused';
    }
  };
  export const buildRootObject = ({ D, testLog }) => Far('root', {
    bootstrap(vats, { plugin }) {
      for (const index of [300_000_000, 1, -1, 0.5, NaN, 'length', '__proto__', null])
        testLog(attempt(() => D(plugin).connect('far', index)));
      testLog(attempt(() => D(plugin).send(0, {})));
      testLog(attempt(() => D(plugin).connect('near')));
      testLog(attempt(() => D(plugin).connect('next', 1)));
      for (const index of [2, -1, 'length', '__proto__'])
        testLog(attempt(() => D(plugin).send(index, {})));
      testLog(attempt(() => D(plugin).registerReceiver(undefined)));
      testLog(attempt(() => D(plugin).registerReceiver(Far('receiver', { reset() {} }))));
    },
  });
`;

test('the plugin device refuses what is no number of a module, and a receiver that is no object', async t => {
  const folder = temporaryDirectory(t);
  const sourceSpec = path.join(folder, 'vat-root.js');
  fs.writeFileSync(sourceSpec, vat);
  const plugin = buildPlugin(
    folder,
    async () => ({ bootPlugin: () => ({}) }),
    thunk => thunk(),
    async () => ({ makeCapTP: () => ({ dispatch() {} }) }),
  );
  const c = await buildVatController(
    /** @type {any} */ ({
      bootstrap: 'root',
      vats: { root: { sourceSpec } },
      devices: { plugin: { sourceSpec: plugin.srcPath } },
    }),
    [],
    {},
    { plugin: plugin.endowments },
  );
  t.teardown(c.shutdown);
  await c.run();
  plugin.reset();
  await c.run();
  const refused = (/** @type {number} */ times) => Array.from({ length: times }, () => 'refused');
  t.deepEqual(c.dump().log, [
    ...refused(9),
    ...['gives 0', 'gives 1'],
    ...refused(5),
    'gives undefined',
  ]);
});
