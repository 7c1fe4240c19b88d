// The JSON Schema of a config agrees with its reader, for each field, each config of this repository and mistakes.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import Ajv from 'ajv';
import * as tables from '../config-fields.js';
import { makeConfigSchema } from '../config-schema.js';
import { loadConfig } from '../index.js';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const root = path.join(import.meta.dirname, '../../..');

const compile = (/** @type {object} */ schema) => new Ajv({ allErrors: true }).compile(schema);
const validate = compile(makeConfigSchema());

/** @param {unknown} config @returns {string} the schema's errors, empty if there are none */
const judge = config => {
  const isRight = validate(config);
  return isRight ? '' : JSON.stringify(validate.errors);
};

const values = [
  ...[
    true,
    false,
    null,
    0,
    1,
    -1,
    1.5,
    64,
    65,
    2 ** 53,
    '',
    'x',
    'never',
    'auto',
    'local',
    'worker',
  ],
  ...['xsnap', 'nothing', {}, { a: 1 }, [], ['a'], [1], [''], '10 ms', '0'],
];

test('the schema of each field takes the values that its check takes, and no others', t => {
  let count = 0;
  for (const [name, table] of Object.entries(tables)) {
    if (!name.endsWith('Fields')) continue;
    for (const [field, { check, schema }] of Object.entries(table)) {
      const isRight = compile(schema);
      for (const value of values) {
        t.is(isRight(value), check(value), `${name}.${field}: ${JSON.stringify(value)}`);
        count += 1;
      }
    }
  }
  t.true(count > 1_000);
});

test('every config of the repository satisfies the schema', t => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*swingset.json'], {
    cwd: root,
  })
    .toString()
    .trim()
    .split('\n');
  t.true(files.length > 20);
  for (const file of files)
    t.is(judge(JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))), '', file);
});

/** @param {object} more */
const config = more => ({
  bootstrap: 'a',
  vats: { a: { sourceSpec: 'a.js' } },
  ...more,
});

/** @type {object[]} */
const mistakes = [
  { vats: { a: { sourceSpec: 'a.js' } } },
  { bootstrap: 'a' },
  config({ vats: {} }),
  config({ vat: {} }),
  config({ bootstrap: '' }),
  config({ vats: { a: {} } }),
  config({ vats: { a: { sourceSpec: 'a.js', bundleName: 'b' } } }),
  config({ vats: { a: { sourceSpce: 'a.js' } } }),
  config({ vats: { a: { sourceSpec: 5 } } }),
  config({ vats: { a: { sourceSpec: 'a.js', creationOptions: { managerTyp: 'local' } } } }),
  config({ vats: { a: { sourceSpec: 'a.js', creationOptions: { managerType: 'fast' } } } }),
  config({
    vats: { a: { sourceSpec: 'a.js', creationOptions: { neverReap: true, reapInterval: 5 } } },
  }),
  config({ vats: { a: { sourceSpec: 'a.js' }, ['x'.repeat(300)]: { sourceSpec: 'a.js' } } }),
  config({ devices: { timer: { sourceSpec: 'a.js', bundleName: 'x' } } }),
  config({ devices: { timer: { creationOptions: { unendowd: true } } } }),
  config({ bundles: { b: {} } }),
  config({ bundles: { b: { bundleName: 'x' } } }),
  config({ workers: 1000 }),
  config({ workers: '2' }),
  config({ defaultReapInterval: 0 }),
  config({ defaultReapInterval: 'sometimes' }),
  config({ lenient: 'yes' }),
  config({ sourceRoots: 'x' }),
  config({ connections: {} }),
  config({ connections: [5] }),
  config({ connections: [{ from: 'a.out' }] }),
  config({ connections: [{ from: 'a.out', to: [] }] }),
  config({ connections: [{ from: 'a.out', to: 'a.in', after: '10 parsecs' }] }),
  config({ connections: [{ from: 'a.out', to: 'a.in', physical: 1 }] }),
  config({ connections: [{ from: { interleved: ['a.out'] }, to: 'a.in' }] }),
  config({ reactors: { timeout: 'soon' } }),
  config({ reactors: { time: '1 s' } }),
];

test('a config that the schema refuses is refused when it is read', t => {
  const dir = temporaryDirectory(t);
  fs.writeFileSync(path.join(dir, 'a.js'), 'export const buildRootObject = () => {};');
  const file = path.join(dir, 'swingset.json');
  const load = (/** @type {object} */ written) => {
    fs.writeFileSync(file, JSON.stringify(written));
    return loadConfig({ configFile: file });
  };
  t.notThrows(() => load(config({})));
  t.is(judge(config({})), '');
  for (const mistake of mistakes) {
    t.not(judge(mistake), '', JSON.stringify(mistake));
    t.throws(() => load(mistake), { name: 'UserError' }, JSON.stringify(mistake));
  }
});

test('a config that can be read satisfies the schema', t => {
  for (const right of [
    config({ $schema: 'x', $comment: ['y'] }),
    config({ devices: { timer: {}, mine: { sourceSpec: 'd.js' } }, loopboxSenders: ['a'] }),
    config({ workers: 'auto', defaultReapInterval: 'never' }),
    config({
      connections: [
        { from: ['a.x', { interleaved: ['a.y', 'a.z'] }], to: 'a.in[0]', after: '1.5 ms' },
      ],
    }),
    config({ reactors: { timeout: '1 min' } }),
    config({
      vats: { a: { sourceSpec: 'a.js', creationOptions: { neverReap: false, reapInterval: 5 } } },
    }),
  ])
    t.is(judge(right), '', JSON.stringify(right));
});
