// Vats see the engine's Unicode tables: cases, normal forms, classes in regular expressions. A Node with another
// version of Unicode fails here; runs that use new characters differ on it.

import test from 'ava';
import { createHash } from 'node:crypto';
import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

test.before(() => ensureLockdown());

const digests = {
  'x => x.toUpperCase()': '3d3b1f3df9c856a4',
  'x => x.toLowerCase()': '62a955092f4341ca',
  "x => x.normalize('NFKC')": 'b592b29d0a136c43',
  "x => x.normalize('NFD')": 'acbdeb7e8b807ccf',
  'x => /\\p{L}/u.test(x)': '9fee030bcbed0c43',
  'x => /\\p{Lu}|\\p{Nd}|\\p{Sc}/u.test(x)': 'a5a458fb4fb43bff',
  'x => x.toLocaleUpperCase("tr") + x.localeCompare("m")': 'ac5da779ab5d931d',
};

for (const [code, digest] of Object.entries(digests))
  test(`every character is the same on every Node: ${code}`, t => {
    const ask = makeVatCompartment({ name: 'x' }).evaluate(code);
    const hash = createHash('sha256');
    for (let point = 0; point < 0x110000; point += 1)
      if (point < 0xd800 || point > 0xdfff) hash.update(`${ask(String.fromCodePoint(point))}\n`);
    t.is(hash.digest('hex').slice(0, 16), digest);
  });

/** @type {[string, unknown][]} */
const said = [
  ['"i".toLocaleUpperCase("tr")', 'I'],
  ['["z", "ä", "Z", "a"].sort((a, b) => a.localeCompare(b)).join("")', 'Zazä'],
  ['(1234567.5).toLocaleString("de")', '1234567.5'],
  ['1234567n.toLocaleString()', '1234567'],
  [
    '[1234.5, new Date(0)].toLocaleString("de")',
    '1234.5,Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)',
  ],
  ['new Uint16Array([1234]).toLocaleString("de")', '1234'],
  ['typeof Intl', 'undefined'],
];
for (const [code, value] of said)
  test(`no result depends on a locale: ${code}`, t => {
    t.is(makeVatCompartment({ name: 'x' }).evaluate(code), value);
  });
