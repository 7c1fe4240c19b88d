// Vats that are made while the run is on get their parameters; from some parameters no vat can be made.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeSimulation, openLmdbStore } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { runVats } from './run-vats.js';
import { profiles, worker, bootstrap, run, said } from './dynamic-vats.js';

test('current: parameters of a vat may hold presences', async t => {
  const ran = await run(
    `
      const { root } = await make({ vatParameters: { friend: self } });
      await E(root).hear('a friend');
    `,
    'current',
  );
  t.is(ran.failure, undefined);
  t.deepEqual(said(ran), ['heard a friend']);
});

test('current: parameters of a vat may hold devices and the roots of system vats', async t => {
  const ran = await runVats(
    {
      bootstrap: bootstrap(`
        const { root } = await make({ vatParameters: { devices, vats } });
        await tell('it', E(root).show());
      `),
    },
    {
      devices: { timer: {} },
      bundles: {
        worker: `
          import { Far, getInterfaceOf } from '@endo/far';
          export const buildRootObject = (_powers, { devices, vats }) =>
            Far('worker', {
              show: () =>
                [devices.vatAdmin, devices.timer, vats.vatAdmin]
                  .map(getInterfaceOf)
                  .join(),
            });
        `,
      },
    },
  );
  t.is(ran.failure, undefined);
  t.deepEqual(said(ran), ['it gave Alleged: device,Alleged: device,Alleged: root']);
});

test('2020-09: parameters of a vat are data', async t => {
  const ran = await run(`await tell('it', make({ vatParameters: { friend: self } }));`, '2020-09');
  t.deepEqual(said(ran), [
    'it failed with Error: in profile 2020-09, vatParameters can only be data',
  ]);
});

for (const profile of profiles) {
  test(`${profile}: a vat that is made without parameters has those of its time`, async t => {
    const ran = await runVats(
      { bootstrap: bootstrap(`await make();`) },
      {
        profile,
        bundles: {
          worker: `
            import { Far } from '@endo/far';
            export const buildRootObject = (_powers, parameters) => {
              console.log(parameters === undefined ? 'none' : JSON.stringify(parameters));
              return Far('worker', {});
            };
          `,
        },
      },
    );
    t.is(ran.failure, undefined);
    t.deepEqual(ran.printed, [`worker: ${profile === 'current' ? 'none' : '{}'}`]);
  });
  test(`${profile}: subscribers are notified in the order of their ids as texts, as in SwingSet`, async t => {
    const ran = await runVats(
      {
        bootstrap: bootstrap(`
          const workers = [];
          for (let i = 0; i < 7; i += 1) workers.push((await make({ name: 'w' + i })).root);
          let settle;
          const shared = new Promise(resolve => (settle = resolve));
          for (const worker of workers) await E(worker).listen(shared);
          settle('now');
        `),
      },
      {
        profile,
        bundles: {
          worker: `
            import { Far } from '@endo/far';
            export const buildRootObject = () =>
              Far('worker', {
                listen(promise) { Promise.resolve(promise).then(value => console.log(value)); },
              });
          `,
        },
      },
    );
    t.is(ran.failure, undefined);
    // They are v6 to v12, and the subscribers of one promise.
    t.deepEqual(
      ran.printed,
      [4, 5, 6, 0, 1, 2, 3].map(i => `w${i}: now`),
    );
  });
}

test('current: what is no root, and an object that stands for no bundle makes no vat', async t => {
  const ran = await runVats(
    {
      bootstrap: bootstrap(`
        await tell('durable', E(admin).createVatByName('durable'));
        await tell('object', E(admin).createVat(Far('object', {})));
        await tell('foreign', E(admin).createVatByName('foreign', { vatParameters: { self } }));
        for (const name of ['null', 'undefined', 'text'])
          await tell(name, E(admin).createVatByName(name));
        await tell('sent', E(admin).createVatByName('sent', { vatParameters: { self } }));
      `),
    },
    {
      profile: 'current',
      bundles: {
        worker,
        durable: `
          import { prepareSingleton } from '@agoric/vat-data';
          export const buildRootObject = (powers, parameters, baggage) =>
            prepareSingleton(baggage, 'root', { hi: () => 'hi' });
        `,
        null: `export const buildRootObject = () => null;`,
        undefined: `export const buildRootObject = () => {};`,
        text: `throw 'a text'; export const buildRootObject = () => {};`,
        foreign: `export const buildRootObject = (powers, { self }) => self;`,
        sent: `
          import { E, Far } from '@endo/far';
          export const buildRootObject = (powers, { self }) => {
            const root = Far('root', {});
            E(self).hear(root);
            return root;
          };
        `,
      },
    },
  );
  const known = (/** @type {string} */ name) =>
    `${name} failed with Error: Vat Creation Error: Error: Error: buildRootObject() must return ephemeral, not virtual/durable object: this one is of another vat, or was sent to one before it was returned`;
  t.deepEqual(said(ran), [
    'durable failed with Error: Vat Creation Error: Error: Error: buildRootObject() must return ephemeral, not virtual/durable object',
    'object failed with Error: Vat Creation Error: createVat() requires a bundlecap',
    known('foreign'),
    ...['null', 'undefined'].map(
      name =>
        `${name} failed with Error: Vat Creation Error: Error: TypeError: buildRootObject returned ${name}; it must return Far(name, {methods})`,
    ),
    `text failed with Error: Vat Creation Error: Error: vat "text" does not start: 'a text'`,
    known('sent'),
  ]);
});

for (const profile of profiles) {
  for (const isStatic of [true, false]) {
    const title = isStatic ? 'of the config' : 'made in the run';
    test(`${profile}: a critical vat ${title} that fails stops the run at its last block`, async t => {
      const folder = temporaryDirectory(t, 'dynamic-vats');
      const body = isStatic
        ? `const { worker } = vats;`
        : `
          const critical = await E(vats.vatAdmin).getCriticalVatKey();
          const { root: worker } = await make({ critical });
        `;
      writeFileSync(
        join(folder, 'bootstrap.js'),
        bootstrap(`
          ${body}
          for (let i = 0; i < 5; i += 1) await tell('echo', E(worker).echo(i));
          await tell('end', E(worker).exitWithFailure(Error('the disk is full')));
        `),
      );
      writeFileSync(join(folder, 'vat-worker.js'), worker);
      const source = { sourceSpec: './vat-worker.js' };
      const config = {
        bootstrap: 'bootstrap',
        bundles: { worker: source },
        vats: {
          bootstrap: { sourceSpec: './bootstrap.js' },
          worker: { ...source, creationOptions: { critical: isStatic } },
        },
      };
      writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
      const open = (/** @type {boolean} */ create) =>
        openLmdbStore({ dir: join(folder, 'state'), durability: 'none', create });
      const message =
        'the critical vat worker ended, which ends the run at its last block: Error: the disk is full';

      /** @type {string[]} */
      const printed = [];
      const observer = {
        onConsole: (
          /** @type {string} */ _vat,
          /** @type {string} */ _level,
          /** @type {string} */ text,
        ) => void printed.push(text),
      };
      const first = await makeSimulation(loadConfig({ baseDir: folder }), {
        store: open(true),
        profile,
        observer,
      });
      await t.throwsAsync(first.run({ blockSize: 4 }), { name: 'UserError', message });
      t.deepEqual(printed, [
        'echo gave 0',
        'echo gave 1',
        'echo gave 2',
        'echo gave 3',
        'echo gave 4',
      ]);
      await t.throwsAsync(async () => first.commit());
      await first.close();

      // The state is whole, and comes to the same end.
      const second = await makeSimulation(undefined, {
        store: open(false),
        resume: true,
        observer,
      });
      t.is(second.cranks.all % 4, 0);
      await t.throwsAsync(second.run({ blockSize: 1 }), { name: 'UserError', message });
      await second.close();
    });
  }

  test(`${profile}: a critical vat that ends well stops the run too`, async t => {
    const ran = await run(
      `
        const critical = await E(vats.vatAdmin).getCriticalVatKey();
        const { root, adminNode } = await make({ critical });
        E(root).exit('done');
        await tell('it', E(adminNode).done());
      `,
      profile,
    );
    const info = profile === 'current' ? '#"done"' : '"done"';
    t.is(
      ran.failure,
      `the critical vat worker ended, which ends the run at its last block: ${info}`,
    );
    t.deepEqual(said(ran), []);
  });
}
