// Everything that vats can reach in common is frozen, and nothing of the host or of the engine is among it. Everything that
// a vat is given is walked through: globals, provided modules, powers, and what each function of them returns and throws
// when it is called wrongly. So what a newer engine, Node or SES adds is found.

// Before lockdown, which replaces them.
const EngineError = globalThis.Error;
const engineEvaluators = [
  globalThis.eval,
  globalThis.Function,
  (async () => {}).constructor,
  function* none() {}.constructor,
  async function* none() {}.constructor,
];

const { default: test } = await import('ava');
const { writeFileSync } = await import('node:fs');
const { builtinModules, createRequire } = await import('node:module');
const { join } = await import('node:path');
const { types } = await import('node:util');
const { temporaryDirectory } = await import('#testkit/temporary-directory.js');
const { profiles } = await import('#kernel');
const { makeVatCompartment } = await import('#loader/compartment/index.js');
const { bundleVat } = await import('#loader/bundle/index.js');
const { noOpModules, providedModules } = await import('#loader/bundle/provided-modules.js');
const { ensureLockdown, installRejectionPolicy } = await import('#loader/lockdown.js');
const { walkReach } = await import('./walk-reach.js');

test.before(() => ensureLockdown());

/** Objects that only syntax makes, and one of each kind that globals make. */
const samples = `[
  async function () {}, function* () {}, async function* () {}, class {}, /x/, new Proxy({}, {}),
  (strings => strings)\`a\`, (function () { return arguments; })(), (function* () {})(), (async function* () {})(),
  [].values(), new Map([[1, 2]]).entries(), new Set([1]).entries(), 'x'[Symbol.iterator](), 'x'.matchAll(/x/g), /x/.exec('x'),
  new Date(0), new ArrayBuffer(3), new Uint8Array(3), new DataView(new ArrayBuffer(3)),
  new URL('http://a.b/c?d=e'), new URLSearchParams('a=b'), new TextDecoder(), new TextEncoder(),
  Promise.resolve(3), Promise.reject(Error('x')), new WeakMap(), new WeakSet(), Object(Symbol('x')), Object(1n), Object('x'),
  new Compartment(), new Compartment().globalThis, new Compartment().evaluate('new Compartment().globalThis'),
  ...['null.x', 'x()', 'f()', 'JSON.parse("{")', 'decodeURI("%")', '[].length = -1',
      'using a = new Proxy({}, { get: () => () => { throw 1; } }); throw 2;'].map(code => {
    try {
      return new Function('f', code)(function f() { return f() + 1; });
    } catch (error) {
      return error;
    }
  }),
]`;

const undecided = new Set(['@agoric/internal']);
const modules = [...providedModules].filter(name => !noOpModules.has(name) && !undecided.has(name));

const source = `
  ${modules.map((name, i) => `import * as m${i} from '${name}';`).join('\n')}
  export const buildRootObject = (powers, parameters) => harden({
    reach: () => ({
      globalThis,
      samples: ${samples},
      powers,
      parameters,
      sent: m${modules.indexOf('@endo/far')}.E(parameters.presence).foo(),
      ${modules.map((name, i) => `'${name}': { ...m${i} },`).join('\n')}
    }),
  });`;

/** The objects that a new vat reaches. @param {string} file @param {string} vatId */
const walkVat = async (file, vatId) => {
  const { makeSupervisor, prepareVat } = await import('#host/vats/vats.js');
  const { bundle } = await bundleVat(file);
  /** @type {any} */
  let root;
  const supervisor = makeSupervisor({
    vatId,
    name: vatId,
    profile: profiles.current,
    lenient: true,
    prepared: await prepareVat(bundle, {}, undefined),
    sourceUrls: {},
    observer: { onConsole: () => {}, onVatError: () => {} },
    onRoot: made => {
      root = made;
    },
  });
  const parameters = {
    body: '#{"presence":"$0.Alleged: x","promise":"&1"}',
    slots: ['o-50', 'p-60'],
  };
  supervisor.begin(
    ['startVat', parameters],
    // Its store is empty: virtual data looks for its own records when a vat starts.
    () => ({ kind: 'value', value: undefined }),
    { timeNs: 0, microstep: 0, stage: 0 },
  );
  await new Promise(resolve => setImmediate(resolve));
  return walkReach(root.reach());
};

const require = createRequire(import.meta.url);

/** Globals of the host that a vat must not have, by name. @returns {Map<unknown, string>} */
const listForbidden = () => {
  /** @type {Map<unknown, string>} */
  const forbidden = new Map([[globalThis, 'globalThis']]);
  forbidden.set(EngineError, "the engine's Error");
  for (const evaluator of engineEvaluators)
    forbidden.set(evaluator, `the engine's ${evaluator.name}`);
  const shared = new Compartment().globalThis;
  // Some of Node's are of the language (util.isArray), `assert` is that of SES, and `using` throws the third, which SES
  // does not know: it is tamed by us.
  const intrinsics = new Set([globalThis.assert, /** @type {any} */ (globalThis).SuppressedError]);
  for (const name of Object.getOwnPropertyNames(shared)) {
    intrinsics.add(shared[name]);
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(Object(shared[name]))))
      intrinsics.add(value);
  }
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    if (Object(value) === value && !intrinsics.has(value)) forbidden.set(value, name);
  }
  // Constructors of the realm that a vat has its own versions of, and their prototypes, which lead to them.
  const { globalThis: own } = makeVatCompartment({ name: 'x' });
  for (const name of Object.getOwnPropertyNames(shared)) {
    // The prototype of all functions is one.
    if (name === 'Function' || own[name] === shared[name] || typeof shared[name] !== 'function')
      continue;
    forbidden.set(shared[name], `the realm's ${name}`);
    forbidden.set(shared[name].prototype, `the realm's ${name}.prototype`);
  }
  for (const name of [
    'TextDecoder',
    'TextEncoder',
    'Error',
    'Date',
    'Math',
    'RegExp',
    'Symbol',
    'eval',
    'Function',
  ])
    forbidden.set(/** @type {any} */ (globalThis)[name], `the host's ${name}`);
  for (const name of [
    'fs',
    'child_process',
    'process',
    'module',
    'vm',
    'worker_threads',
    'os',
    'net',
    'util',
    'events',
    'timers',
    'buffer',
  ]) {
    if (!builtinModules.includes(name)) continue;
    const exported = require(name);
    forbidden.set(exported, name);
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(exported)))
      if (typeof value === 'function' && !intrinsics.has(value))
        forbidden.set(value, `${name}.${key}`);
  }
  return forbidden;
};

/** Kinds of objects that keep a state although they are frozen. @type {[string, (value: unknown) => boolean][]} */
const stateful = [
  ['a Map', types.isMap],
  ['a Set', types.isSet],
  ['a WeakMap', types.isWeakMap],
  ['a WeakSet', types.isWeakSet],
  ['a Date', types.isDate],
  ['a Promise', types.isPromise],
  ['a Proxy', types.isProxy],
  ['memory', value => types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)],
  ['a generator', types.isGeneratorObject],
  ['an iterator', value => types.isMapIterator(value) || types.isSetIterator(value)],
];

/** Objects that may be shared, with the reason. @type {Map<string, string>} */
const allowed = new Map([]);

test("objects that two vats reach in common are frozen, keep no state, and are not the host's", async t => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  const removePolicy = installRejectionPolicy(() => {});
  t.teardown(() => {
    Error.stackTraceLimit = limit;
    removePolicy();
  });
  const file = join(temporaryDirectory(t, 'reachable'), 'vat-x.js');
  writeFileSync(file, source);
  const first = await walkVat(file, 'v1');
  const second = await walkVat(file, 'v2');
  t.true(first.size > 10_000, `${first.size}`);

  const forbidden = listForbidden();
  const found = [];
  let common = 0;
  for (const [object, path] of first) {
    if (forbidden.has(object)) found.push(`${path} is ${forbidden.get(object)}`);
    if (!second.has(object)) continue;
    common += 1;
    if (allowed.has(path)) continue;
    if (!Object.isFrozen(object)) found.push(`${path} is not frozen`);
    for (const [what, is] of stateful) if (is(object)) found.push(`${path} is ${what}`);
  }
  t.log(`${first.size} objects, ${common} of them common`);
  t.true(common > 500, `${common}`);
  t.deepEqual(found, []);
});
