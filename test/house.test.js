// Every package that is imported, in whatever way (`import`, `import()`, `require()`, `import.meta.resolve()`), is
// declared, and no other; names are made of known words. The directions of imports are the linter's (eslint.config.js).

import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { parse } from '@babel/parser';
import test from 'ava';
import { longest } from '../ava.config.js';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Files of the project, those not added to git yet included. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n');

const sources = files.filter(
  file =>
    /^(packages|stats|runner|scripts|test|bench)\/.*\.js$/.test(file) && !/fixtures\//.test(file),
);

const isForDevelopment = (/** @type {string} */ file) =>
  /(^|\/)test\/|^bench\/|^scripts\/|^packages\/testkit\//.test(file);

/**
 * Every module name that a file imports in whatever way.
 *
 * @param {string} file
 */
const importsOf = file => {
  const names = new Set();
  const visit = (/** @type {any} */ node) => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node?.type !== 'string') return;
    const named = node.source ?? (loads(node) ? node.arguments[0] : undefined);
    if (named?.type === 'StringLiteral') names.add(named.value);
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value);
  };
  visit(parse(readFileSync(join(root, file), 'utf8'), { sourceType: 'module' }).program);
  return [...names];
};

/**
 * `import(…)`, `require(…)`, `createRequire(…)(…)` or `import.meta.resolve(…)`.
 *
 * @param {any} node
 */
const loads = ({ type, callee }) =>
  type === 'CallExpression' &&
  (callee.type === 'Import' ||
    (callee.name ?? callee.callee?.name ?? '').match(/^(createR|r)equire$/) ||
    callee.object?.type === 'MetaProperty');

/** @param {string} specifier */
const packageOf = specifier => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

const imported = new Map(
  sources.map(file => [
    file,
    importsOf(file).filter(
      name =>
        !/^[.#]|^node:/.test(name) &&
        !builtinModules.includes(name) &&
        packageOf(name) !== manifest.name,
    ),
  ]),
);

/** Sources of vats, which are given the modules that they import. */
const isOfVat = (/** @type {string} */ file) =>
  file === 'packages/config/vat-launcher.js' ||
  file === 'packages/testing/vat-bootstrap.js' ||
  file.startsWith('packages/measure/ipc/vats/') ||
  file.startsWith('runner/templates/') ||
  file.startsWith('packages/swingset/devices/sources/');

test('packages that the sources import are dependencies, or optional peers', t => {
  const allowed = { ...manifest.dependencies, ...manifest.peerDependencies };
  const missing = [...imported]
    .filter(([file]) => !isForDevelopment(file) && !isOfVat(file))
    .flatMap(([file, names]) =>
      names.filter(name => !(packageOf(name) in allowed)).map(name => `${file}: ${name}`),
    );
  t.deepEqual(missing, []);
});

test('packages that tests and benchmarks import are dependencies of either kind', t => {
  const declared = { ...manifest.dependencies, ...manifest.devDependencies };
  const missing = [...imported].flatMap(([file, names]) =>
    names.filter(name => !(packageOf(name) in declared)).map(name => `${file}: ${name}`),
  );
  t.deepEqual(missing, []);
});

test("the database's binaries have the version of its library, and the names in its package", t => {
  const library = JSON.parse(readFileSync(join(root, 'node_modules/lmdb/package.json'), 'utf8'));
  t.deepEqual(manifest.optionalDependencies, library.optionalDependencies);
  t.is(manifest.devDependencies.lmdb, library.version);
});

test('every dependency is imported somewhere', t => {
  const used = new Set([...imported].flatMap(([, names]) => names.map(packageOf)));
  t.deepEqual(
    Object.keys(manifest.dependencies).filter(name => !used.has(name)),
    [],
  );
});

test('the test files that begin first are there', t => {
  for (const file of longest) t.true(existsSync(file), `${file} (ava.config.js)`);
});

test('the diagram of imports agrees with the sources', t => {
  t.notThrows(() =>
    execFileSync(process.execPath, [join(root, 'scripts/draw-imports.js'), '--check']),
  );
});

/** The words of a name in camel case, in small letters. @param {string} name */
const wordsOf = name =>
  name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/)
    .map(word => word.toLowerCase())
    .filter(word => word !== '');

/** The names that a file of the program exports where it declares them. @param {string} file */
const exportsOf = file =>
  parse(readFileSync(join(root, file), 'utf8'), { sourceType: 'module' }).program.body.flatMap(
    (/** @type {any} */ node) => {
      if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return [];
      const { id, declarations = [] } = node.declaration;
      return [id, ...declarations.map((/** @type {any} */ one) => one.id)].flatMap(
        one => one?.name ?? [],
      );
    },
  );

test('names consist of words of the glossary or of the list beside this test', t => {
  const design = readFileSync(join(root, 'packages/README.md'), 'utf8');
  const glossary = design.slice(
    design.indexOf('## Words'),
    design.indexOf('## The way of a crank'),
  );
  const listed = readFileSync(join(root, 'test/words.txt'), 'utf8').trim().split('\n');
  t.deepEqual(listed, [...new Set(listed)].sort(), 'test/words.txt is sorted, each word once');
  const known = new Set([...(glossary.toLowerCase().match(/[a-z0-9]+/g) ?? []), ...listed]);
  const programs = sources.filter(
    file => !isForDevelopment(file) && !/^runner\/templates\//.test(file),
  );
  const names = programs.flatMap(file => exportsOf(file).map(name => ({ file, name })));
  t.true(names.length > 1_000);
  const unknown = names.flatMap(({ file, name }) =>
    wordsOf(name)
      .filter(word => !known.has(word))
      .map(word => `${file}: ${name}: ${word}`),
  );
  t.deepEqual(unknown, []);
  const used = new Set(names.flatMap(({ name }) => wordsOf(name)));
  t.deepEqual(
    listed.filter(word => !used.has(word)),
    [],
    'test/words.txt has words that no name uses',
  );
});
