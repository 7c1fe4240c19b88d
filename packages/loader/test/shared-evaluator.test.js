// Modules of a vat share the evaluator of its compartment, and texts are searched for a direct `eval` once: neither shows.

import test from 'ava';
import { rmSync } from 'node:fs';
import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';
import { cacheDir, folders, importOf } from './bundle-sources.js';

folders.push(cacheDir);

test.before(() => ensureLockdown());

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('names of Object.prototype that stand alone find the globals', async t => {
  const { namespace, compartment } = await importOf({
    'vat-x.js': `
      export * from './other.js';
      export const seen = () => [valueOf(), hasOwnProperty('harden'), {...valueOf()}];
      export const escaped = () => v\\u0061lueOf();
      export const assign = () => { toString = 1; };
      export const replace = () => { __proto__ = { secret: 1 }; };
    `,
    'other.js': `
      export class Box { constructor() { this.value = 1; } }
      export const name = new Box().constructor.name;
      export const secret = () => typeof secret2;
    `,
  });
  const [object, hasHarden, copy] = namespace.seen();
  t.is(object, compartment.globalThis);
  t.true(hasHarden);
  t.deepEqual(copy, { ...compartment.globalThis });
  t.is(namespace.escaped(), compartment.globalThis);
  t.throws(namespace.assign, { instanceOf: TypeError });
  t.throws(namespace.replace, { instanceOf: TypeError });
  t.is(namespace.name, 'Box');
  t.is(namespace.secret(), 'undefined');
});

test('bindings that are assigned to are a module of its own', async t => {
  const files = {
    'vat-x.js': `
      export { count as first, bump } from './a.js';
      export { count as second } from './b.js';
    `,
    'a.js': 'export let count = 0; export const bump = () => { count += 1; };',
    'b.js': 'export let count = 10; export const raise = () => { count = 20; };',
  };
  const { namespace } = await importOf(files);
  namespace.bump();
  t.deepEqual([namespace.first, namespace.second], [1, 10]);
  const { namespace: again } = await importOf(files);
  t.deepEqual([again.first, again.second], [0, 10]);
});

test('a module imported again has globals and state of its own', async t => {
  const files = {
    'vat-x.js': `
      import { list } from './list.js';
      export const add = value => list.push(value, globalThis, mark);
      export { list };
    `,
    'list.js': 'export const list = [];',
  };
  const one = await importOf(files, { endowments: { mark: 'one' } });
  const two = await importOf(files, { endowments: { mark: 'two' } });
  one.namespace.add(1);
  two.namespace.add(2);
  t.deepEqual(one.namespace.list, [1, one.compartment.globalThis, 'one']);
  t.deepEqual(two.namespace.list, [2, two.compartment.globalThis, 'two']);
});

test('what a vat evaluates is guarded while its modules are not searched again', async t => {
  const files = {
    'vat-x.js': 'export const run = text => [eval, Function][0](text);',
  };
  for (const round of [1, 2]) {
    const { namespace } = await importOf(files);
    t.is(namespace.run('2 ** 3'), 8, String(round));
    const refused = { instanceOf: SyntaxError };
    t.throws(() => namespace.run('import.source("x")'), refused, String(round));
  }
});

test('a direct eval is refused however often, whatever was evaluated before', t => {
  const evaluate = makeVatCompartment({ name: 'x' }).evaluate(
    `const one = new Compartment();
    const two = new Compartment();
    (text, options) => [one, two, one].map(each => {
      try { return each.evaluate(text, options); } catch ({ name }) { return name; }
    })`,
  );
  const direct = 'eval("1")';
  const refused = ['SyntaxError', 'SyntaxError', 'SyntaxError'];
  t.deepEqual(evaluate(direct), refused);
  // An option of SES lets the text through, and the next evaluation is searched all the same.
  const lenient = { __rejectSomeDirectEvalExpressions__: false };
  t.deepEqual(evaluate(direct, lenient), [1, 1, 1]);
  t.deepEqual(evaluate(direct), refused);
  t.deepEqual(evaluate('2 + 3'), [5, 5, 5]);
  t.deepEqual(evaluate('2 + 3'), [5, 5, 5]);
  // A text that was accepted is searched again behind a transform of the vat.
  t.deepEqual(evaluate('2 + 3', { transforms: [() => direct] }), refused);
  t.deepEqual(evaluate(direct, { transforms: [() => '2 + 3'] }), [5, 5, 5]);
  t.deepEqual(evaluate(direct), refused);
});
