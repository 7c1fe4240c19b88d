// Hints read a source that a vat names, so the size of what they read is bounded.

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

test('the hint names the undefined expression, at the end of a line of any length', t => {
  const file = path.join(temporaryDirectory(t), 'vat-a.js');
  const before = `${'y'.repeat(900_000)};vats.nobody.`;
  fs.writeFileSync(file, `${before}x()`);
  const hint = hintAt(pathToFileURL(file).href, before.length + 1);
  t.is(hint, 'vats.nobody is undefined: no vat of the config is called "nobody"');
  // A line of one long word takes no quadratic time.
  fs.writeFileSync(`${file}.js`, 'y'.repeat(900_000));
  t.is(hintAt(pathToFileURL(`${file}.js`).href, 900_000), undefined);
});

const unlessWindows = process.platform === 'win32' ? test.skip : test;
unlessWindows('a device that a vat names as its source is not read', t => {
  t.is(hintAt('file:///dev/zero', 10), undefined);
});

test('a reaction is pointed to timers, actions and the time of its reactor', t => {
  const hintOf = (/** @type {string} */ text) => findHint({ message: text, frames: [] });
  for (const [text, inMethod, inReaction] of /** @type {[string, RegExp, RegExp][]} */ ([
    ['setTimeout is not a function', /E\(timerService\)\.delay/, /this\.timer\(offset, period\)/],
    [
      'secure mode Calling %SharedDate%.now() throws',
      /E\(timerService\)/,
      /this\.util\.getCurrentLogicalTime\(\)/,
    ],
  ])) {
    t.regex(String(hintOf(text)), inMethod);
    const hint = String(hintOf(`main.tick failed at 5ms.0: ${text}`));
    t.regex(hint, inReaction);
    t.notRegex(hint, /timerService/);
  }
});

test('a name of 2021 is told its name of today', t => {
  const hintOf = (/** @type {string} */ text) => findHint({ message: text, frames: [] });
  const today = 'it has another name and other arguments today, VatData.defineKind(…)';
  t.is(hintOf('makeKind is not a function'), today);
  t.is(hintOf('VatData.makeKind is not a function'), today);
  t.is(hintOf('VatData.other is not a function'), 'Object.keys(VatData) lists what it has');
});
