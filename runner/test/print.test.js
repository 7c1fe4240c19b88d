// All output of the runner goes through print.js.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';

const root = path.join(import.meta.dirname, '..');

/**
 * Files that write directly. They escape in the same way, except main.js: it reports a Node that is
 * too old to load print.js, and prints only versions.
 */
const writers = ['main.js', 'print.js', path.join('session', 'vat-log.js')];

test('no other file of the runner writes to standard output or standard error', t => {
  const files = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.js') && !/^(test|templates)\b/.test(file));
  t.true(files.length > 20);
  const others = files.filter(
    file =>
      !writers.includes(file) &&
      /process\.std(out|err)\.write|console\.(log|error|warn)/.test(
        fs.readFileSync(path.join(root, file), 'utf8'),
      ),
  );
  t.deepEqual(others, []);
});
