// The compiler comes as two files (packages/vendored/compiler.js): they do what its packages do, and need none of them.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import test from 'ava';
import { ModuleSource } from '@endo/module-source';
import { parse } from '@babel/parser';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { loadModuleSource, loadParser, readCompilerVersions } from '#vendored/compiler.js';
import { collectCompiler } from '../../../scripts/vendor-compiler.js';

const files = path.join(import.meta.dirname, '../../vendored/files/compiler');

/** Sources with all kinds of imports and exports. */
const sources = [
  `import { E as send } from '@endo/far'; import * as all from './all.js'; import one from './one.js';
   export const a = x => send(x).foo(all.b, one, import.meta.url);`,
  `export * from './z.js'; export * as y from './y.js'; export { x as default, w } from './x.js';`,
  `export default class Foo { #y = 1; static { Foo.z = 2; } get y() { return this.#y; } }`,
  `export let count = 0; export function next() { count += 1; return count ?? 0; } export const { p, q: [r] } = f();`,
  `export default async function* () { for await (const a of b) yield \`\${a} <!-- \`; }`,
];

test.before(() => collectCompiler());

test('the files make of a module what the packages make', t => {
  const Packed = loadModuleSource();
  t.not(Packed, ModuleSource);
  for (const source of sources)
    t.deepEqual({ ...new Packed(source) }, { ...new ModuleSource(source) });
  t.throws(() => new Packed('export const ='), { message: /Unexpected token/ });
});

test('the parser is the same, and its version is told without it', t => {
  for (const source of sources) {
    const options = { sourceType: /** @type {const} */ ('module') };
    t.deepEqual(
      JSON.parse(JSON.stringify(loadParser()(source, options))),
      JSON.parse(JSON.stringify(parse(source, options))),
    );
  }
  const require = createRequire(import.meta.url);
  t.deepEqual(readCompilerVersions(), {
    moduleSource: require('@endo/module-source/package.json').version,
    parser: require('@babel/parser/package.json').version,
  });
});

test('the files need no package', async t => {
  const folder = temporaryDirectory(t);
  fs.cpSync(files, folder, { recursive: true });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '-p',
      `const { ModuleSource } = require('./compiler.cjs'); [...new ModuleSource('export * from "./a.js"').reexports]`,
    ],
    { cwd: folder },
  );
  t.is(stdout, "[ './a.js' ]\n");
});

test('the licences of all that is in the files are beside them', t => {
  const licences = fs.readFileSync(path.join(files, 'LICENSES.txt'), 'utf8');
  for (const name of ['@endo/module-source', '@babel/traverse', '@babel/types', 'debug', 'jsesc'])
    t.regex(licences, new RegExp(`^${name} `, 'm'));
});
