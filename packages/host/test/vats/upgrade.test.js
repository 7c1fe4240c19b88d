// Vats that are upgraded: what the new incarnation finds, what others hear of it, and what a failed upgrade leaves.

import test from 'ava';
import { runVats } from './run-vats.js';

/**
 * A contract with durable things. Each incarnation counts in steps of its own.
 *
 * @param {number} step
 */
const contract = step => `
  import { Far } from '@endo/far';
  import { prepareExoClass, provideDurableMapStore, provideKindHandle, M } from '@agoric/vat-data';
  export const buildRootObject = (powers, parameters, baggage) => {
    const guard = M.interface('thing', { inc: M.call().returns(M.number()), name: M.call().returns(M.string()) });
    const make = prepareExoClass(baggage, 'thing', guard, name => ({ name, n: 0 }), {
      inc() { this.state.n += ${step}; return this.state.n; },
      name() { return this.state.name; },
    });
    const log = provideDurableMapStore(baggage, 'log');
    const note = text => log.init(log.getSize(), '${step} ' + text);
    const watcher = VatData.providePromiseWatcher(
      provideKindHandle(baggage, 'watcher'),
      (value, name) => note(name + ' ' + value),
      (reason, name) => note(name + ' ' + JSON.stringify(reason)),
    );
    const things = provideDurableMapStore(baggage, 'things');
    return Far('root', {
      parameters: () => parameters,
      make: name => { const thing = make(name); things.init(name, thing); return thing; },
      get: name => things.get(name),
      ephemeral: () => Far('ephemeral', { hi: () => 'hi' }),
      virtual: () => VatData.defineKind('virtual', () => ({}), { hi: () => 'hi' })(),
      never: () => new Promise(() => {}),
      watch: (promise, name) => VatData.watchPromise(promise, watcher, name),
      watchOwn: () => VatData.watchPromise(new Promise(() => {}), watcher, 'own'),
      log: () => [...log.values()],
    });
  };`;

const bundles = {
  one: contract(1),
  two: contract(100),
  throws: `export const buildRootObject = () => { throw Error('no way'); };`,
  forgets: `import { Far } from '@endo/far';
    export const buildRootObject = (powers, parameters, baggage) => {
      baggage.set('log', 'gone');
      return Far('root', {});
    };`,
  exits: contract(1).replace('return Far(', 'powers.exitVat("bye"); return Far('),
  noRoot: `export const other = baggage => baggage;`,
};

/** @param {string} body  of bootstrap, with \`root\`, \`adminNode\`, \`cap\` and \`kit\` */
const bootstrap = body => `
  import { E, Far } from '@endo/far';
  import { makePromiseKit } from '@endo/promise-kit';
  export const buildRootObject = () => Far('root', {
    async bootstrap(vats, devices) {
      const admin = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      const cap = name => E(admin).getNamedBundleCap(name);
      const options = { vatParameters: { life: 0 } };
      const { root, adminNode } = await E(admin).createVat(await cap('one'), options);
      const kit = makePromiseKit();
      const tried = promise => promise.then(JSON.stringify, reason => JSON.stringify(reason) + ' ' + reason);
      ${body}
    },
  });`;

const whole = bootstrap(`
  const thing = await E(root).make('first');
  const ephemeral = await E(root).ephemeral();
  const virtual = await E(root).virtual();
  const never = tried(E(root).never());
  await E(root).watch(kit.promise, 'late');
  await E(root).watchOwn();
  console.log(await E(thing).inc(), await E(ephemeral).hi(), await E(virtual).hi());
  const again = { vatParameters: { life: 1 }, upgradeMessage: 'a better one' };
  console.log(await tried(E(adminNode).upgrade(await cap('two'), again)));
  console.log(await never);
  console.log(await E(thing).inc(), await tried(E(ephemeral).hi()), await tried(E(virtual).hi()));
  console.log(JSON.stringify(await E(root).parameters()), (await E(root).get('first')) === thing);
  kit.resolve('value');
  await E(root).make('second');
  console.log(JSON.stringify(await E(root).log()));
  console.log(await tried(E(adminNode).upgrade(await cap('one'))), await E(thing).inc());`);

const gone = '{} Error: vat terminated';
const disconnected = '{"incarnationNumber":0,"name":"vatUpgraded","upgradeMessage":"a better one"}';

test('an upgraded vat continues with its durable data, and other vats learn of the upgrade', async t => {
  const run = await runVats({ bootstrap: whole }, { bundles });
  t.is(run.failure, undefined);
  t.deepEqual(run.printed, [
    'bootstrap: 1 hi hi',
    'bootstrap: {"incarnationNumber":1}',
    `bootstrap: ${disconnected} [object Object]`,
    `bootstrap: 101 ${gone} ${gone}`,
    'bootstrap: {"life":1} true',
    `bootstrap: ${JSON.stringify([`100 own ${disconnected}`, '100 late value'])}`,
    'bootstrap: {"incarnationNumber":2} 102',
  ]);
});

test('a run with upgrades, stopped after any crank and resumed, is the same run', async t => {
  const straight = await runVats({ bootstrap: whole }, { bundles });
  t.true(straight.cranks > 40);
  for (let stopAfter = 3; stopAfter < straight.cranks; stopAfter += 4) {
    const { hash, digest, printed } = await runVats({ bootstrap: whole }, { bundles, stopAfter });
    t.deepEqual([stopAfter, hash, digest], [stopAfter, straight.hash, straight.digest]);
    t.deepEqual(printed, straight.printed);
  }
});

test('a failed upgrade leaves the old incarnation and its data unchanged', async t => {
  const names = ['throws', 'forgets', 'exits', 'noRoot'];
  const run = await runVats(
    {
      bootstrap: bootstrap(`
        const thing = await E(root).make('first');
        const ephemeral = await E(root).ephemeral();
        await E(root).watch(kit.promise, 'late');
        for (const name of ${JSON.stringify(names)}) {
          const failed = await tried(E(adminNode).upgrade(await cap(name)));
          console.log(failed, await E(thing).inc(), await E(ephemeral).hi());
        }
        kit.resolve('value');
        await E(root).make('second');
        console.log(JSON.stringify(await E(root).log()), JSON.stringify(await E(root).parameters()));
        console.log(await tried(E(adminNode).upgrade(await cap('two'))), await E(thing).inc());`),
    },
    { bundles },
  );
  t.is(run.failure, undefined);
  t.deepEqual(run.printed, [
    ...names.map((_, i) => `bootstrap: {} Error: vat-upgrade failure ${i + 1} hi`),
    'bootstrap: ["1 late value"] {"life":0}',
    'bootstrap: {"incarnationNumber":1} 104',
  ]);
  const told = run.errors.filter(text => text.includes('was not upgraded'));
  t.deepEqual(
    told.map(text => text.slice(text.lastIndexOf(': ') + 2)),
    [
      'no way',
      '[thing,watcher]',
      'it ended itself while it started',
      'vat source bundle lacks buildRootObject() function',
    ],
  );
});

test('a call without a bundle, a known option or a running vat upgrades nothing', async t => {
  const run = await runVats(
    {
      bootstrap: bootstrap(`
        const two = await cap('two');
        console.log(await tried(E(adminNode).upgrade('nope')));
        console.log(await tried(E(adminNode).upgrade(harden({}))));
        console.log(await tried(E(adminNode).upgrade(two, { life: 1 })));
        console.log(await tried(E(adminNode).upgrade(two, { upgradeMessage: 1 })));
        console.log(JSON.stringify(await E(root).parameters()));
        const late = E(adminNode).upgrade(two);
        await E(adminNode).terminateWithFailure('end');
        console.log(await tried(late));
        console.log(await tried(E(adminNode).upgrade(two)));`),
    },
    { bundles },
  );
  t.is(run.failure, undefined);
  const [noBundle, noCap, ...others] = run.printed;
  t.is(noBundle, 'bootstrap: {} Error: vatAdmin.upgrade() requires a bundlecap: (an Error)');
  t.is(noCap, noBundle);
  t.deepEqual(others.slice(0, 3), [
    'bootstrap: {} Error: upgrade() received unknown options: "life"',
    'bootstrap: {} TypeError: upgradeMessage not a string',
    'bootstrap: {"life":0}',
  ]);
  t.regex(others[3], /^bootstrap: \{\} Error: vat-upgrade failure$|incarnationNumber/);
  t.regex(others[4], /^bootstrap: \{\} Error: /);
});

test('a vat without virtual data is upgraded, and its promises keep apart from the old ones', async t => {
  const plain = (/** @type {string} */ text) => `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => Far('root', {
      ping() {}, call: other => E(other).wait().then(value => value + ' ${text}'),
    });`;
  const run = await runVats(
    {
      slow: `
        import { Far } from '@endo/far';
        import { makePromiseKit } from '@endo/promise-kit';
        export const buildRootObject = () => {
          const waiting = [];
          return Far('root', {
            wait() { const kit = makePromiseKit(); waiting.push(kit); return kit.promise; },
            ping() {}, go() { waiting.forEach((kit, i) => kit.resolve(i)); },
          });
        };`,
      bootstrap: bootstrap(`
        const made = await E(admin).createVat(await cap('plainOne'));
        const before = tried(E(made.root).call(vats.slow));
        await E(made.root).ping(); await E(vats.slow).ping();
        console.log(await tried(E(made.adminNode).upgrade(await cap('plainTwo'))));
        const after = tried(E(made.root).call(vats.slow));
        await E(made.root).ping(); await E(vats.slow).ping();
        await E(vats.slow).go();
        console.log(await before, await after);`),
    },
    { bundles: { ...bundles, plainOne: plain('one'), plainTwo: plain('two') } },
  );
  t.is(run.failure, undefined);
  t.is(run.printed[0], 'bootstrap: {"incarnationNumber":1}');
  t.regex(run.printed[1], /vatUpgraded.* "1 two"$/);
});
