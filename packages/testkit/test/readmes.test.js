// The examples in the packages' READMEs run, and print what is said there.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

const packages = path.join(import.meta.dirname, '../..');
const root = path.dirname(packages);

const example = /^```js\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?/ms;

for (const name of ['model', 'schedule', 'kernel', 'vat', 'testkit']) {
  test(`the example of ${name} runs`, async t => {
    const text = fs.readFileSync(path.join(packages, name, 'README.md'), 'utf8');
    const [, code, prints] = example.exec(text) ?? [];
    t.truthy(code, 'there is an example');
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', code],
      { cwd: root },
    );
    t.is(stderr, '');
    if (prints !== undefined) t.is(stdout, prints);
    else t.true(stdout.length > 0);
  });

  test(`the README of ${name} says what it may import`, t => {
    const text = fs.readFileSync(path.join(packages, name, 'README.md'), 'utf8');
    t.regex(text, /^Imports: /m);
  });

  test(`the table of ${name} names files that are there`, t => {
    const text = fs.readFileSync(path.join(packages, name, 'README.md'), 'utf8');
    const rows = text.match(/^\| `.*$/gm) ?? [];
    for (const row of rows) {
      const [, cell] = row.split('|');
      for (const [, file] of cell.matchAll(/`([\w-]+(?:\.js|\/))`/g))
        t.true(fs.existsSync(path.join(packages, name, file)), file);
    }
    t.pass();
  });
}
