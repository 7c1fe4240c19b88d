// Why a promise does not settle: who is to decide it, what that vat waits for, and where it sent the message.

import test from 'ava';

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';

/** @param {string} name @param {Record<string, string>} files */
const start = async (name, files, options = {}) => {
  const folder = join(directoryOfProcess('pending'), name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
    store: makeMemoryStore(),
    ...options,
  });
  await simulation.run();
  return simulation;
};

const chain = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () =>
      Far('bootstrap', {
        async bootstrap(vats) {
          await null;
          await E(vats.bob).quick();
          return E(vats.bob).ask(vats.carol);
        },
      });`,
  'vat-bob.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () =>
      Far('bob', { quick: () => {}, ask: carol => { console.log('once'); return E(carol).never(); } });`,
  'vat-carol.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () => Far('carol', { never: () => new Promise(() => {}) });`,
};

test('each waiting vat is reported with its message and the place of the send', async t => {
  /** @type {string[]} */
  const printed = [];
  const simulation = await start('chain', chain, {
    observer: {
      onConsole: (/** @type {string} */ _vat, _level = '', text = '') => void printed.push(text),
    },
  });
  const before = simulation.activityHash();
  const lines = await simulation.explainPending(simulation.bootstrapResult);
  const plain = lines.map(line => line.replace(/at \S*\/(\S+),/, 'at $1,'));
  t.deepEqual(plain, [
    'kp40 is to be decided by vat bootstrap',
    'vat bootstrap waits for kp42, the result of ask(), sent at bootstrap.js:8:30, to be decided by vat bob',
    'vat bob waits for kp43, the result of never(), sent at vat-bob.js:4:90, to be decided by vat carol',
  ]);
  t.deepEqual(printed, ['once'], 'nothing is printed when cranks are repeated');
  t.is(simulation.activityHash(), before);
  const round = simulation.queueToVatRoot('bob', 'quick');
  await simulation.run();
  t.deepEqual(await simulation.explainPending(round), [], 'it has settled');
  await simulation.close();
});

test('a vat that awaits its own promise is reported', async t => {
  const simulation = await start('own', {
    'bootstrap.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('bootstrap', { bootstrap: () => new Promise(() => {}) });`,
  });
  t.deepEqual(await simulation.explainPending(simulation.bootstrapResult), [
    'kp40 is to be decided by vat bootstrap',
    'vat bootstrap waits for no other vat: it awaits a promise of its own',
  ]);
  await simulation.close();
});

test('vats that wait for each other are reported once each', async t => {
  const simulation = await start('ring', {
    'bootstrap.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('bootstrap', { bootstrap: vats => E(vats.a).wait(vats.b, vats.a) });`,
    'vat-a.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () => {
        let mine;
        return Far('a', {
          wait: (b, self) => (mine = E(b).wait(self)),
          mine: () => mine,
        });
      };`,
    'vat-b.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () => Far('b', { wait: a => E(a).mine() });`,
  });
  const lines = await simulation.explainPending(simulation.bootstrapResult);
  t.regex(
    lines.join('\n'),
    /vat a waits for kp\d+, the result of wait\(\).* to be decided by vat b/,
  );
  t.regex(
    lines.join('\n'),
    /vat b waits for kp\d+, the result of mine\(\).* to be decided by vat a/,
  );
  t.true(lines.length <= 6, lines.join('\n'));
  await simulation.close();
});

test('many promises are explained in one pass over the table', async t => {
  const simulation = await start('many', chain);
  // Once the realm is locked down.
  const { makePendingExplainer } = await import('#host/explain/pending.js');
  const { kernel } = simulation;
  const { promises } = kernel.state;
  let looks = 0;
  const counting = {
    find: (/** @type {string} */ kref) => promises.find(kref),
    table: {
      entries: () => {
        looks += 1;
        return promises.table.entries();
      },
    },
  };
  const explain = makePendingExplainer(
    /** @type {any} */ ({ vatName: kernel.vatName, state: { promises: counting } }),
  );
  const text = 'kp42 is to be decided by vat bob, which waits for kp43, to be decided by vat carol';
  for (let i = 0; i < 100; i += 1) t.is(explain('kp42'), text);
  t.is(looks, 1);
  t.is(explain('kp43'), 'kp43 is to be decided by vat carol, which waits for no other vat');
  t.is(looks, 2);
  t.is(explain('kp41'), undefined, 'it has settled');
  await simulation.close();
});

test('of many vats that wait, some are reported, since each may cost a replay', async t => {
  const names = ['a', 'b', 'c'];
  const simulation = await start('fan', {
    'bootstrap.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () =>
        Far('bootstrap', {
          bootstrap: ({ never, ...vats }) =>
            Promise.all([vats.a, vats.b, vats.c].map(vat => E(vat).wait(never))),
        });`,
    'vat-never.js': `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('never', { never: () => new Promise(() => {}) });`,
    ...Object.fromEntries(
      names.map(name => [
        `vat-${name}.js`,
        `import { E, Far } from '@endo/far';
        export const buildRootObject = () =>
          Far('${name}', {
            wait: never => Promise.all([1, 2, 3].map(() => E(never).never())),
          });`,
      ]),
    ),
  });
  const lines = await simulation.explainPending(simulation.bootstrapResult);
  t.is(lines.filter(line => line.includes(' waits for ')).length, 10);
  t.is(lines.at(-1), 'further vats wait, too');
  await simulation.close();
});
