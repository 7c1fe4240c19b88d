// Vats of the system under the paths of SwingSet's own package: as modules that a vat passes on.

import '#testkit/lockdown.js';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { runVats } from './run-vats.js';
import { loadVatModules } from '#system-vats/as-modules.js';

const demo = path.join(import.meta.dirname, '../../../../demos/encouragementBotComms');

/** The demo as it stood in SwingSet's runner: with vats that pass comms and vattp on, comms as a raw vat. */
const filesOf2020 = {
  'vat-comms.js': `import buildCommsDispatch from '@agoric/swingset-vat/src/vats/comms/index.js';
    export default (syscall, _state, _helpers, _vatPowers) => buildCommsDispatch(syscall);`,
  'vat-vattp.js': `export { buildRootObject } from '@agoric/swingset-vat/src/vats/vat-tp';`,
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    loopboxSenders: ['user', 'bot'],
    bundles: {
      commsvat: { sourceSpec: 'vat-comms.js' },
      vattpvat: { sourceSpec: 'vat-vattp.js' },
    },
    vats: {
      bootstrap: { sourceSpec: 'bootstrap.js' },
      bot: { sourceSpec: 'vat-bot.js' },
      botcomms: { bundleName: 'commsvat', creationOptions: { enableSetup: true } },
      botvattp: { bundleName: 'vattpvat' },
      user: { sourceSpec: 'vat-user.js' },
      usercomms: { bundleName: 'commsvat', creationOptions: { enableSetup: true } },
      uservattp: { bundleName: 'vattpvat' },
    },
  }),
};

/** @param {string} baseDir @param {'current' | '2020-09'} profile */
const runFolder = async (baseDir, profile) => {
  /** @type {string[]} */
  const log = [];
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    store: makeMemoryStore(),
    profile,
    observer: {
      onConsole: (vat, _level, text) => log.push(`${vat}: ${text}`),
      onVatError: (vat, error) => log.push(`error of ${vat}: ${error}`),
    },
  });
  await simulation.run();
  await simulation.close();
  return log;
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: a directory may pass comms on as a raw vat`, async t => {
    const dir = temporaryDirectory(t, 'vats-as-modules');
    for (const file of ['bootstrap.js', 'vat-bot.js', 'vat-user.js'])
      fs.copyFileSync(path.join(demo, file), path.join(dir, file));
    for (const [file, text] of Object.entries(filesOf2020))
      fs.writeFileSync(path.join(dir, file), text);
    t.deepEqual(await runFolder(dir, profile), await runFolder(demo, profile));
  });
}

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: a vat that passes vattp on is a vattp vat of its own`, async t => {
    const { printed, errors } = await runVats(
      {
        bootstrap: `import { E, Far } from '@endo/far';
          export const buildRootObject = () => Far('root', {
            async bootstrap({ tp, vattp }) {
              for (const vat of [tp, vattp]) {
                const { transmitter } = await E(vat).addRemote('x');
                console.log(typeof transmitter);
              }
              console.log(await E(tp).addRemote('x').catch(error => error.message));
            },
          });`,
        tp: `export { buildRootObject } from '@agoric/swingset-vat/src/vats/vat-tp';`,
      },
      { profile },
    );
    t.deepEqual(printed, [
      'bootstrap: object',
      'bootstrap: object',
      'bootstrap: vattp has a remote "x" already',
    ]);
    t.is(errors.length, 1);
  });
}

test("comms takes deliveries in the form of today's raw vats", async t => {
  const specifier = '@agoric/swingset-vat/src/vats/comms/index.js';
  const { [specifier]: module } = await loadVatModules([specifier, '@endo/far']);
  const build = /** @type {any} */ (module.default);
  /** @type {unknown[][]} */
  const syscalls = [];
  const note =
    (/** @type {string} */ name) =>
    (/** @type {unknown[]} */ ...args) =>
      void syscalls.push([name, ...args]);
  const dispatch = build({
    send: note('send'),
    subscribe: note('subscribe'),
    resolve: note('resolve'),
  });
  dispatch(['startVat', { body: '#{}', slots: [] }]);
  const methargs = { body: '#["addRemote",["bot","$0","$1"]]', slots: ['o-50', 'o-51'] };
  dispatch(['message', 'o+0', { methargs, result: 'p-60' }]);
  t.deepEqual(syscalls, [
    ['send', 'o-51', { body: '#["setReceiver",["$0.Alleged: undefined"]]', slots: ['o+10'] }, null],
    ['resolve', [['p-60', false, { body: '#"#undefined"', slots: [] }]]],
  ]);
  syscalls.length = 0;
  // A message without a result: today's kernel leaves it out.
  const receive = { body: '#["receive",["1:0:deliver:ro+7:;#[\\"x\\",[]]"]]', slots: [] };
  dispatch(['message', 'o+10', { methargs: receive }]);
  t.deepEqual(syscalls, []);
});
