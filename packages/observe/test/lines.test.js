import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { readLines } from '../slog/lines.js';

/** @param {import('ava').ExecutionContext} t @param {string} text */
const linesOf = (t, text) => {
  const file = join(temporaryDirectory(t), 'lines');
  writeFileSync(file, text);
  return [...readLines(file)];
};

test('a line without a line break at the end of the file is not whole', t => {
  t.deepEqual(linesOf(t, 'one\n\ntwo'), [
    { text: 'one', isWhole: true },
    { text: '', isWhole: true },
    { text: 'two', isWhole: false },
  ]);
  t.deepEqual(linesOf(t, 'one\n'), [{ text: 'one', isWhole: true }]);
  t.deepEqual(linesOf(t, ''), []);
});

test('a line longer than what is read at once is one line, whose characters are not cut', t => {
  const long = `${'a'.repeat(2 ** 20 - 1)}ä${'b'.repeat(2 ** 21)}`;
  const [{ text, isWhole }, rest, ...more] = linesOf(t, `${long}\nrest`);
  t.true(text === long && isWhole);
  t.deepEqual([rest, more], [{ text: 'rest', isWhole: false }, []]);
});
