// Endo's test files run in vats (scripts/endo-tests): here a small checkout with tests that pass, fail and are redacted.

import test from 'ava';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ensureLockdown } from '#loader/lockdown.js';

await ensureLockdown();
const { runEndoTests } = await import('../scripts/endo-tests/run.js');
const { importOurs, testedPackages } = await import('../scripts/endo-tests/workspace.js');

/** @param {string} text  a test file of the package marshal @returns {Record<string, string>} */
const makeCheckout = text => ({
  ...Object.fromEntries(
    testedPackages.flatMap(name => [
      [`packages/${name}/package.json`, JSON.stringify({ name: `@endo/${name}`, type: 'module' })],
      [`packages/${name}/test/README`, ''],
    ]),
  ),
  'packages/marshal/src/own.js': 'export const ownName = "own";\n',
  'packages/marshal/test/small.test.js': text,
});

/** @param {import('ava').ExecutionContext} t @param {string} text */
const runFile = async (t, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'swingset-runner-endo-test-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const [file, content] of Object.entries(makeCheckout(text))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return runEndoTests(folder, () => {});
};

const head = `
  import test from '@endo/ses-ava/test.js';
  import { makeMarshal } from '../src/marshal.js';
  import { ownName } from '../src/own.js';
`;

test('a file whose tests pass is equal', async t => {
  const rows = await runFile(
    t,
    `${head}
      test('marshals', t => t.is(makeMarshal().toCapData(harden([ownName])).body, '[\\\\"own\\\\"]'.replaceAll('\\\\', '')));
      test.failing('fails', t => t.is(1, 2));
      test('details', t => t.throws(() => { throw Error('got (a number) and (a string)'); }, { message: 'got 3 and "x"' }));
      test.skip('skipped', t => t.fail());
    `,
  );
  t.deepEqual(rows, [{ name: 'marshal/small (3 tests)', result: 'equal' }]);
});

test('a file with a test that fails differs, with the reason', async t => {
  const rows = await runFile(
    t,
    `${head}
      test('one', t => t.pass());
      test('two', t => t.throws(() => { throw Error('mine'); }, { message: 'yours' }));
      test('three', async t => t.throwsAsync(async () => ownName));
    `,
  );
  t.deepEqual(rows, [
    {
      name: 'marshal/small (3 tests)',
      result: 'differs',
      reason: '2 of them, as two: Error(threw Error(mine), not yours)',
    },
  ]);
});

test('a file whose vat does not start is refused', async t => {
  const [row, ...others] = await runFile(t, `${head} throw Error('not today');`);
  t.deepEqual(others, []);
  t.is(row.name, 'marshal/small');
  t.is(row.result, 'refused');
  t.regex(String(row.reason), /not today/);
});

test('an import by path becomes one of our module if that has all names', t => {
  const ours = (/** @type {string} */ text) => importOurs(text, '@endo/marshal');
  t.is(
    ours("import { makeMarshal, QCLASS } from '../src/marshal.js';"),
    "import { makeMarshal, QCLASS } from '@endo/marshal';",
  );
  const theirs = "import { makeMarshal, noSuchName } from '../src/marshal.js';";
  t.is(ours(theirs), theirs);
  t.is(importOurs(theirs, '@endo/exo'), theirs);
});

test('a redacted detail excuses no test that is not named', async t => {
  const [row] = await runFile(
    t,
    `${head}
      test('mine', t => { t.is(ownName, 'own'); throw Error('got (a number)'); });
    `,
  );
  t.deepEqual(row, {
    name: 'marshal/small (1 test)',
    result: 'differs',
    reason: '1 of them, as mine: Error(got (a number))',
  });
});

test('a test file has the globals of Node that vats lack', async t => {
  const rows = await runFile(
    t,
    `${head}
      process.env.ENDO_OPTION = 'on';
      test('options', t => t.is((globalThis.process || {}).env.ENDO_OPTION, 'on'));
      test('bits', t => {
        t.is(ownName, 'own');
        const numbers = new Float64Array(1);
        numbers[0] = 1;
        t.deepEqual([...new Uint32Array(numbers.buffer, numbers.byteOffset)], [0, 0x3ff00000]);
      });
      test('seeds', t => t.is(Date.now(), Date.now()));
    `,
  );
  t.deepEqual(rows, [{ name: 'marshal/small (3 tests)', result: 'equal' }]);
});
