// A vat with `limits: { crankMs }` that does not end its crank in time ends alone. When that is depends on the machine, so it is an
// input of the run, and a run that is repeated or resumed takes it from there.

import test from 'ava';

import { loadConfig, makeMemoryStore, makeSimulation, replayRecording, runRounds } from '#host';
import { cacheDir, insistRepeats, limitedVat, run, writeProgram } from './limited-vats.js';

const boot = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('root', {
    async bootstrap({ keeper, loop, regexp, jobs, calls }, { counter }) {
      for (const victim of [loop, regexp, jobs, calls]) {
        console.log('kept', await E(keeper).add(await E(victim).hello()));
        await E(victim).hang(counter).catch(error => console.log(error.message));
        await E(victim).hello().catch(error => console.log(error.message));
      }
      console.log('kept', await E(keeper).add(1));
    },
  });
`;

const keeper = `
  import { Far } from '@endo/far';
  export const buildRootObject = () => {
    let sum = 0;
    return Far('keeper', { add: n => (sum += n) });
  };
`;

/** @param {string} body */
const victim = body => `
  import { Far } from '@endo/far';
  export const buildRootObject = ({ D }) =>
    Far('victim', { hello: () => 5, hang(counter) { ${body} } });
`;

const hangs = {
  loop: 'for (;;);',
  regexp: "return /^(a+)+$/.test('a'.repeat(60) + '!');",
  jobs: 'const again = () => Promise.resolve().then(again); return again();',
  calls: 'for (;;) D(counter).count();',
};

const counter = `
  export const buildRootDeviceNode = () => {
    let n = 0;
    return harden({ count: () => (n += 1) });
  };
`;

/** @param {import('ava').ExecutionContext} t */
const writeVictims = t => {
  const victims = Object.entries(hangs);
  return writeProgram(
    t,
    {
      boot,
      keeper,
      counter,
      ...Object.fromEntries(victims.map(([name, body]) => [name, victim(body)])),
    },
    {
      bootstrap: 'boot',
      devices: { counter: { sourceSpec: './counter.js' } },
      vats: {
        boot: { sourceSpec: './boot.js' },
        keeper: limitedVat('keeper', { crankMs: 600_000 }),
        ...Object.fromEntries(
          victims.map(([name]) => [name, limitedVat(name, { crankMs: 1_500 })]),
        ),
      },
    },
  );
};

test.serial(
  'a loop, a regular expression, jobs and device calls without end end their vats alone',
  async t => {
    const baseDir = writeVictims(t);
    const { outcome, limits, store } = await run(baseDir);
    const ended = ['vat terminated', 'vat terminated'];
    t.deepEqual(outcome.said, [
      'kept 5',
      ...ended,
      'kept 10',
      ...ended,
      'kept 15',
      ...ended,
      'kept 20',
      ...ended,
      'kept 21',
    ]);
    t.deepEqual(
      limits.map(({ data }) => data),
      ['crankMs', 'crankMs', 'crankMs', 'crankMs'],
    );
    for (const name of Object.keys(hangs))
      t.true(
        outcome.errors.some(error =>
          error.includes(`vat ${name} was ended: its crank took longer than limits.crankMs allows`),
        ),
        outcome.errors.join('\n'),
      );

    // How many threads there are besides makes no difference.
    t.deepEqual((await run(baseDir, { workers: 2 })).outcome, outcome);

    // The vats that hung are not run when the run is repeated.
    await insistRepeats(t, store, outcome);
  },
);

const maker = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('root', {
    async bootstrap({ vatAdmin, keeper }, devices) {
      const admin = await E(vatAdmin).createVatAdminService(devices.vatAdmin);
      const make = (name, options) => E(admin).createVatByName(name, options);
      for (const limits of [{ crankMs: 0 }, { crankMs: '5' }, { crankMs: 5, heap: 1 }, {}, 5])
        await make('victim', { limits }).catch(error => console.log(error.message));
      await make('slow', { limits: { crankMs: 1500 } }).catch(error => console.log(error.message));
      const { root, adminNode } = await make('victim', { limits: { crankMs: 1500 } });
      const done = E(adminNode).done().catch(error => console.log('done', error.message));
      // The three are on their way at once: the second and third wait on the thread that ends.
      const hanging = E(root).hang().catch(error => console.log(error.message));
      const adding = Promise.all([E(keeper).add(2), E(keeper).add(3)]);
      await hanging;
      await done;
      console.log('kept', (await adding).join(' '), await E(keeper).add(10));
      const { root: same } = await make('victim', { limits: { crankMs: 600000 } });
      console.log('another', await E(same).hello());
    },
  });
`;

/** @param {import('ava').ExecutionContext} t */
const writeMaker = t =>
  writeProgram(
    t,
    {
      ...{ maker, keeper, victim: victim(hangs.loop) },
      slow: `export const buildRootObject = () => { for (;;); };`,
    },
    {
      bootstrap: 'maker',
      vats: {
        maker: { sourceSpec: './maker.js' },
        keeper: limitedVat('keeper', { crankMs: 600_000 }),
      },
      bundles: {
        victim: { sourceSpec: './victim.js' },
        slow: { sourceSpec: './slow.js' },
      },
    },
  );

test.serial('dynamic vats have limits too, from their start on', async t => {
  const baseDir = writeMaker(t);
  const { outcome, limits, store } = await run(baseDir);
  const { said } = outcome;
  for (const text of said.splice(0, 5))
    t.regex(
      text,
      /limits must be an object with "crankMs", a whole number of milliseconds from 1 /,
    );
  t.regex(said[0], /its crank took longer than limits\.crankMs allows/);
  t.deepEqual(said.slice(1), [
    'vat terminated',
    'done its crank took longer than limits.crankMs allows',
    'kept 2 5 15',
    'another 5',
  ]);
  t.is(limits.length, 2);
  const replayed = await replayRecording(store, { cacheDir });
  t.is(replayed.activityHash, outcome.activityHash);
  const again = await run(baseDir, { workers: 1, workerDelays: 3 });
  t.is(again.outcome.activityHash, outcome.activityHash);
  t.is(again.outcome.digest, outcome.digest);
});

test.serial(
  'a vat with virtual data that keeps its limits does what it does without them',
  async t => {
    const baseDir = new URL('../fixtures/virtual-vats', import.meta.url).pathname;
    /** @param {import('#model').VatLimits} [limits] */
    const hashWith = async limits => {
      const config = loadConfig({ baseDir, argv: ['3'] });
      const { ann, ...others } = config.vats;
      const creationOptions = { ...ann.creationOptions, ...(limits && { limits }) };
      const vats = { ...others, ann: { ...ann, creationOptions } };
      const store = makeMemoryStore();
      const simulation = await makeSimulation({ ...config, vats }, { store, cacheDir });
      await runRounds(simulation, { rounds: 4 });
      const hash = simulation.activityHash();
      await simulation.close();
      return hash;
    };
    t.is(await hashWith({ crankMs: 600_000 }), await hashWith());
  },
);

test.serial('invalid and impossible limits give errors of one line', async t => {
  const make = (/** @type {object} */ creationOptions, /** @type {object} */ options = {}) => {
    const boot2 = { sourceSpec: './keeper.js', creationOptions };
    const baseDir = writeProgram(t, { keeper }, { bootstrap: 'boot', vats: { boot: boot2 } });
    const config = loadConfig({ baseDir });
    return makeSimulation(config, { store: makeMemoryStore(), cacheDir, ...options });
  };
  for (const limits of [{ crankMs: 0 }, { crankMs: 1e9 }, { crankMs: 5, heap: 5 }, {}, 7, null])
    await t.throwsAsync(async () => make({ limits }), {
      message: /creationOptions\.limits must be an object with "crankMs", a whole number/,
    });
  await t.throwsAsync(make({ limits: { crankMs: 5 }, managerType: 'local' }), {
    message: /vat "boot" has limits, and needs the kernel's thread: its managerType is "local"/,
  });
  await t.throwsAsync(make({ limits: { crankMs: 5 } }, { vatPowers: { extra: () => 1 } }), {
    message: /vat "boot" has limits, and needs the kernel's thread: it is given vatPowers/,
  });
});

test.serial('limits of a vat do not count when a resumed run replays it', async t => {
  const busy = `
    import { Far } from '@endo/far';
    export const buildRootObject = () => {
      let n = 0;
      return Far('busy', {
        bootstrap() { for (let i = 0; i < 1e8; i += 1) n = (n * 31 + i) % 65537; },
        tell: () => n,
      });
    };
  `;
  const patient = { crankMs: 600_000 };
  const baseDir = writeProgram(
    t,
    { busy },
    { bootstrap: 'busy', vats: { busy: limitedVat('busy', patient) } },
  );
  const { store, outcome } = await run(baseDir);
  // As if this machine were so much slower than that of the first run.
  const hurry = (/** @type {string} */ text) => text.replace('"crankMs":600000', '"crankMs":20');
  const resumed = await makeSimulation(undefined, {
    store: {
      ...store,
      *entries(prefix) {
        for (const [key, text] of store.entries(prefix)) yield [key, hurry(text)];
      },
    },
    ...{ cacheDir, resume: true },
  });
  const { state, options } = resumed.kernel.vat('v1');
  t.deepEqual(options.limits, { crankMs: 20 });
  t.is(state, 'running');
  t.is(resumed.activityHash(), outcome.activityHash);
  await resumed.close();
});
