// The process of a vat with a memory limit may be no such process any more. What it sends is checked: it ends, or its vat
// alone, and no other vat and no host sees a difference.

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import test from 'ava';

import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { firstHeap, lies } from './lying-process/lies.js';
import { limitedVat, run, writeProgram } from './limited-vats.js';

const names = lies.map((_, i) => `vat${i}`);

const boot = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('root', {
    async bootstrap({ bob, ${names.join(', ')} }) {
      for (const vat of [${names.join(', ')}]) {
        console.log(await E(vat).add(bob, 1).catch(error => error.message));
        console.log(await E(vat).add(bob, 2).catch(error => error.message));
        console.log('behind it');
      }
      console.log('bob', await E(bob).add(0));
    },
  });
`;

const liar = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let sum = 0;
    return Far('liar', { add: async (bob, n) => (sum += n) * (await E(bob).add(1)) });
  };
`;

const bob = `
  import { Far } from '@endo/far';
  export const buildRootObject = () => {
    let sum = 0;
    return Far('bob', { add: n => (sum += n) });
  };
`;

const writeVats = (/** @type {import('ava').ExecutionContext} */ t) =>
  writeProgram(
    t,
    { boot, bob, liar },
    {
      bootstrap: 'boot',
      vats: {
        boot: { sourceSpec: './boot.js' },
        bob: { sourceSpec: './bob.js' },
        ...Object.fromEntries(
          names.map((name, i) => [name, limitedVat('liar', { heap: firstHeap + i * 2 ** 20 })]),
        ),
      },
    },
  );

/** Write a program that stands for Node. @param {string} dir */
const writeLyingNode = dir => {
  const file = path.join(dir, 'node');
  const program = fileURLToPath(new URL('./lying-process/lying-process.js', import.meta.url));
  fs.writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  });
  return file;
};

const posixTest = process.platform === 'win32' ? test.skip : test;

// Each lie takes two processes of a vat, or three.
posixTest('no process of a vat ends the run or changes another vat, whatever it sends', async t => {
  t.timeout(600_000);
  const baseDir = writeVats(t);
  const dir = temporaryDirectory(t);
  const { execPath } = process;
  process.env.LIES_DIR = dir;
  process.execPath = writeLyingNode(dir);
  t.teardown(() => {
    process.execPath = execPath;
    delete process.env.LIES_DIR;
  });
  const { outcome, limits } = await run(baseDir);
  /** The answers of each liar, by its title. @type {Record<string, string[]>} */
  const said = {};
  for (const { title } of lies) {
    const end = outcome.said.indexOf('behind it');
    said[title] = outcome.said.splice(0, end + 1).slice(0, end);
  }
  let sum = 0;
  for (const { title, isRepeated } of lies) {
    if (isRepeated) t.deepEqual(said[title], ['vat terminated', 'vat terminated'], title);
    else t.deepEqual(said[title], [String(sum + 1), String(3 * (sum + 2))], title);
    if (!isRepeated) sum += 2;
  }
  t.deepEqual(outcome.said, [`bob ${sum}`]);
  t.deepEqual(limits, []);
});
