// Flags of Node that restrict the language are refused by name, before anything is changed in the realm.

import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import test from 'ava';

const loader = pathToFileURL(join(import.meta.dirname, '../index.js')).href;

const program = `
const { ensureLockdown } = await import('${loader}');
try {
  await ensureLockdown();
  console.log('locked down');
} catch (error) {
  console.log(error.name, error.message);
}`;

/** @param {string[]} flags */
const lockDown = flags =>
  spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  }).stdout;

for (const [flag, name = flag] of [
  ['--frozen-intrinsics'],
  ['--disallow-code-generation-from-strings'],
  ['--disable-proto=delete', '--disable-proto'],
  ['--disable-proto=throw', '--disable-proto'],
]) {
  test(`${flag} is refused`, t => {
    t.is(
      lockDown([flag]),
      `UserError vats need the whole language, which Node's flag ${name} restricts; start Node without it (NODE_OPTIONS has flags, too)\n`,
    );
  });
}

test('other flags are no obstacle', t => {
  t.is(lockDown(['--use-strict', '--jitless', '--stack-trace-limit=0']), 'locked down\n');
});
