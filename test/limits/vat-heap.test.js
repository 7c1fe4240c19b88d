// A vat with `limits: { heap }` that takes more memory than that ends alone, however it takes it. Where it does depends on the
// machine and the engine, so it is an input of the run, and a run that is repeated or resumed takes it from there.

import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';

import { loadConfig, makeMemoryStore, makeSimulation, replayRecording } from '#host';
import { cacheDir, insistRepeats, limitedVat, run, writeProgram } from './limited-vats.js';

// Options of the host program's Node do not reach the processes of vats, which would not begin with this one.
process.env.NODE_OPTIONS = '--require=./there-is-no-such-file.cjs';

const mebibyte = 2 ** 20;

/**
 * Ways to fill memory. For `array` and `map`, which need one large object, the engine ends the whole process, even where they
 * run on a thread with a bound of its own.
 */
const hogs = {
  list: 'const list = []; for (;;) list.push({ list });',
  array: 'const list = new Array(2 ** 25).fill(1.5); return list.length;',
  map: 'const map = new Map(); for (let i = 0; ; i += 1) map.set(i, i);',
  buffers: 'const list = []; for (;;) list.push(new Uint8Array(2 ** 20).fill(1));',
  slices: 'const list = [new Uint8Array(2 ** 20)]; for (;;) list.push(list[0].slice());',
};

const names = Object.keys(hogs);

const boot = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('root', {
    async bootstrap({ keeper, ${names.join(', ')} }) {
      for (const hog of [${names.join(', ')}]) {
        console.log('kept', await E(keeper).add(await E(hog).hello()));
        await E(hog).eat().catch(error => console.log(error.message));
        await E(hog).hello().catch(error => console.log(error.message));
      }
      console.log('kept', await E(keeper).add(1));
    },
  });
`;

/** It makes more in all than it may have, but lets go of it. */
const keeper = `
  import { Far } from '@endo/far';
  export const buildRootObject = () => {
    let sum = 0;
    let last;
    return Far('keeper', {
      add(n) {
        for (let i = 0; i < 40; i += 1) last = [new Uint8Array(2 ** 20), new Array(2 ** 16).fill({})];
        return (sum += n);
      },
    });
  };
`;

/** @param {string} body */
const hog = body => `
  import { Far } from '@endo/far';
  export const buildRootObject = () => Far('hog', { hello: () => 5, eat() { ${body} } });
`;

test.serial('only a vat that fills its memory ends, in all ways of filling it', async t => {
  const baseDir = writeProgram(
    t,
    {
      ...{ boot, keeper },
      ...Object.fromEntries(Object.entries(hogs).map(([name, body]) => [name, hog(body)])),
    },
    {
      bootstrap: 'boot',
      vats: {
        boot: { sourceSpec: './boot.js' },
        keeper: limitedVat('keeper', { heap: 24 * mebibyte }),
        ...Object.fromEntries(names.map(name => [name, limitedVat(name, { heap: 24 * mebibyte })])),
      },
    },
  );
  const { outcome, limits, store } = await run(baseDir);
  t.deepEqual(outcome.said, [
    ...names.flatMap((_, i) => [`kept ${5 * i + 5}`, 'vat terminated', 'vat terminated']),
    `kept ${5 * names.length + 1}`,
  ]);
  t.deepEqual(
    limits.map(({ data }) => data),
    names.map(() => 'heap'),
  );
  for (const name of names)
    t.true(
      outcome.errors.some(error =>
        error.includes(`vat ${name} was ended: its memory went beyond limits.heap`),
      ),
      outcome.errors.join('\n'),
    );

  // The vats that ended are not run when the run is repeated.
  await insistRepeats(t, store, outcome);
});

const maker = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('root', {
    async bootstrap({ vatAdmin, neighbour }, devices) {
      const admin = await E(vatAdmin).createVatAdminService(devices.vatAdmin);
      const make = (name, limits) => E(admin).createVatByName(name, { limits });
      const told = [];
      const tell = error => told.push(error.message);
      for (const heap of [0, 1.5, -1, '5', 2 ** 20 - 1, 2 ** 40]) await make('hog', { heap }).catch(tell);
      console.log(new Set(told.map(text => text.split(', got')[0])).size, told[0]);
      await make('start', { heap: 2 ** 24 }).catch(error => console.log('start', error.message));
      const { root, adminNode } = await make('hog', { heap: 2 ** 24, crankMs: 600000 });
      const done = E(adminNode).done().catch(error => console.log('done', error.message));
      const eating = E(root).eat().catch(error => console.log('eat', error.message));
      const adding = Promise.all([E(neighbour).add(2), E(neighbour).add(3)]);
      await eating;
      await done;
      console.log('kept', (await adding).join(' '), await E(neighbour).add(10));
      const slow = await make('loop', { heap: 2 ** 24, crankMs: 2000 });
      const slowDone = E(slow.adminNode).done().catch(error => console.log('done', error.message));
      await E(slow.root).eat().catch(error => console.log('loop', error.message));
      await slowDone;
    },
  });
`;

/** Processes in the order of their beginning. @type {import('node:child_process').ChildProcess[]} */
const children = [];

diagnostics.subscribe('child_process', message => {
  children.push(/** @type {any} */ (message).process);
});

test.serial('dynamic vats have a bound too, from their start on', async t => {
  const baseDir = writeProgram(
    t,
    {
      ...{ maker, keeper, hog: hog(hogs.array), loop: hog('for (;;);') },
      start: `const list = []; for (;;) list.push([list]); export const buildRootObject = () => {};`,
    },
    {
      bootstrap: 'maker',
      vats: {
        maker: { sourceSpec: './maker.js' },
        neighbour: limitedVat('keeper', { heap: 24 * mebibyte }),
      },
      bundles: Object.fromEntries(
        ['hog', 'start', 'loop'].map(name => [name, { sourceSpec: `./${name}.js` }]),
      ),
    },
  );
  const { outcome, limits, store } = await run(baseDir);
  const { said } = outcome;
  t.regex(
    said.shift() ?? '',
    /^1 .*limits must be .*"heap", a whole number of bytes from 1048576 to 68719476736, or both/,
  );
  t.deepEqual(said, [
    'start Vat Creation Error: Error: its memory went beyond limits.heap',
    'eat vat terminated',
    'done its memory went beyond limits.heap',
    'kept 2 5 15',
    'loop vat terminated',
    'done its crank took longer than limits.crankMs allows',
  ]);
  t.deepEqual(
    limits.map(({ data }) => data),
    ['heap', 'heap', 'crankMs'],
  );
  t.true(children.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null));
  const replayed = await replayRecording(store, { cacheDir });
  t.is(replayed.activityHash, outcome.activityHash);
});

const ender = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('root', {
    async bootstrap({ vatAdmin }, devices) {
      const admin = await E(vatAdmin).createVatAdminService(devices.vatAdmin);
      const { root, adminNode } = await E(admin).createVatByName('hog', { limits: { heap: 2 ** 25 } });
      await E(root).hello();
      await E(adminNode).terminateWithFailure('over');
    },
  });
`;

test.serial('no process takes the place of that of a vat that has ended', async t => {
  const baseDir = writeProgram(
    t,
    { ender, hog: hog('') },
    {
      bootstrap: 'ender',
      vats: { ender: { sourceSpec: './ender.js' } },
      bundles: { hog: { sourceSpec: './hog.js' } },
    },
  );
  const begun = children.length;
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: makeMemoryStore(), cacheDir },
  });
  const running = simulation.run();
  while (children.length === begun) await nextTurn();
  await Promise.all([once(children[begun], 'close'), running]);
  t.is(children.length, begun + 1);
  await simulation.close();
});

test.serial('with both limits a vat ends within a function of the engine, too', async t => {
  const baseDir = writeProgram(
    t,
    {
      boot: `
        import { E, Far } from '@endo/far';
        export const buildRootObject = () => Far('root', {
          async bootstrap({ stuck }) {
            await E(stuck).eat().catch(error => console.log(error.message));
          },
        });
      `,
      stuck: hog('return Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);'),
    },
    {
      bootstrap: 'boot',
      vats: {
        boot: { sourceSpec: './boot.js' },
        stuck: limitedVat('stuck', { crankMs: 5_000, heap: 64 * mebibyte }),
      },
    },
  );
  const { outcome, limits } = await run(baseDir);
  t.deepEqual(outcome.said, ['vat terminated']);
  t.deepEqual(
    limits.map(({ data }) => data),
    ['crankMs'],
  );
});

const caller = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('root', {
    async bootstrap({ keeper }) {
      for (let i = 0; i < 12; i += 1) await E(keeper).add(i);
      console.log('kept', await E(keeper).add(0));
    },
  });
`;

test.serial("killing a vat's process at any moment costs only time", async t => {
  const baseDir = writeProgram(
    t,
    { caller, keeper },
    {
      bootstrap: 'caller',
      vats: {
        caller: { sourceSpec: './caller.js' },
        keeper: limitedVat('keeper', { heap: 24 * mebibyte }),
      },
    },
  );
  const plain = await run(baseDir);
  t.deepEqual(plain.outcome.said, ['kept 66']);
  let left = 2;
  const begun = children.length;
  const killed = await run(baseDir, {
    wrapTransport: transport =>
      transport.overlaps
        ? {
            ...transport,
            begin(...given) {
              transport.begin(...given);
              const child = children.at(-1);
              if (left === 0 || given[2].microstep % 5 !== 0) return;
              left -= 1;
              child?.kill('SIGKILL');
            },
          }
        : transport,
  });
  t.deepEqual(killed.outcome, plain.outcome);
  t.is(children.length - begun, 3);
});
