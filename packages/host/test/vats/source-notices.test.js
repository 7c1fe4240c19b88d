// Slips in sources are told of all code that a config names, and once each.

import test from 'ava';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const slip = `import { E, Far } from '@endo/far';
import { size } from './shared.js';
export const count = vat => E(vat).count() + size;
`;

test('a vat, a bundle and a device are told of a forgotten await, and a shared file once', async t => {
  const folder = temporaryDirectory(t, 'source-notices');
  const files = {
    'bootstrap.js': `${slip}export const buildRootObject = () => Far('bootstrap', { bootstrap() {} });`,
    'spare.js': `${slip}export const buildRootObject = () => Far('spare', {});`,
    'device.js': `${slip}export const buildRootDeviceNode = () => Far('device', {});`,
    'shared.js': 'export const size = 3;\nexport const twice = () => sise * 2;\n',
    'swingset.json': JSON.stringify({
      bootstrap: 'bootstrap',
      vats: { bootstrap: { sourceSpec: './bootstrap.js' } },
      bundles: { spare: { sourceSpec: './spare.js' } },
      devices: { clock: { sourceSpec: './device.js' } },
    }),
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const config = loadConfig({ configFile: join(folder, 'swingset.json') });
  const simulation = await makeSimulation(config, { store: makeMemoryStore() });
  await simulation.close();
  const promise = (/** @type {string} */ file) =>
    `${file}:3: E(vat).count() is a promise, and it is neither a number nor text; did you forget "await"?`;
  t.deepEqual(simulation.notices.map(notice => notice.replace(/^.*\//, '')).sort(), [
    promise('bootstrap.js'),
    promise('device.js'),
    'shared.js:2: nobody declares "sise", so it is undefined in the vat; did you mean "size"?',
    promise('spare.js'),
  ]);
});
