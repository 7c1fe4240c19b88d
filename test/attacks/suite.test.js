// The suite of attacks runs on every Node that CI has, and nothing of it is left out without being seen.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';

const root = path.join(import.meta.dirname, '../..');
const read = (/** @type {string} */ file) => fs.readFileSync(path.join(root, file), 'utf8');
const ci = read('.ci/run');

/**
 * @param {string} list of tests in .ci/run
 */
const patternsOf = list => new RegExp(`^${list}=\\(([^)]*)\\)`, 'm').exec(ci)?.[1] ?? '';

test('CI runs the attacks on each version of Node but the installed one', t => {
  // Each list of tests that another version runs has the attacks.
  const runs = patternsOf('runs');
  for (const list of ['core', 'runs', 'engine']) {
    const patterns = patternsOf(list).replace('"${runs[@]}"', runs);
    t.true(patterns.includes("'test/attacks/*.test.js'"), list);
    t.false(/'!.*attacks/.test(patterns), list);
  }
  const versions = /^for version in ([\d ]+); do/m.exec(ci)?.[1].split(' ');
  t.deepEqual(versions, ['22', '24', '26']);
  // One of them is taken; what else is done with the list only adds to it.
  const taken = [...ci.matchAll(/\btests(\+?)=\(([^)]*)\)/g)];
  t.deepEqual(
    taken.filter(([, adds]) => adds === '').map(([, , list]) => list),
    ['"${runs[@]}"', '"${engine[@]}"', '"${core[@]}"'],
  );
  for (const [, , list] of taken) t.false(list.includes('!'), list);
  t.true(ci.includes('"$other" node_modules/ava/entrypoints/cli.mjs "${tests[@]}"'));
});

test('no attack is skipped, and none runs alone', t => {
  for (const file of fs
    .readdirSync(import.meta.dirname)
    .filter(name => name.endsWith('.test.js'))) {
    const text = fs.readFileSync(path.join(import.meta.dirname, file), 'utf8');
    t.notRegex(text, /\btest(\.serial)?\.(skip|only|todo|failing)\(/, file);
  }
});

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter(file => file.endsWith('.test.js') && fs.existsSync(path.join(root, file)));

test('a test that cannot run says so by test.skip, which is shown, and not by passing', t => {
  for (const file of files) {
    if (file.endsWith('attacks/suite.test.js')) continue;
    t.notRegex(read(file), /t\.log\([^;]*SKIPPED[^;]*\);\s*t\.pass\(/, file);
  }
});

test('CI lists what was skipped', t => {
  t.regex(ci, /skipped\+=/);
});

test('the attacks and tests that SECURITY.md names are there', t => {
  const named = [...read('SECURITY.md').matchAll(/`((?:attacks|packages|runner|test)\/[^`]+)`/g)];
  t.true(named.length > 10);
  for (const [, name] of named) {
    const found = name.startsWith('attacks/') ? `test/${name}` : name;
    // A pattern stands for some files whose names begin so.
    const [start, ...rest] = found.split('*');
    const { dir, base } = path.parse(start);
    const begins = fs.readdirSync(path.join(root, dir)).some(file => file.startsWith(base));
    t.true(rest.length > 0 ? begins : fs.existsSync(path.join(root, found)), name);
  }
});
