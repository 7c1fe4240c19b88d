import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

import { loadConfig, makeMemoryStore, makeSimulation, runRounds, UserError } from '../index.js';

const worker = `
  import { Far } from '@endo/far';
  export const buildRootObject = ({ exitVatWithFailure }, parameters) =>
    Far('worker', {
      parameters: () => harden({ ...parameters }),
      fail: () => exitVatWithFailure(Error('worn out')),
    });
`;

const raw = `
  export default syscall => ({
    deliver: (target, method, args, result) =>
      syscall.fulfillToData(result, { body: '"raw"', slots: [] }),
  });
`;

const bootstrap = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = (_powers, { argv, mode }) =>
    Far('bootstrap', {
      async bootstrap(vats, devices) {
        console.log(Object.keys(vats).sort().join(' '), Object.keys(devices).join(' '));
        console.log(argv.join(' '), JSON.stringify(await E(vats.launcher).parameters()));
        console.log(await E(vats.raw).any());
        if (mode === 'fail') await E(vats.launcher).fail();
        return 'over';
      },
      runBenchmarkRound: () => console.log('a round'),
    });
`;

/**
 * A config with a vat of every kind; one is called as the launcher is.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {{ mode?: string, critical?: boolean, bootstrap?: string, options?: object }} [how]
 */
const load = (
  t,
  { mode = '', critical = false, bootstrap: source = bootstrap, options = {} } = {},
) => {
  const folder = temporaryDirectory(t, 'indirect');
  const config = {
    bootstrap: 'bootstrap',
    bundles: { 'vat-launcher': { sourceSpec: './raw.js' } },
    vats: {
      raw: {
        bundleName: 'vat-launcher',
        creationOptions: { enableSetup: true, nodeOptions: ['x'] },
      },
      launcher: {
        sourceSpec: './worker.js',
        parameters: { n: 1, list: ['x'] },
        creationOptions: {
          ...{ critical, managerType: 'local', enableInternalMetering: false },
          ...options,
        },
      },
      bootstrap: { sourceSpec: './bootstrap.js', parameters: { mode } },
    },
  };
  const files = {
    'swingset.json': JSON.stringify(config),
    'bootstrap.js': source,
    'worker.js': worker,
    'raw.js': raw,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return loadConfig({ baseDir: folder, argv: ['one', 'two'], indirect: true });
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {Parameters<typeof load>[1]} how
 * @param {'current' | '2020-09'} profile
 */
const start = async (t, how, profile) => {
  /** @type {string[]} */
  const printed = [];
  const simulation = await makeSimulation(load(t, how), {
    store: makeMemoryStore(),
    profile,
    observer: { onConsole: (_vat, _level, text) => void printed.push(text) },
  });
  t.teardown(() => simulation.close());
  return { simulation, printed };
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(
    `${profile}: a launcher hands on options, parameters, arguments, vats and devices`,
    async t => {
      const { simulation, printed } = await start(t, {}, profile);
      t.is(simulation.bootstrapVat, 'launcher');
      t.is(simulation.launches, 'bootstrap');
      await runRounds(simulation, { rounds: 2 });
      t.deepEqual(printed, [
        'bootstrap comms launcher raw timer vatAdmin vattp vatAdmin',
        profile === 'current' ? 'one two {"list":["x"],"n":1}' : 'one two {"n":1,"list":["x"]}',
        'raw',
        'a round',
        'a round',
      ]);
      t.regex(simulation.status(simulation.bootstrapResult).data?.body ?? '', /"over"$/);
    },
  );

  test.serial(
    `${profile}: a critical vat that a launcher made stops the run when it fails`,
    async t => {
      const { simulation } = await start(t, { mode: 'fail', critical: true }, profile);
      await t.throwsAsync(simulation.run(), {
        instanceOf: UserError,
        message:
          'the critical vat launcher ended, which ends the run at its last block: Error: worn out',
      });
    },
  );

  test.serial(`${profile}: a vat that a launcher cannot start fails the bootstrap`, async t => {
    const { simulation } = await start(t, { bootstrap: `throw Error('no good');` }, profile);
    await runRounds(simulation);
    const { state, data } = simulation.status(simulation.bootstrapResult);
    t.is(state, 'rejected');
    t.regex(data?.body ?? '', /Vat Creation Error: (?:Error: )+no good/);
  });
}

test.serial('the vat behind a launcher determines whether there are rounds', async t => {
  const without = bootstrap.replace('runBenchmarkRound', 'other');
  const { simulation, printed } = await start(t, { bootstrap: without }, 'current');
  await runRounds(simulation);
  t.is(printed.length, 3);
  await t.throwsAsync(runRounds(simulation, { rounds: 1 }), {
    message:
      'the root object of vat "bootstrap" has no method runBenchmarkRound(), so that it cannot run 1 rounds; leave --benchmark out, or add the method',
  });
});

for (const [options, interval] of /** @type {[object, unknown][]} */ ([
  [{ neverReap: true, metered: true }, 0],
  [{ reapInterval: 'never' }, 0],
  [{ reapInterval: 7 }, 7],
])) {
  test.serial(`a launcher hands on ${JSON.stringify(options)}`, async t => {
    const { simulation } = await start(t, { options }, 'current');
    await runRounds(simulation);
    t.regex(simulation.status(simulation.bootstrapResult).data?.body ?? '', /"over"$/);
    const { vats } = simulation.kernel.state;
    const rows = [...vats.vats.entries()].map(([, row]) => row);
    const made = rows.find(({ name, isStatic }) => name === 'launcher' && !isStatic);
    t.is(made?.options.reapInterval, interval);
  });
}

for (const options of [{ reapGCKrefs: 3 }, { enableDisavow: true }]) {
  const [option] = Object.keys(options);
  test(`a launcher cannot hand on ${option}`, t => {
    t.throws(() => load(t, { options }), {
      instanceOf: UserError,
      message: `vats.launcher.creationOptions has "${option}", which --indirect cannot hand on, since createVat() does not take it; leave one of the two out`,
    });
  });
}
