// Mistakes of host programs in the arguments of the package's functions are reported.

import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation, openLmdbStore } from '../public.js';

const bank = join(import.meta.dirname, '../../../examples/bank');

/** @param {unknown} options @param {unknown} [config] */
const make = (options, config = loadConfig({ baseDir: bank })) =>
  makeSimulation(/** @type {any} */ (config), /** @type {any} */ (options));

/** @type {[options: () => unknown, told: RegExp][]} */
const mistakes = [
  [
    () => ({ store: makeMemoryStore(), resme: true }),
    /^option "resme" of makeSimulation\(\) does not exist, got true; did you mean "resume"\?$/,
  ],
  [
    () => ({ store: makeMemoryStore(), profile: '2021' }),
    /^option "profile" of makeSimulation\(\) has a wrong value, got the string "2021"; give one of "current", "2020-09"$/,
  ],
  [
    () => ({ store: makeMemoryStore(), resume: 'yes' }),
    /^option "resume" .* got the string "yes"; give true or false$/,
  ],
  [
    () => ({ store: makeMemoryStore(), calls: { maxCall: 3 } }),
    /^option "maxCall" of "calls" of makeSimulation\(\) does not exist, got 3; did you mean "maxCalls"\?$/,
  ],
  [
    () => ({ store: makeMemoryStore(), observer: { onConsle() {} } }),
    /^option "onConsle" of "observer" of makeSimulation\(\) does not exist, got a function; did you mean "onConsole"\?$/,
  ],
  [
    () => ({ store: makeMemoryStore(), deviceEndowments: { bell: 7 } }),
    /^the endowments of device "bell" for makeSimulation\(\) are not an object, got 7; give the object that/,
  ],
  [
    () => ({}),
    /^option "store" of makeSimulation\(\) is missing, got undefined; give makeMemoryStore\(\), or/,
  ],
  [
    () => ({ store: new Map() }),
    /^option "store" of makeSimulation\(\) is not a store, got an object; give/,
  ],
  [
    () => makeMemoryStore(),
    /^the options of makeSimulation\(\) are not an object of options, got a store; give \{ store: … \}$/,
  ],
  [
    () => undefined,
    /^the options of makeSimulation\(\) are not an object, got undefined; give \{ store: … \}$/,
  ],
];

for (const [options, told] of mistakes)
  test(`makeSimulation refuses: ${told.source.slice(1, 60)}`, async t => {
    await t.throwsAsync(make(options()), { instanceOf: TypeError, message: told });
  });

test('a directory is no config', async t => {
  await t.throwsAsync(make({ store: makeMemoryStore() }, 'demos/pingpong'), {
    instanceOf: TypeError,
    message:
      /^the config of makeSimulation\(\) is not one that was loaded, got the string "demos\/pingpong"; give loadConfig/,
  });
});

test('the other functions refuse options that they do not have', async t => {
  t.throws(() => loadConfig(/** @type {any} */ ({ basedir: bank })), {
    instanceOf: TypeError,
    message: /^option "basedir" of loadConfig\(\) does not exist, .*; did you mean "baseDir"\?$/,
  });
  const dir = temporaryDirectory(t);
  /** @param {object} options */
  const open = options => openLmdbStore(/** @type {any} */ (options));
  t.throws(() => open({ dir, durability: 'sync', create: true }), {
    instanceOf: TypeError,
    message:
      /^option "durability" of openLmdbStore\(\) .* got the string "sync"; give one of "commit"/,
  });
  t.throws(() => open({ dir, create: true }), {
    instanceOf: TypeError,
    message: /^option "durability" of openLmdbStore\(\) is missing/,
  });
  const simulation = await make({ store: makeMemoryStore() });
  await t.throwsAsync(simulation.run(/** @type {any} */ ({ maxCrank: 1 })), {
    instanceOf: TypeError,
    message: /^option "maxCrank" of run\(\) does not exist, got 1; did you mean "maxCranks"\?$/,
  });
  // With these it would go on for ever.
  for (const blockSize of [0, -1, NaN])
    await t.throwsAsync(simulation.run({ blockSize }), {
      name: 'UserError',
      message: `blockSize must be a number from 1, got ${blockSize}`,
    });
  for (const name of ['maxCranks', 'untilNs', 'maxWakes'])
    await t.throwsAsync(simulation.run({ [name]: NaN }), {
      name: 'UserError',
      message: `${name} must be a number from 0, got NaN`,
    });
  const start = (/** @type {any} */ options) => simulation.start(options);
  t.throws(() => start({ time: 'soon' }), {
    instanceOf: TypeError,
    message: /^option "time" of start\(\) .* give one of "physical", "leaping"$/,
  });
  await t.throwsAsync(
    simulation.call('bank', 'balance', ['ann'], /** @type {any} */ ({ timeout: 5 })),
    {
      instanceOf: TypeError,
      message: /^option "timeout" of call\(\) does not exist, got 5; did you mean "timeoutMs"\?$/,
    },
  );
  await t.throwsAsync(simulation.stop(/** @type {any} */ ({ within: 5 })), {
    instanceOf: TypeError,
    message: /^option "within" of stop\(\) does not exist/,
  });
  t.is(await simulation.call('bank', 'balance', ['ann']), 100n, 'nothing of it did harm');
  await simulation.close();
});
