// The examples in the READMEs of the host, and of the folders that it joins, run and print what is said there.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const packages = join(import.meta.dirname, '../..');
const root = join(packages, '..');

const example = /^```js\n(.*?)^```\n\n```\n(.*?)^```\n/ms;

for (const folder of [
  'host',
  'host/calls',
  'testing',
  'host/recording',
  'config',
  'loader/bundle',
  'loader/compartment',
  'observe/slog',
  'system-vats/devices',
]) {
  const text = readFileSync(join(packages, folder, 'README.md'), 'utf8');

  test(`the example of ${folder} runs`, async t => {
    const [, code, prints] = example.exec(text) ?? ['', '', ''];
    t.not(code, '', 'there is an example, and what it prints');
    const here = pathToFileURL(join(packages, folder, 'README.md'));
    const absolute = code.replace(
      /'(\.\.?\/[^']*\.js)'/g,
      (_, relative) => `'${new URL(relative, here)}'`,
    );
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', absolute],
      { cwd: root },
    );
    t.is(stderr, '');
    t.is(stdout, prints);
  });

  test(`the README of ${folder} says what it may import, and names files that are there`, t => {
    t.regex(text, /^Imports: /m);
    for (const row of text.match(/^\| `.*$/gm) ?? []) {
      const [, cell] = row.split('|');
      for (const [, file] of cell.matchAll(/`([\w-]+(?:\.js|\/))`/g))
        t.true(existsSync(join(packages, folder, file)), file);
    }
  });
}
