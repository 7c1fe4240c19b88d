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

test("a vat or device that takes the place of one of the system's is told of, and a config without one says nothing", async t => {
  const folder = temporaryDirectory(t, 'source-notices');
  const root = (/** @type {string} */ name) =>
    `import { Far } from '@endo/far';\nexport const ${name} = () => Far('x', { bootstrap() {} });\n`;
  writeFileSync(join(folder, 'vat.js'), root('buildRootObject'));
  writeFileSync(join(folder, 'device.js'), root('buildRootDeviceNode'));
  /** @param {{ vats?: object, devices?: object }} parts */
  const noticesOf = async ({ vats = {}, ...others }) => {
    const vat = { sourceSpec: './vat.js' };
    const config = { bootstrap: 'vat', vats: { vat, ...vats }, ...others };
    const configFile = join(folder, 'swingset.json');
    writeFileSync(configFile, JSON.stringify(config));
    const store = makeMemoryStore();
    const simulation = await makeSimulation(loadConfig({ configFile }), { store });
    await simulation.close();
    return simulation.notices;
  };
  const told = (/** @type {string} */ part, /** @type {string} */ kind) =>
    `${part} of the config takes the place of the system's ${kind} of that name, which SwingSet would run instead; call it otherwise if both are wanted`;
  t.deepEqual(await noticesOf({}), []);
  const comms = { sourceSpec: '@agoric/swingset-vat/src/vats/comms' };
  t.deepEqual(await noticesOf({ vats: { comms } }), []);
  const timer = { sourceSpec: './vat.js' };
  t.deepEqual(await noticesOf({ vats: { timer, vattp: timer } }), [
    told('vat "vattp"', 'vat'),
    told('vat "timer"', 'vat'),
  ]);
  t.deepEqual(await noticesOf({ devices: { vatAdmin: { sourceSpec: './device.js' } } }), [
    told('device "vatAdmin"', 'device'),
  ]);
});
