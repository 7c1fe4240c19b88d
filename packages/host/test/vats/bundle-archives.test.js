// A bundle that is made of a config's `sourceSpec`, as a vat gets it that imports bundles itself.

import test from 'ava';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { adoptBundle, importBundle } from '#loader/bundle/index.js';

const asking = `
  import { E, Far } from '@endo/far';
  const ask = async (admin, D, name) => {
    try {
      console.log(JSON.stringify(D(await E(admin).getNamedBundleCap(name)).getBundle()));
    } catch (error) {
      console.log(name + ': ' + error.message);
    }
  };
  export const buildRootObject = ({ D }) =>
    Far('bootstrap', {
      async bootstrap(vats, devices) {
        const admin = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
        for (const name of ['plain', 'needy']) await ask(admin, D, name);
      },
    });
`;

const files = {
  'bootstrap.js': asking,
  'plain.js': "import { two } from './two.js'; export const run = () => two ** 5;",
  'two.js': 'export const two = 2;',
  'needy.js':
    "import { Far } from '@endo/far'; export const buildRootObject = () => Far('it', {});",
};

/** @param {string} folder @param {string} bootstrap */
const writeProgram = (folder, bootstrap = asking) => {
  for (const [file, text] of Object.entries({ ...files, 'bootstrap.js': bootstrap }))
    writeFileSync(join(folder, file), text);
  const sources = (/** @type {string[]} */ ...names) =>
    Object.fromEntries(names.map(name => [name, { sourceSpec: `./${name}.js` }]));
  const config = {
    bootstrap: 'bootstrap',
    vats: sources('bootstrap'),
    bundles: sources('plain', 'needy'),
  };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
  return join(folder, 'swingset.json');
};

test('getBundle() gives an archive of a sourceSpec, where all that it imports is installed', async t => {
  const configFile = writeProgram(temporaryDirectory(t, 'bundle-archives'));
  /** @type {string[]} */
  const printed = [];
  const simulation = await makeSimulation(loadConfig({ configFile }), {
    store: makeMemoryStore(),
    observer: { onConsole: (_vat, _level, text) => void printed.push(text) },
  });
  await simulation.run();
  const notices = [...simulation.notices];
  await simulation.close();
  const [archive, refusal] = printed;
  const { moduleFormat, ...bundle } = JSON.parse(archive);
  t.is(moduleFormat, 'endoZipBase64');
  const adopted = adoptBundle({ moduleFormat, ...bundle }, 'it');
  const { namespace } = await importBundle(adopted, { name: 'x' });
  t.is(namespace.run(), 32);
  t.regex(refusal, /^needy: syscall\.callNow failed/);
  t.regex(
    notices.join('\n'),
    /bundle "needy" is for vats alone, and getBundle\(\) fails: .*needy\.js:1: cannot import "@endo\/far"/,
  );
  t.notRegex(notices.join('\n'), /"plain"/);
});

test('no archives are made for a program that does not ask for bundles', async t => {
  const folder = temporaryDirectory(t, 'bundle-archives');
  const configFile = writeProgram(folder, asking.replaceAll('getBundle()', 'getBundleID()'));
  const store = makeMemoryStore();
  const simulation = await makeSimulation(loadConfig({ configFile }), {
    store,
    observer: { onConsole: () => {} },
  });
  await simulation.run();
  t.deepEqual([...simulation.notices], []);
  t.deepEqual([...store.entries('host.archive.')], []);
  await simulation.close();
});
