// Runs one test file of reactor-ts: `node run-file.js DIR FILE ours|theirs`. What the file imports of reactor-ts leads to
// this package, or to its own build. The names that its test runner gives to a test file are given here, with its own
// `expect`; each result is sent to the parent.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import vm from 'node:vm';
import * as ours from '#reactor-ts';

const [, , folder, file, which] = process.argv;
const requireTheirs = createRequire(join(folder, 'package.json'));
const typescript = requireTheirs('typescript');
const { expect } = requireTheirs('expect');
const mocks = requireTheirs('jest-mock');

/** @type {{ title: string, body: (done?: (error?: unknown) => void) => unknown }[]} */
const tests = [];
/** @type {string[]} */
const titles = [];
let limitMs = 5000;

/** @param {string} title @param {() => void} body */
const describe = (title, body) => {
  titles.push(title);
  body();
  titles.pop();
};
/** @param {string} title @param {(done?: any) => unknown} body */
const test = (title, body) => {
  tests.push({ title: [...titles, title].join(' › '), body });
};
test.skip = () => {};

/** @type {Map<string, any>} */
const loaded = new Map();

/** @param {string} path @returns {any} */
const load = path => {
  const known = loaded.get(path);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(path, module);
  const { outputText } = typescript.transpileModule(readFileSync(path, 'utf8'), {
    compilerOptions: { module: 'commonjs', target: 'es2022', esModuleInterop: true },
  });
  /** @param {string} name */
  const require = name => {
    if (/^\.\.?\/.*(core\/internal|core\/bank|src\/index|^\.\.\/index)$/.test(name))
      return which === 'ours' ? ours : requireTheirs('./lib/index.js');
    if (name.startsWith('.')) return load(`${join(dirname(path), name)}.ts`);
    return requireTheirs(name);
  };
  const jest = {
    ...mocks,
    spyOn: mocks.spyOn,
    /** @param {number} ms */
    setTimeout: ms => {
      limitMs = ms;
    },
  };
  const wrapper = vm.runInThisContext(
    `(function (exports, module, require, describe, it, test, expect, jest) {${outputText}\n})`,
    { filename: path },
  );
  wrapper(module.exports, module, require, describe, test, test, expect, jest);
  return module.exports;
};

/** @type {((error: unknown) => void) | null} */
let failRunning = null;
process.on('uncaughtException', error => failRunning?.(error));

/** @param {(typeof tests)[number]} each */
const run = ({ body }) =>
  new Promise((settle, fail) => {
    failRunning = fail;
    const timer = setTimeout(() => fail(new Error(`not done after ${limitMs} ms`)), limitMs);
    /** @param {unknown} [error] */
    const done = error => {
      clearTimeout(timer);
      if (error === undefined) settle(undefined);
      else fail(error);
    };
    try {
      const result = body.length > 0 ? body(done) : body();
      if (body.length === 0) Promise.resolve(result).then(() => done(), done);
    } catch (error) {
      done(error);
    }
  });

load(join(folder, '__tests__', file));
// A test that is declared while another one runs does not belong to this file.
for (const each of tests.slice()) {
  /** @type {{ title: string, error?: string }} */
  const result = { title: each.title };
  try {
    await run(each);
  } catch (error) {
    result.error = String(/** @type {any} */ (error)?.message ?? error).slice(0, 400) || 'failed';
  }
  await new Promise(sent => process.send?.(result, sent));
}
process.exit(0);
