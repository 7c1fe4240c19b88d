import { rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { showPath } from '#config';
import { bundleVat, importBundle } from '../bundle/index.js';
import { ensureLockdown } from '../lockdown.js';
import { cacheDir, folders, writeFiles } from './bundle-sources.js';

folders.push(cacheDir);

test.before(() => ensureLockdown());

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @param {Record<string, string>} files @returns {Promise<{ notices: string[], run: () => Promise<any> }>} */
const look = async files => {
  const dir = writeFiles(files);
  const { notices, bundle, sourceUrls } = await bundleVat(join(dir, 'vat-x.js'), { cacheDir });
  return {
    notices: notices.map(notice => notice.replaceAll(`${showPath(dir)}/`, '')),
    run: async () => (await importBundle(bundle, { cacheDir, sourceUrls, name: 'x' })).namespace,
  };
};

test('an import without the end of its file is told, with the whole name', async t => {
  const { notices } = await look({
    'vat-x.js':
      "import './util';\nimport './lib';\nimport './lib/index';\nimport './a.js';\nimport './b.min';",
    'util.mjs': 'export {};',
    'lib/index.js': 'export {};',
    'a.js': 'export {};',
    'b.min.js': 'export {};',
  });
  t.deepEqual(notices, [
    'vat-x.js:1: "./util" is found as "./util.mjs" by vats alone; Node and browsers need the whole name',
    'vat-x.js:2: "./lib" is found as "./lib/index.js" by vats alone; Node and browsers need the whole name',
    'vat-x.js:3: "./lib/index" is found as "./lib/index.js" by vats alone; Node and browsers need the whole name',
  ]);
});

test('an import() is told, and rejected when it is called', async t => {
  const { notices, run } = await look({
    'vat-x.js': 'export const later = name =>\n  import(name);',
    'a.js': 'export {};',
  });
  const message = 'a vat has no import(); import the module at the top of the file';
  t.deepEqual(notices, [`vat-x.js:2: ${message}; the call is rejected`]);
  const { later } = await run();
  for (const name of ['./a.js', 'node:fs', 'data:text/javascript,1'])
    await t.throwsAsync(later(name), { name: 'TypeError', message });
});

/** The vat that all examples share. */
const entry = "import { a } from './a.js';\nexport { b } from './b.js';\nexport const done = a;";

/**
 * Whether `b` in b.js is what is meant when b.js runs before a.js, which imports it.
 *
 * @type {[b: string, a: string, told: string | undefined][]}
 */
const cycles = [
  ["import { n } from './a.js';\nexport const b = n;", 'export const n = 1;', 'b.js:2: n'],
  ["import { n as m } from './a.js';\nexport const b = [m][0];", 'export let n = 1;', 'b.js:2: m'],
  ["import n from './a.js';\nexport const b = n;", 'export default 1;', 'b.js:2: n'],
  ["import { f } from './a.js';\nexport const b = f;", 'export function f() {}', 'b.js:2: f'],
  ["import * as s from './a.js';\nexport const b = s.n;", 'export const n = 1;', 'b.js:2: s.n'],
  [
    "import { n } from './a.js';\nclass C { static x = n; }\nexport const b = C.x;",
    'export const n = 1;',
    'b.js:2: n',
  ],
  ["import { n } from './a.js';\nexport const b = { n }.n;", 'export const n = 1;', 'b.js:2: n'],
  ["import { n } from './a.js';\nexport const b = () => n;", 'export const n = 1;', undefined],
  [
    "import { n } from './a.js';\nclass C { x = n; m() { return n; } }\nexport const b = C;",
    'export const n = 1;',
    undefined,
  ],
  [
    "import { n } from './a.js';\nexport { n };\nexport const b = 1;",
    'export const n = 1;',
    undefined,
  ],
  [
    "import { n } from './a.js';\nexport const b = ((n) => n)(1);",
    'export const n = 1;',
    undefined,
  ],
  ["import { n } from './a.js';\nexport const b = typeof n;", 'export const n = 1;', undefined],
  [
    "import { n } from './a.js';\nexport const b = { n: 1 }.n;\nexport const f = () => n;",
    'export const n = 1;',
    undefined,
  ],
  ["import { n } from './a.js';\nexport const b = n;", "export { n } from './c.js';", undefined],
  [
    "import { n } from './a.js';\nexport const b = n;",
    "import { n } from './c.js';\nexport { n };",
    undefined,
  ],
];

for (const [b, a, told] of cycles)
  test(`what an import cycle leaves undefined is told: ${b} | ${a}`, async t => {
    const { notices, run } = await look({
      'vat-x.js': entry,
      'a.js': `import './c.js';\nimport { b as used } from './b.js';\nexport const a = () => used;\n${a}`,
      'b.js': b,
      'c.js': 'export const n = 7;',
    });
    const namespace = await run();
    t.deepEqual(
      notices,
      told === undefined
        ? []
        : [
            `${told} is undefined here: a.js declares it and runs later, since the two import each other; use it in a function, or move it to a file of its own`,
          ],
    );

    t.is(namespace.b === undefined, told !== undefined);
  });

test('modules that pass on each other by two ways each are looked through once', async t => {
  /** @type {Record<string, string>} */
  const files = {
    'vat-x.js':
      "import { far } from './a0.js'; import * as all from './a0.js';\nexport const b = far; export const buildRootObject = () => all;",
  };
  const depth = 40;
  for (let i = 0; i < depth; i += 1)
    for (const side of ['a', 'b'])
      files[`${side}${i}.js`] = `export * from './a${i + 1}.js'; export * from './b${i + 1}.js';`;
  files[`a${depth}.js`] = 'export const near = 1;';
  files[`b${depth}.js`] = 'export const near = 2;';
  const { notices, run } = await look(files);
  t.deepEqual(notices, []);
  await t.throwsAsync(run(), { message: /does not export "far"/ });
});
