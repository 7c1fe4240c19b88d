// Programs of other tools that are no modules: the error says what they would have to be.

import '#testkit/lockdown.js';
import test from 'ava';
import { adoptBundle, importBundle } from '../bundle/index.js';
import { makeArchive } from './make-archive.js';

/** @type {Record<string, [moduleFormat: string, source: string, problem: string]>} */
const wrong = {
  'a number': [
    'getExport',
    '5',
    'the source of a bundle "getExport" must be a function, got number',
  ],
  'null in place of a function': [
    'nestedEvaluate',
    'null',
    'the source of a bundle "nestedEvaluate" must be a function, got null',
  ],
  'a function that gives null': [
    'getExport',
    '() => null',
    'the source of the bundle must give the exports of its module, got null',
  ],
  'a script whose value is a string': [
    'endoScript',
    '"exports"',
    'the source of the bundle must give the exports of its module, got string',
  ],
};

for (const [title, [moduleFormat, source, problem]] of Object.entries(wrong))
  test(`a bundle that is ${title} makes no vat`, async t => {
    const bundle = adoptBundle({ moduleFormat, source }, 'it');
    await t.throwsAsync(importBundle(bundle, { name: 'x' }), {
      name: 'UserError',
      message: `vat "x" does not start: TypeError: ${problem}`,
    });
  });

test('exports may be properties of a function', async t => {
  const source = '() => Object.assign(() => {}, { two: 2 })';
  const bundle = adoptBundle({ moduleFormat: 'getExport', source }, 'it');
  t.is((await importBundle(bundle, { name: 'x' })).namespace.two, 2);
});

test('a compiled CommonJS module that is no function makes no vat', async t => {
  const text = JSON.stringify({ imports: [], exports: [], source: '5' });
  const given = makeArchive({ './vat.js': { text, parser: 'pre-cjs-json' } });
  await t.throwsAsync(importBundle(adoptBundle(given, 'it'), { name: 'x' }), {
    name: 'UserError',
    message: /: TypeError: the source of a CommonJS module must be a function, got number$/,
  });
});
