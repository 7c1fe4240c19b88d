// Texts of the engine's errors stay in the vat, under `current`.

import test from 'ava';
import { execFileSync } from 'node:child_process';

import { makeVatOutput } from '#host';
import { profiles } from '#kernel';
import { tellEngineError } from '#loader/engine-errors.js';
import { makeLocalTransport } from '#host/vats/local-transport.js';
import { WorkBoard } from '#host/engine/work-board.js';
import { ensureLockdown } from '#loader/lockdown.js';
import { runVats } from '../vats/run-vats.js';

/** A vat's code, and the class of the error that the engine makes of it. @type {[string, string][]} */
const byEngine = [
  ['return undefined.foo;', 'TypeError'],
  ['const x = 3; return x();', 'TypeError'],
  ['return null[Symbol.iterator];', 'TypeError'],
  ['const { a } = null; return a;', 'TypeError'],
  ['const [a] = 3; return a;', 'TypeError'],
  ['return new (() => {})();', 'TypeError'],
  ['return Object.freeze([]).push(1);', 'TypeError'],
  ['Object.freeze({ a: 1 }).a = 2; return 0;', 'TypeError'],
  ['return [].reduce(() => 1);', 'TypeError'],
  ['return 1n + 1;', 'TypeError'],
  ['return `${Symbol("x")}`;', 'TypeError'],
  ['return new Set(3);', 'TypeError'],
  ['return Reflect.construct(TypeError, [Symbol("x")]);', 'TypeError'],
  ['const c = {}; c.c = c; return JSON.stringify(c);', 'TypeError'],
  ['return Promise.reject(undefined).catch(e => e.foo);', 'TypeError'],
  ['const f = () => 1 + f(); return f();', 'RangeError'],
  ['return new Array(-1);', 'RangeError'],
  ['return "x".repeat(-1);', 'RangeError'],
  ['return (1).toFixed(200);', 'RangeError'],
  ['return 1n / 0n;', 'RangeError'],
  ['return JSON.parse("x");', 'SyntaxError'],
  ['return BigInt("x");', 'SyntaxError'],
  ['return new RegExp("(");', 'SyntaxError'],
  ['return new Compartment().evaluate("(");', 'SyntaxError'],
  ['return x + 1; let x = 1;', 'ReferenceError'],
  ['return decodeURIComponent("%");', 'URIError'],
  ['return Promise.any([]);', 'AggregateError'],
  ['try { return null.x; } catch (e) { e.message = "my words"; throw e; }', 'TypeError'],
];

/** A vat's code, and the error that it makes itself, or that the system makes of it in its own words. */
/** @type {[string, string][]} */
const byVat = [
  ['throw Error("a");', 'Error: a'],
  ['throw new Error("a");', 'Error: a'],
  ['throw TypeError("a");', 'TypeError: a'],
  ['throw new RangeError("a");', 'RangeError: a'],
  ['throw new SyntaxError("a", { cause: Error("b") });', 'SyntaxError: a'],
  ['throw new ReferenceError("a");', 'ReferenceError: a'],
  ['throw new EvalError("a");', 'EvalError: a'],
  ['throw new URIError("a");', 'URIError: a'],
  ['throw new AggregateError([Error("b")], "a");', 'AggregateError: a'],
  ['throw new (class Mine extends TypeError {})("a");', 'TypeError: a'],
  ['throw new (class Mine extends Error { name = "Mine"; })("a");', 'Error: a'],
  ['throw Reflect.construct(TypeError, ["a"]);', 'TypeError: a'],
  ['try { return null.x; } catch (e) { throw new e.constructor("a"); }', 'TypeError: a'],
  ['try { return null.x; } catch (e) { throw Error("a", { cause: e }); }', 'Error: a'],
  ['return Promise.reject(new TypeError("a"));', 'TypeError: a'],
  ['return new Compartment().evaluate("throw TypeError(`a`)");', 'TypeError: a'],
  ['assert(false, "a", TypeError);', 'TypeError: a'],
  ['assert.Fail`a ${"b"}`;', 'Error: a (a string)'],
  ['Fail`a ${q("b")}`;', 'Error: a "b"'],
  ['throw makeError("a", RangeError);', 'RangeError: a'],
  ['return Date.now();', 'TypeError: secure mode Calling %SharedDate%.now() throws'],
  ['return Math.random();', 'TypeError: secure mode %SharedMath%.random() throws'],
  [
    'return E(Far("x", {})).foo();',
    'TypeError: target has no method "foo", has ["__getMethodNames__"]',
  ],
  ['return new URL("x");', 'TypeError: Invalid URL'],
  ['return {};', 'undefined: undefined'],
];

/** @param {string[]} bodies  of methods of a vat; each is called once */
const makeSources = bodies => ({
  bob: `
    import { Fail, makeError, q } from '@endo/errors';
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => Far('bob', {
      ${bodies.map((body, i) => `m${i}() { ${body} },`).join('\n')}
    });`,
  bootstrap: `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => Far('bootstrap', {
      async bootstrap({ bob }) {
        for (let i = 0; i < ${bodies.length}; i += 1) {
          const { name, message } = await E(bob)[\`m\${i}\`]().catch(error => error);
          console.log(name + ': ' + message);
        }
      },
    });`,
});

const article = (/** @type {string} */ name) => (/^[AE]/.test(name) ? 'an' : 'a');

test("an engine's error leaves a vat with its name and a fixed text", async t => {
  const { printed, errors, failure } = await runVats(makeSources(byEngine.map(([body]) => body)));
  t.is(failure, undefined);
  t.deepEqual(
    printed,
    byEngine.map(
      ([, name]) =>
        `bootstrap: ${name}: ${article(name)} ${name} made by the engine; its text is in the vat's console`,
    ),
  );
  t.is(errors.length, byEngine.length);
  t.false(errors.some(text => text.includes('made by the engine')));
  t.regex(errors[0], /^vat bob: TypeError: Cannot read .*foo.*\n {4}at .*vat-bob\.js:5:/);
});

test("an engine's error comes back from virtual data with a fixed text", async t => {
  const { printed, failure } = await runVats({
    bootstrap: `
      import { E, Far } from '@endo/far';
      import { makeScalarBigMapStore } from '@agoric/vat-data';
      const makeHolder = VatData.defineKind('holder', error => ({ error }), {
        tell: ({ state }) => state.error.message,
      });
      const kept = makeScalarBigMapStore('kept');
      let holder;
      export const buildRootObject = () => Far('bootstrap', {
        async bootstrap({ bob }) {
          let mixed;
          try { 1n + 1; } catch (error) { mixed = harden(error); }
          kept.init('engine', mixed);
          kept.init('own', harden(TypeError('mine')));
          console.log(mixed.message.includes('BigInt'));
          console.log(kept.get('engine').message);
          console.log(kept.get('own').message);
          holder = makeHolder(mixed);
          await E(bob).wait();
          console.log(holder.tell());
        },
      });`,
    bob: `
      import { Far } from '@endo/far';
      export const buildRootObject = () => Far('bob', { wait() {} });`,
  });
  t.is(failure, undefined);
  const fixed = "a TypeError made by the engine; its text is in the vat's console";
  t.deepEqual(printed, [
    'bootstrap: true',
    `bootstrap: ${fixed}`,
    'bootstrap: mine',
    `bootstrap: ${fixed}`,
  ]);
});

test('errors made by a vat or by the system leave the vat unchanged', async t => {
  const { printed, failure } = await runVats(makeSources(byVat.map(([body]) => body)));
  t.is(failure, undefined);
  t.deepEqual(
    printed,
    byVat.map(([, text]) => `bootstrap: ${text}`),
  );
});

test("under 2020-09 an engine's error leaves a vat with its text", async t => {
  const sources = makeSources(['return JSON.parse("x");']);
  sources.bob = sources.bob.replace(/import \{ Fail.*\n/, '');
  const { printed, failure } = await runVats(sources, { profile: '2020-09' });
  t.is(failure, undefined);
  t.is(printed.length, 1);
  t.regex(printed[0], /SyntaxError: Unexpected token/);
});

test("people see the engine's text once, and find it by the text that other vats get", async t => {
  /** @type {string[]} */
  const shown = [];
  const output = makeVatOutput({ onError: text => shown.push(text) });
  const { rejection } = await runVats(
    {
      bob: makeSources(['return null.x;']).bob,
      bootstrap: `import { E, Far } from '@endo/far';
        export const buildRootObject = () => Far('bootstrap', {
          bootstrap: ({ bob }) => E(bob).m0(),
        });`,
    },
    { observer: output.observer },
  );
  t.is(shown.length, 1, shown.join('\n'));
  t.regex(shown[0], /^vat bob: .*vat-bob\.js:5:\d+: TypeError: Cannot read .*null/);
  const { name, message } = rejection ?? { name: '', message: '' };
  t.is(message, "a TypeError made by the engine; its text is in the vat's console");
  t.is(output.findLine(name, message), shown[0]);
});

test("a failed reaction is reported with its place, and other vats do not get the engine's text", async t => {
  /** @type {string[]} */
  const shown = [];
  /** @type {string[]} */
  const printed = [];
  const output = makeVatOutput({
    onError: text => shown.push(text),
    onLog: text => printed.push(text),
  });
  await runVats(
    {
      bootstrap: `import { E, Far } from '@endo/far';
        export const buildRootObject = () => Far('bootstrap', {
          async bootstrap({ vatAdmin }, devices) {
            const service = E(vatAdmin).createVatAdminService(devices.vatAdmin);
            const { adminNode } = await E(service).createVatByName('fragile');
            await E(adminNode).done().catch(({ message }) => console.log(message));
          },
        });`,
    },
    {
      bundles: {
        fragile: `import { Reactor } from 'swingset-runner/reactor';
          class Fragile extends Reactor {
            tick = this.timer('1 ms');
            fail = this.reaction({ triggers: this.tick }, () => null.x);
          }
          export const buildReactor = () => new Fragile();`,
      },
      observer: output.observer,
    },
  );
  const told =
    "fail failed at 1000000ns.0: a TypeError made by the engine; its text is in the vat's console";
  t.deepEqual(printed, [`the delivery failed: ${told}`]);
  t.regex(
    shown[0],
    /^vat fragile: .*fragile\.js:4:\d+: UserError: fail failed at 1000000ns\.0: Cannot read .*null/,
  );
});

test('an invalid delivery ends the vat with a fixed text', async t => {
  await ensureLockdown();
  // Modules for vats can only be loaded after lockdown.
  const { makeSupervisor } = await import('#host/vats/vats.js');
  const { Far } = await import('#vat');
  /** @type {unknown[]} */
  const errors = [];
  const supervisor = makeSupervisor({
    vatId: 'v1',
    name: 'timer',
    profile: profiles.current,
    prepared: undefined,
    builtIn: { buildRoot: () => Far('timer', {}) },
    sourceUrls: {},
    observer: { onConsole: () => {}, onVatError: () => {} },
    onRoot: () => {},
  });
  const transport = makeLocalTransport({
    vatName: 'timer',
    supervisor,
    drain: { drain: () => {}, kind: 'tickCallback' },
    running: { vatName: undefined, delivery: undefined, cranks: 0, board: new WorkBoard() },
    onError: error => errors.push(error),
  });
  const refuse = () => {
    throw Error('it asks nothing');
  };
  const when = { timeNs: 0, microstep: 0, stage: 0 };
  transport.begin(/** @type {any} */ (['notify', undefined]), refuse, when);
  const result = await transport.finish();
  t.is(
    result.fault,
    "the delivery failed: a TypeError made by the engine; its text is in the vat's console",
  );
  t.regex(String(errors[0]), /^TypeError: /);
});

test("the engine's constructors are unchanged, except for their notes", async t => {
  // Any simulation locks the realm down.
  await runVats(makeSources([]));
  for (const name of ['TypeError', 'RangeError', 'AggregateError']) {
    const Class = /** @type {any} */ (globalThis)[name];
    t.is(Class.name, name);
    t.is(Class.prototype.constructor, Class);
    t.deepEqual(Reflect.ownKeys(Class).sort(), ['length', 'name', 'prototype']);
    t.false(Object.getOwnPropertyDescriptor(Class, 'prototype')?.writable);
  }
  t.is(TypeError.length, 1);
  t.is(AggregateError.length, 2);
  t.deepEqual(new AggregateError([1], 'x').errors, [1]);
  t.true(TypeError('x') instanceof TypeError);
  t.is(TypeError('x', { cause: 3 }).cause, 3);
  class Mine extends RangeError {}
  t.true(new Mine('x') instanceof Mine);
  t.is(tellEngineError(new Mine('x')), undefined);
  t.is(tellEngineError(Object.create(TypeError.prototype)), undefined);
  t.is(tellEngineError('x'), undefined);
});

/** Functions whose errors have classes that the engine or Node made for itself. @type {[string, string][]} */
const throwing = [
  ['of Node, by TextEncoder', 'new TextEncoder().encodeInto(1, 2)'],
  ['of Node, by TextDecoder', 'new TextDecoder("nope")'],
  ['of the engine, by WebAssembly', 'new WebAssembly.Module(new Uint8Array(3))'],
  ['of `using`', 'using a = new Proxy({}, { get: () => () => { throw 1; } }); throw 2;'],
];

for (const [title, code] of throwing) {
  test(`no class of an error leads to the engine's own Error: ${title}`, async t => {
    await ensureLockdown();
    const { TextEncoder, TextDecoder, WebAssembly } = /** @type {any} */ (globalThis);
    const globals = { TextEncoder, TextDecoder, WebAssembly };
    const compartment = new Compartment(/** @type {any} */ ({ __options__: true, globals }));
    /** @type {any} */
    let error;
    try {
      compartment.evaluate(`{ ${code} }`);
    } catch (thrown) {
      error = thrown;
    }
    if (error.constructor === SyntaxError) {
      t.log('this engine has no such syntax, or it is refused');
      return t.pass();
    }
    const seen = [];
    for (let Class = error.constructor; Class; Class = Object.getPrototypeOf(Class)) {
      if (Class === Function.prototype) break;
      seen.push(Class.name);
      t.is(Object.getOwnPropertyDescriptor(Class, 'prepareStackTrace')?.value, undefined);
      Reflect.set(Class, 'prepareStackTrace', () => t.fail(`${Class.name} sees stacks of others`));
    }
    t.true(seen.length > 1, 'the class inherits from Error');
    t.is(typeof Error('x').stack, 'string');
    return undefined;
  });
}

test('in a realm that another program locked down, texts stay as they are', t => {
  const script = `
    import 'ses';
    import { ensureLockdown } from ${JSON.stringify(new URL('../../../loader/lockdown.js', import.meta.url).href)};
    import { tellEngineError } from ${JSON.stringify(new URL('../../../loader/engine-errors.js', import.meta.url).href)};
    await ensureLockdown();
    try { null.x; } catch (error) { console.log(String(tellEngineError(error))); }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('.', import.meta.url),
    encoding: 'utf8',
  });
  t.is(said, 'undefined\n');
});
