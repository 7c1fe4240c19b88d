// Flags of V8 that are undone at the end of a process: code that it has compiled is of use for the next one only then.

import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import test from 'ava';

const engine = join(import.meta.dirname, '../../engine');
const urlOf = (/** @type {string} */ name) => JSON.stringify(pathToFileURL(join(engine, name)));

const program = `
import { cachedDataVersionTag } from 'node:v8';
import { forceCollection } from ${urlOf('collection.js')};
import { setEngineFlags } from ${urlOf('engine-flags.js')};
import { takeFlagsBack } from ${urlOf('process-flags.js')};
const tags = [cachedDataVersionTag()];
setEngineFlags('speed', true);
tags.push(cachedDataVersionTag());
forceCollection();
tags.push(cachedDataVersionTag());
const seen = [];
takeFlagsBack(() => seen.push(cachedDataVersionTag()));
console.log(JSON.stringify({ tags, seen, end: cachedDataVersionTag() }));
`;

test('each change is undone, on every engine, and the caller sees the flags before that', t => {
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  t.is(stderr, '');
  const { tags, seen, end } = JSON.parse(stdout);
  const [first, set, collected] = tags;
  t.is(new Set(tags).size, 3);
  t.is(end, first);
  t.is(seen[0], collected);
  t.is(seen[1], set);
  t.is(new Set([...seen, end]).size, seen.length + 1, 'one more change is undone each time');
});
