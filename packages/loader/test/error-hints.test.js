// Hints look into sources that a vat names: whatever it names, little is read.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { findHint } from '../compartment/error-hints.js';

const message = "Cannot read properties of undefined (reading 'x')";

/** @param {string} url @param {number} column */
const hintAt = (url, column) =>
  findHint({ message, frames: [{ functionName: '', url, line: 1, column }] });

test('the expression that was undefined is named, at the end of a line of any length', t => {
  const file = path.join(temporaryDirectory(t), 'vat-a.js');
  const before = `${'y'.repeat(900_000)};vats.nobody.`;
  fs.writeFileSync(file, `${before}x()`);
  const hint = hintAt(pathToFileURL(file).href, before.length + 1);
  t.is(hint, 'vats.nobody is undefined: no vat of the config is called "nobody"');
  // A line that is one word is not searched from each of its letters.
  fs.writeFileSync(`${file}.js`, 'y'.repeat(900_000));
  t.is(hintAt(pathToFileURL(`${file}.js`).href, 900_000), undefined);
});

const unlessWindows = process.platform === 'win32' ? test.skip : test;
unlessWindows('a device that a vat names as its source is not read', t => {
  t.is(hintAt('file:///dev/zero', 10), undefined);
});
