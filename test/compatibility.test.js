// The page of what runs of others' programs is made of the rows that are kept.

import test from 'ava';
import { readFileSync } from 'node:fs';

import { readCommands } from '../scripts/compatibility/commands-2020.js';
import { countRows, formatPage } from '../scripts/compatibility/page.js';
import { readRows } from '../scripts/compatibility/rows.js';
import { loadPublished } from './compare/load.js';

test('docs/compatibility.md has each kept row with its reason', t => {
  const page = readFileSync(new URL('../docs/compatibility.md', import.meta.url), 'utf8');
  for (const suite of ['commands-2020', 'demos-today']) {
    const kept = readRows(suite);
    t.true(kept !== undefined && kept.rows.length > 0, suite);
    for (const { name, result } of kept?.rows ?? [])
      t.true(page.includes(`| \`${name}\``) && page.includes(result), name);
    t.true(page.includes(countRows(kept?.rows ?? [])), suite);
  }
});

test('the table names a suite that was never run, and its cells contain no bars', t => {
  const section = { suite: 'x', title: 'X', about: 'About.' };
  t.regex(formatPage([{ ...section, kept: undefined }]), /About\. Not run yet\./);
  const kept = {
    rows: [{ name: 'a', result: /** @type {const} */ ('refused'), reason: 'x|y\nz' }],
  };
  t.true(formatPage([{ ...section, kept }]).includes('| `a` | refused | x\\|y z |'));
});

test('counters recorded from that kernel equal its published ones', t => {
  const { demos } = loadPublished();
  const commands = new Map(readCommands().map(it => [[it.demo, ...it.argv].join(' '), it]));
  for (const { command, cranks, counters } of demos) {
    const demo = / demo\/(\w+)/.exec(command)?.[1];
    const argv = command.split(' -- ')[1];
    const taken = commands.get(argv === undefined ? `${demo}` : `${demo} ${argv}`);
    t.is(taken?.cranks, cranks, command);
    for (const [name, { value, max }] of Object.entries(counters)) {
      t.is(taken?.counters[name]?.[0], value, `${command}: ${name}`);
      if (max !== undefined && max !== null) t.is(taken?.counters[name]?.[3], max, name);
    }
  }
});
