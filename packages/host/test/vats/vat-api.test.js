// Modules' exports, powers, globals and E are those that vats of both generations rely on, under both profiles.

import test from 'ava';
import { runVats, tellUnstarted } from './run-vats.js';

const profiles = /** @type {const} */ (['current', '2020-09']);

/** @param {string} body  of bootstrap; `vats.bob` is the vat in question */
const caller = body => `
  import { E, Far } from '@endo/far';
  export const buildRootObject = (powers, parameters) => Far('bootstrap', {
    async bootstrap(vats, devices) { const { bob } = vats; ${body} },
    echo: x => x,
  });
`;

/** @type {[title: string, bob: string][]} */
const roots = [
  [
    'an async buildRootObject',
    "export const buildRootObject = async () => { await null; return harden({ hi: x => 'hi ' + x, self: o => o }); };",
  ],
  [
    'a promise for the root',
    "export const buildRootObject = () => Promise.resolve(harden({ hi: x => 'hi ' + x, self: o => o }));",
  ],
  [
    'a record of methods that nobody declared Far',
    "export function buildRootObject() { return harden({ hi(x) { return 'hi ' + x; }, self: o => o }); }",
  ],
  [
    'a record that is not hardened',
    "export function buildRootObject() { return { hi(x) { return 'hi ' + x; }, self: o => o }; }",
  ],
  [
    'an instance of a class',
    "class Root { hi(x) { return 'hi ' + x; } self(o) { return o; } } export const buildRootObject = () => harden(new Root());",
  ],
  [
    'a root with methods named by symbols',
    "export const buildRootObject = () => harden({ [Symbol.iterator]() {}, hi: x => 'hi ' + x, self: o => o });",
  ],
  [
    'a root that inherits its methods',
    "export const buildRootObject = () => harden({ __proto__: { hi: x => 'hi ' + x }, self: o => o });",
  ],
  [
    "today's Far",
    "import { Far } from '@endo/far'; export const buildRootObject = () => Far('x', { hi: x => 'hi ' + x, self: o => o });",
  ],
  [
    "2020's Remotable",
    "export const buildRootObject = ({ Remotable }) => Remotable('Alleged: x', { hi: x => 'hi ' + x, self: o => o });",
  ],
];

for (const profile of profiles) {
  // Vats of 2020 declare nothing Far; under `current` they run leniently.
  const newer = profile === 'current' ? /^$/ : /^an async|^a promise|not hardened/;
  for (const [title, source] of roots.filter(([title]) => !newer.test(title))) {
    test(`${profile}: ${title} makes a vat whose root takes messages and is passed`, async t => {
      const run = await runVats(
        {
          bob: source,
          bootstrap: caller(
            "return [await E(bob).hi('you'), (await E(bob).self(bob)) === bob, await E(bob).none().catch(e => e.name)];",
          ),
        },
        { profile, lenient: true },
      );
      t.is(run.failure, undefined);
      t.regex(run.result, /^data #?\["hi you",true,"TypeError"\]$/);
    });
  }

  test(`${profile}: a root without any method`, async t => {
    const run = await runVats(
      {
        bob: 'export const buildRootObject = () => harden({});',
        bootstrap: caller('return E(bob).hi().catch(error => error.name);'),
      },
      { profile, lenient: true },
    );
    t.is(run.failure, undefined);
    t.regex(run.result, /^data #?"TypeError"$/);
  });

  for (const [title, source, expected] of /** @type {const} */ ([
    ['nothing', 'undefined', 'undefined'],
    ['data', "{ a: 'b' }", profile === 'current' ? 'a copyRecord' : "{ a: 'b' }"],
    ['a text', "'root'", profile === 'current' ? 'a string' : "'root'"],
    ...(profile === 'current'
      ? []
      : /** @type {const} */ ([
          ['an object that is not hardened', '{ m: () => 1 }', '{ m: [Function: m] }'],
          ['a promise', 'Promise.resolve(harden({}))', 'Promise {'],
        ])),
  ])) {
    test(`${profile}: buildRootObject that returns ${title} is refused`, async t => {
      const run = await runVats(
        { bob: `export const buildRootObject = () => (${source});`, bootstrap: caller('') },
        { profile, lenient: true },
      );
      const told = tellUnstarted(run);
      t.regex(told, /^vat bob(?: did not start)?: .*buildRootObject returned /);
      t.regex(told, /; it must return /);
      t.true(told.includes(`returned ${expected}`), told);
    });
  }

  test(`${profile}: objects of methods that nobody declared Far are passed, and are the same when they come back`, async t => {
    const run = await runVats(
      {
        bob: `export const buildRootObject = () => {
          const counter = harden({ inc: () => 1 });
          return harden({ get: () => counter, is: x => x === counter, here: () => harden({ in: counter }) });
        };`,
        bootstrap: caller(`
          const counter = await E(bob).get();
          const { in: same } = await E(bob).here();
          return [await E(counter).inc(), await E(bob).is(counter), same === counter];
        `),
      },
      { profile, lenient: true },
    );
    t.is(run.failure, undefined);
    t.regex(run.result, /^data #?\[1,true,true\]$/);
  });

  test(`${profile}: E in all its forms, of either package, to objects here and elsewhere`, async t => {
    const run = await runVats(
      {
        bob: `export const buildRootObject = () => harden({
          get: () => 'got', later: () => Promise.resolve('late'), data: () => harden({ p: 'q' }),
          note: x => { console.log('noted', x); },
        });`,
        bootstrap: `
          import { E, Far } from '@endo/far';
          import { E as old } from '@agoric/eventual-send';
          export const buildRootObject = () => harden({ async bootstrap({ bob }) {
            const here = harden({ get: () => 'here', p: 'q' });
            const data = E(bob).data();
            return [
              E === old,
              await E(bob).get(),
              await E.get(data).p, await E.G(data).p, await E.get(here).p,
              await E.when(E(bob).get(), x => x + '!', () => 'no'),
              E.sendOnly(bob).note(1), await E.resolve(E(bob).later()),
              await E(here).get(), E.sendOnly(here).get(), await E(Far('f', x => 2 * x))(21),
            ];
          } });
        `,
      },
      { profile, lenient: true },
    );
    t.is(run.failure, undefined);
    t.deepEqual(run.printed, ['bob: noted 1']);
    const nothing = profile === 'current' ? '"#undefined"' : '{"@qclass":"undefined"}';
    t.is(
      run.result.replace('#[', '['),
      `data [true,"got","q","q","q","got!",${nothing},"late","here",${nothing},42]`,
    );
  });

  test(`${profile}: compartments that a vat makes have HandledPromise, at every depth`, async t => {
    const run = await runVats(
      {
        bob: `export const buildRootObject = () => harden({ twice: n => 2 * n });`,
        bootstrap: caller(`
          const inner = new Compartment().evaluate('new Compartment()');
          const { HandledPromise: theirs } = inner.globalThis;
          const send = inner.evaluate('(x, ...args) => HandledPromise.applyMethod(x, "twice", args)');
          return [theirs === HandledPromise, await send(bob, 21)];
        `),
      },
      { profile, lenient: true },
    );
    t.regex(run.result, /^data #?\[true,42\]$/);
  });

  test(`${profile}: a presence prints as its generation's did`, async t => {
    const run = await runVats(
      {
        bob: `export const buildRootObject = () => harden({ made: () => harden({ m() {} }) });`,
        bootstrap: caller('return `${await E(bob).made()}`;'),
      },
      { profile, lenient: true },
    );
    const isOf2020 = profile === '2020-09';
    t.regex(
      run.result,
      isOf2020 ? /"\[Alleged: presence o-\d+\]"/ : /"\[object Alleged: presence o-\d+\]"/,
    );
  });

  test(`${profile}: every compartment of a vat has the same passStyleOf, if it is of today`, async t => {
    const run = await runVats(
      {
        bob: `export const buildRootObject = () => harden({ hi() {} });`,
        bootstrap: `import { passStyleOf, Far } from '@endo/far';
          export const buildRootObject = () => {
            const find = "globalThis[Symbol.for('@endo passStyleOf')]";
            const own = globalThis[Symbol.for('@endo passStyleOf')];
            const child = new Compartment();
            const grandchild = child.evaluate('new Compartment()');
            console.log([own, child.evaluate(find), grandchild.evaluate(find)].map(f => f === passStyleOf));
            console.log(typeof new Compartment({ [Symbol.for('@endo passStyleOf')]: 1 }).evaluate(find));
            return Far('root', { bootstrap() {} });
          };`,
      },
      { profile, lenient: true },
    );
    const isToday = profile === 'current';
    const ours = run.printed.filter(line => line.startsWith('bootstrap'));
    t.deepEqual(ours, [`bootstrap: [ ${isToday}, ${isToday}, ${isToday} ]`, 'bootstrap: number']);
  });

  test(`${profile}: presences show nothing but a name of their own`, async t => {
    const vats = (/** @type {string} */ imports) => ({
      bob: `export const buildRootObject = () => harden({ made: () => harden({ m() {} }) });`,
      bootstrap:
        imports +
        caller(`
          const [one, two] = [await E(bob).made(), await E(bob).made()];
          const shown = Object.prototype.toString.call(one);
          console.log(Object.keys(one), Object.getOwnPropertyNames(one), Object.isFrozen(one));
          console.log(shown.replace(/[0-9]+/, 'n'), shown === Object.prototype.toString.call(two));
          console.log(\`\${one}\` === \`\${two}\`, \`\${Object.create(one)}\` === \`\${one}\`);
          console.log(one);`),
    });
    const run = await runVats(vats(''), { profile, lenient: true });
    t.deepEqual(run.printed.slice(0, 3), [
      'bootstrap: [] [] true',
      'bootstrap: [object Alleged: presence o-n] false',
      'bootstrap: false true',
    ]);
    t.regex(run.printed[3], /^bootstrap: Object \[Alleged: presence o-\d+\] \{\}$/);
    // Where the library may examine them, they are made as it makes them.
    const examined = await runVats(vats("import '@endo/pass-style';"), { profile, lenient: true });
    t.deepEqual(examined.printed, run.printed);
    t.is(examined.cranks, run.cranks);
  });

  test(`${profile}: vat powers, today's and 2020's`, async t => {
    const run = await runVats(
      {
        bob: `export const buildRootObject = (powers, parameters, baggage) => {
          const { transformTildot, makeGetMeter, transformMetering, makeMarshal, getInterfaceOf } = powers;
          powers.testLog('a', 1);
          console.log(Object.isFrozen(powers), Object.keys(powers).sort().join(' '));
          console.log(JSON.stringify(powers.vatParameters), powers.vatParameters === parameters, typeof baggage);
          console.log(transformTildot('x~.m(1)'), transformMetering('let x', () => {}));
          const { getMeter, isExhausted, refill, getComputeBalance } = makeGetMeter({ refillEachCrank: false });
          console.log(getMeter().c(), isExhausted(), refill(), getComputeBalance());
          console.log(getInterfaceOf(powers.Remotable('Alleged: x')), makeMarshal().serialize(harden([1n])).body);
          return harden({ hi: () => 1, end: () => { powers.exitVat('bye'); return 2; } });
        };`,
        bootstrap: caller(
          'console.log(await E(bob).hi()); return E(bob).end().catch(error => error.message);',
        ),
      },
      { profile, lenient: true },
    );
    t.is(run.failure, undefined);
    t.deepEqual(run.printed, [
      'bob: a1',
      profile === 'current'
        ? 'bob: true D VatData WeakMap WeakSet exitVat exitVatWithFailure testLog'
        : 'bob: true D Remotable VatData WeakMap WeakSet exitVat exitVatWithFailure getInterfaceOf makeGetMeter makeMarshal testLog transformMetering transformTildot vatParameters',
      'bob: {} true object',
      'bob: HandledPromise.applyMethod(x, "m", [1]) let x',
      'bob: undefined undefined { allocate: 0, compute: 0 } 100000000',
      'bob: Alleged: x [{"@qclass":"bigint","digits":"1"}]',
      'bootstrap: 1',
    ]);
    t.deepEqual(run.errors, []);
  });

  test(`${profile}: present and missing globals`, async t => {
    const there = [
      'harden Compartment HandledPromise console assert TextEncoder TextDecoder URL VatData globalThis',
      'Base64 setTimeout setInterval setImmediate queueMicrotask process Buffer require fetch',
    ];
    const run = await runVats(
      {
        bob: `export const buildRootObject = () => {
          for (const names of ${JSON.stringify(there)}) {
            console.log(names.split(' ').map(name => typeof globalThis[name]).join(' '));
          }
          const told = f => { try { return f(); } catch (error) { return error.name; } };
          console.log(told(() => Math.random()), told(() => Date.now()), told(() => { globalThis.x = 1; }));
          console.log(Object.isFrozen(globalThis), Object.keys(console).sort().join(' '));
          const { compartment } = { compartment: new Compartment({ x: 2 }) };
          console.log(compartment.evaluate('x + 1'), assert.typeof('x', 'string'));
          return harden({});
        };`,
        bootstrap: caller(''),
      },
      { profile, lenient: true },
    );
    t.is(run.failure, undefined);
    t.deepEqual(run.printed, [
      'bob: function function function object function function function function object object',
      `bob: ${Array.from({ length: 9 }, () => 'undefined').join(' ')}`,
      `bob: TypeError ${profile === 'current' ? 'TypeError' : 'NaN'} TypeError`,
      'bob: true debug error info log warn',
      'bob: 3 undefined',
    ]);
  });

  test(`${profile}: patterns exist for a vat that imports them with virtual data`, async t => {
    const run = await runVats(
      {
        bob: `import { M } from '@agoric/vat-data';
          const guard = M.interface('x', {});
          export const buildRootObject = () => harden({ told: () => String(guard) });`,
        bootstrap: caller('console.log(await E(bob).told());'),
      },
      { profile, lenient: true },
    );
    t.is(run.failure, undefined);
    t.deepEqual(run.printed, ['bootstrap: [object guard:interfaceGuard]']);
  });

  test(`${profile}: what a raw vat of 2020 found among its powers is there`, async t => {
    const run = await runVats(
      {
        bob: `export default function setup(syscall, state, helpers, powers) {
          console.log(Object.getOwnPropertyNames(powers).sort().join(' '));
          console.log(Object.keys(powers).join(' '));
          return { deliver() {} };
        }`,
        bootstrap: caller(''),
      },
      { profile, lenient: true, creationOptions: { bob: { enableSetup: true } } },
    );
    t.deepEqual(run.printed, [
      'bob: Remotable getInterfaceOf makeGetMeter makeMarshal testLog transformMetering transformTildot vatParameters',
      profile === 'current'
        ? 'bob: testLog'
        : 'bob: Remotable getInterfaceOf makeMarshal makeGetMeter transformMetering testLog transformTildot vatParameters',
    ]);
  });
}

test('current: a root that nobody declared Far is refused, and what to declare is told', async t => {
  for (const [title, source] of roots.slice(0, -2)) {
    const { errors } = await runVats({ bob: source, bootstrap: caller('') });
    t.regex(errors.join('\n'), /^vat bob: .*buildRootObject returned .*must return Far\(/m, title);
  }
});

test('current: objects of methods that nobody declared Far are refused as arguments and results', async t => {
  const run = await runVats({
    bob: "import { Far } from '@endo/far'; export const buildRootObject = () => Far('bob', { get: () => harden({ m() {} }) });",
    bootstrap: caller(`
      const told = error => error.message;
      return [
        await E(bob).get().catch(told),
        await E(bob).get(harden({ deep: [{ m() {} }] })).catch(told),
        await E(bob).get(harden({})).catch(told),
      ];`),
  });
  t.is(run.failure, undefined);
  const refused = 'Remotables must be explicitly declared';
  t.is(run.result.split(refused).length, 4, run.result);
  t.regex(
    run.errors.join('\n'),
    /get\(\) returned .*declared by Far.*\n {4}at get \(vat-bob\.js:1\)/,
  );
});

test('current: a function is called in another vat', async t => {
  const run = await runVats({
    bob: "import { Far } from '@endo/far'; export const buildRootObject = () => Far('b', { f: () => Far('f', x => 2 * x) });",
    bootstrap: caller('const f = await E(bob).f(); return E(f)(21);'),
  });
  t.is(run.result, 'data #42');
});

/** Modules that the runner's demos and test vats of both generations import. @type {Record<string, RegExp | undefined>} */
const specifiers = {
  '@endo/far': undefined,
  '@endo/marshal': undefined,
  '@endo/eventual-send': undefined,
  '@endo/promise-kit': undefined,
  '@endo/errors': undefined,
  '@endo/nat': undefined,
  '@agoric/vat-data': undefined,
  '@agoric/store': undefined,
  '@agoric/kmarshal': undefined,
  '@agoric/time': undefined,
  '@agoric/eventual-send': undefined,
  '@agoric/promise-kit': undefined,
  '@agoric/assert': undefined,
  '@agoric/same-structure': undefined,
  '@agoric/marshal': undefined,
  '@agoric/ertp':
    /^vat-bob\.js:1: cannot import "@agoric\/ertp": no package .* for it; npm install @agoric\/ertp$/,
  '@endo/fra':
    /^vat-bob\.js:1: cannot import "@endo\/fra": no package .* for it; did you mean "@endo\/far"\?$/,
  '@agoric/swingset-vat/src/controller/controller.js':
    /^vat-bob\.js:1: cannot import ".*": no package .* for it; npm install @agoric\/swingset-vat$/,
};

for (const [specifier, refusal] of Object.entries(specifiers)) {
  test(`a vat that imports ${specifier} ${refusal ? 'is told what is missing' : 'runs'}`, async t => {
    const run = await runVats({
      bob: `import * as all from '${specifier}';\nexport const buildRootObject = ({ Remotable }) => Remotable('Alleged: bob', { n: () => Object.keys(all).length > 0 });`,
      bootstrap: caller('return E(bob).n();'),
    });
    if (refusal) t.regex(run.failure ?? '', refusal);
    else t.is(run.result, 'data #true');
  });
}

test('2020-09: virtual data is refused when it is used, not when it is imported', async t => {
  const run = await runVats(
    {
      bob: `
          import { prepareExo, provide, makeScalarBigMapStore, pickFacet } from '@agoric/vat-data';
          export const buildRootObject = (powers, parameters, baggage) => {
            const uses = {
              a: () => VatData.defineKind('x', () => {}, {}),
              b: () => prepareExo(baggage, 'x', undefined, {}),
              c: () => provide(baggage, 'x', () => 1),
              d: () => makeScalarBigMapStore('x', { durable: true }),
              f: () => baggage.get('x'),
            };
            return harden({
              use: name => uses[name](),
              facet: () => pickFacet(() => ({ self: 3 }), 'self')(),
            });
          };`,
      bootstrap: caller(`
          const said = [await E(bob).facet()];
          for (const name of ['a', 'b', 'c', 'd', 'f']) {
            said.push(await E(bob).use(name).catch(error => error.message));
          }
          console.log(said.join('|'));
        `),
    },
    { profile: '2020-09' },
  );
  t.is(run.failure, undefined);
  const why =
    'virtual and durable data are for vats of the profile current that export buildRootObject';
  t.deepEqual(run.printed[0].slice('bootstrap: '.length).split('|'), [
    '3',
    `vat "bob" calls VatData.defineKind(): ${why}`,
    `vat "bob" calls baggage.has(): ${why}`,
    `vat "bob" calls baggage.has(): ${why}`,
    `vat "bob" calls VatData.makeScalarBigMapStore(): ${why}`,
    `vat "bob" calls baggage.get(): ${why}`,
  ]);
  t.regex(
    run.errors.join('\n'),
    /^vat bob: Error: vat "bob" calls VatData.*\n {4}at .*vat-bob\.js:5/m,
  );
});

test('a guard waits for promises of other vats', async t => {
  const run = await runVats({
    bob: "import { Far } from '@endo/far'; export const buildRootObject = () => Far('bob', { later: async () => 21 });",
    bootstrap: `
      import { E, Far } from '@endo/far';
      import { M, prepareExo } from '@agoric/vat-data';
      export const buildRootObject = (_powers, _parameters, baggage) => {
        const guard = M.interface('doubler', {
          double: M.callWhen(M.await(M.number())).returns(M.number()),
        });
        const doubler = prepareExo(baggage, 'doubler', guard, { double: n => 2 * n });
        return Far('bootstrap', { bootstrap: ({ bob }) => E(doubler).double(E(bob).later()) });
      };`,
  });
  t.is(run.failure, undefined);
  t.is(run.result, 'data #42');
});

test('2020-09: disavow exists if it is enabled, and throws', async t => {
  const bob = `export const buildRootObject = ({ disavow }) =>
    harden({ has: () => typeof disavow, use: x => disavow(x) });`;
  const run = await runVats(
    {
      bob,
      other: bob,
      bootstrap: caller(`return [
        await E(vats.other).has(), await E(bob).has(), await E(bob).use(vats.other).catch(e => e.message),
      ];`),
    },
    { profile: '2020-09', lenient: true, creationOptions: { bob: { enableDisavow: true } } },
  );
  t.is(run.failure, undefined);
  t.regex(
    run.result,
    /\["undefined","function","vat \\"bob\\" calls disavow\(\), which the kernel of 2020-09 had not/,
  );
});
