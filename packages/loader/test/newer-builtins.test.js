import test from 'ava';
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} source */
const evaluate = source => makeVatCompartment({ name: 'x' }).evaluate(source);

/** Our own globals, which other tests check. */
const ours =
  /^(?:console|assert|URL|URLSearchParams|TextEncoder|TextDecoder|atob|btoa|Compartment|harden|Date|__power__|__template__)$/;

/** Objects that give access to built-ins without a global name. */
const nameless = [
  '(function* () {}).constructor.prototype',
  '(async function* () {}).constructor.prototype',
  '(async () => {}).constructor.prototype',
  '[][Symbol.iterator]()',
  "''[Symbol.iterator]()",
  'new Map()[Symbol.iterator]()',
  'new Set()[Symbol.iterator]()',
  "'a'.matchAll(/a/g)",
];

/** All properties that a vat reaches from its built-ins, in their order, with the kind of each. */
const listBuiltins = () => {
  /** @type {string[]} */
  const lines = [];
  const seen = new Set();
  const show = (/** @type {PropertyKey} */ key) =>
    typeof key === 'symbol' ? `[${key.description}]` : String(key);
  /** @param {string} path @param {any} value @param {(key: string) => boolean} [skip] */
  const visit = (path, value, skip = () => false) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    if (seen.has(value)) return;
    seen.add(value);
    const keys = Reflect.ownKeys(value).filter(key => !skip(show(key)));
    for (const key of keys) {
      const { value: inner } = /** @type {any} */ (Object.getOwnPropertyDescriptor(value, key));
      if (key === 'length' || key === 'name') continue;
      const kind = typeof inner === 'function' ? `${inner.name}/${inner.length}` : typeof inner;
      lines.push(`${path}.${show(key)} ${kind}`);
    }
    for (const key of keys) {
      const { value: inner, get } = /** @type {any} */ (
        Object.getOwnPropertyDescriptor(value, key)
      );
      visit(`${path}.${show(key)}`, inner);
      visit(`${path}.${show(key)}.get`, get);
    }
    visit(`${path}.__proto__`, Object.getPrototypeOf(value));
  };
  visit('globalThis', evaluate('globalThis'), name => ours.test(name));
  for (const source of nameless) visit(source, evaluate(source));
  return lines;
};

const kept = new URL('builtins-of-node-20.txt', import.meta.url);

test('a vat reaches the built-ins of Node 20 on every Node, in the same order', t => {
  const lines = listBuiltins();
  // After a change of what vats have; on Node 20.
  if (process.env.SWINGSET_RUNNER_KEEP_BUILTINS === '1')
    writeFileSync(kept, `${lines.join('\n')}\n`);
  t.deepEqual(lines, readFileSync(kept, 'utf8').trim().split('\n'));
  t.true(lines.length > 500);
});

test('built-ins of newer engines are absent', t => {
  const names = [
    ...['Iterator', 'Temporal', 'Float16Array', 'DisposableStack', 'SuppressedError', 'WeakRef'],
    ...['Promise.try', 'Object.groupBy', 'Map.groupBy', 'Array.fromAsync', 'RegExp.escape'],
    ...['Error.isError', 'Math.f16round', 'Math.sumPrecise', 'JSON.rawJSON'],
    ...['Uint8Array.fromBase64', 'new Set().union', '[].values().map', 'new Map().getOrInsert'],
  ];
  for (const name of names) t.is(evaluate(`typeof ${name}`), 'undefined', name);
});

test('vats lack the symbols of `using`', t => {
  t.deepEqual(evaluate("['dispose' in Symbol, 'asyncDispose' in Symbol, typeof Symbol.iterator]"), [
    false,
    false,
    'symbol',
  ]);
  t.deepEqual(evaluate("'dispose' in new Compartment().globalThis.Symbol"), false);
  t.is(typeof Symbol.dispose, 'symbol');
});

test('Promise.withResolvers is the same on every engine', t => {
  t.is(evaluate('Promise.withResolvers.length'), 0);
  t.deepEqual(evaluate('Object.keys(Promise.withResolvers())'), ['promise', 'resolve', 'reject']);
  t.true(evaluate('class P extends Promise {} P.withResolvers().promise instanceof P'));
  t.throws(() => evaluate('const { withResolvers } = Promise; withResolvers()'), {
    instanceOf: TypeError,
  });
});

test('a JSON reviver gets name and value only', t => {
  t.deepEqual(
    evaluate(`
      const seen = [];
      JSON.parse('{"a":[1]}', function (...args) { seen.push([args.length, this[args[0]] === args[1]]); return args[1]; });
      seen
    `),
    [
      [2, true],
      [2, true],
      [2, true],
    ],
  );
  t.deepEqual(evaluate('JSON.parse("[1]", (k, v) => k === "0" ? v + 1 : v)'), [2]);
  t.is(evaluate('JSON.stringify({ a: [1n === 1n] })'), '{"a":[true]}');
  t.is(evaluate('String(JSON)'), '[object JSON]');
  t.throws(() => evaluate('JSON.parse("{")'), { instanceOf: SyntaxError });
});

test('a host program keeps its own globals, and Node its fetch', t => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
        import http from 'node:http';
        const before = ['Iterator', 'Temporal'].map(name => typeof globalThis[name]).join();
        const { ensureLockdown } = await import(${JSON.stringify(new URL('../lockdown.js', import.meta.url).href)});
        await ensureLockdown();
        console.log(before === ['Iterator', 'Temporal'].map(name => typeof globalThis[name]).join());
        const server = http.createServer((_, response) => response.end('fetched'));
        await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
        const form = new FormData();
        form.set('a', 'b');
        const reply = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', body: form });
        console.log(await reply.text());
        let text = '';
        for await (const part of new Blob(['str', 'eam']).stream().pipeThrough(new TextDecoderStream())) text += part;
        console.log(text);
        server.close();
        server.closeAllConnections();
      `,
    ],
    { encoding: 'utf8' },
  );
  t.is(stdout, 'true\nfetched\nstream\n', stderr);
});
