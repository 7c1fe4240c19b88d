// Vats in TypeScript: types go, lines and columns stay.

import test from 'ava';

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation, VatError } from '#host';
import { directoryOfProcess } from '#testkit/temporary-directory.js';

/** @param {string} name @param {Record<string, string>} files */
const start = (name, files) => {
  const folder = join(directoryOfProcess('strip-types'), name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return makeSimulation(loadConfig({ baseDir: folder }), { store: makeMemoryStore() });
};

const bootstrap = `import { Far } from '@endo/far';
export const buildRootObject = () => Far('bootstrap', { bootstrap(): void {} });
`;

test.serial(
  'a vat in TypeScript runs, imports others, and its errors have its own lines',
  async t => {
    const simulation = await start('typed', {
      'bootstrap.ts': bootstrap,
      'amounts.ts': `export type Amount = { value: bigint };
export const add = (left: Amount, right: Amount): Amount => ({ value: left.value + right.value });
`,
      'vat-bank.ts': `import { Far } from '@endo/far';
import { add } from './amounts.js';
import type { Amount } from './amounts.js';

interface Bank {
  add(left: Amount, right: Amount): Amount;
}

export const buildRootObject = () =>
  Far('bank', {
    add: (left: Amount, right: Amount) => add(left, right),
    fail(why: string): never {
      throw Error(why as string);
    },
  } satisfies Bank & { fail(why: string): never });
`,
    });
    t.deepEqual(await simulation.call('bank', 'add', [{ value: 1n }, { value: 2n }]), {
      value: 3n,
    });
    const error = await t.throwsAsync(simulation.call('bank', 'fail', ['so']), {
      instanceOf: VatError,
    });
    t.regex(error.place ?? '', /vat-bank\.ts:13:13$/);
    await simulation.close();
  },
);

test.serial('TypeScript syntax that is more than a type is refused with its place', async t => {
  await t.throwsAsync(
    start('enum', {
      'bootstrap.ts': bootstrap,
      'vat-bank.ts': `\nexport enum Color { red }\nexport const buildRootObject = () => {};\n`,
    }),
    { message: /vat-bank\.ts:2: "export enum Color \{ red \}" is more than a type.*no enum/ },
  );
  await t.throwsAsync(
    start('syntax', { 'bootstrap.ts': bootstrap, 'vat-bank.ts': 'export const x: number = ;\n' }),
    { message: /vat-bank\.ts:1: Expression expected\.$/ },
  );
  // Without its type this would be JavaScript.
  await t.throwsAsync(
    start('slip', { 'bootstrap.ts': bootstrap, 'vat-bank.ts': '\nexport const x: = 5;\n' }),
    { message: /vat-bank\.ts:2: Type expected\.$/ },
  );
  await t.throwsAsync(
    start('imported', {
      'bootstrap.ts': `import { Amount } from './types.ts';\n${bootstrap}`,
      'types.ts': 'export type Amount = bigint;\n',
    }).then(simulation => simulation.run()),
    {
      message: /bootstrap\.ts:1: .*does not export "Amount".*if it is a type, write "import type"/,
    },
  );
});

test('a vat must not exist in both languages', t => {
  const both = { 'bootstrap.ts': bootstrap, 'vat-a.ts': bootstrap, 'vat-a.js': bootstrap };
  t.throws(() => start('both', both), { message: /the vat "a" twice/ });
  t.throws(() => start('boots', { 'bootstrap.ts': bootstrap, 'bootstrap.js': '' }), {
    message: /both "bootstrap\.js" and "bootstrap\.ts"/,
  });
});
