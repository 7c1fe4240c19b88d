import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { readStatsFile, requireColumns } from '../index.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stats-read-'));
test.after.always(() => fs.rmSync(folder, { recursive: true }));

const read = (/** @type {string} */ text, name = 'stats-run.tsv') => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return readStatsFile(file);
};
const rejects = (
  /** @type {import('ava').ExecutionContext} */ t,
  /** @type {string} */ text,
  /** @type {RegExp} */ message,
) => {
  const error = t.throws(() => read(text), { name: 'UserError', message });
  t.false(error.message.includes('\n'));
};

test('columns are read by name, an empty cell as not known', t => {
  const { label, columns, rows, length } = read('block\tsteps\trss\n1\t7\t\n2\t-3\t1.5e3\n');
  t.is(label, 'run');
  t.deepEqual(columns, ['block', 'steps', 'rss']);
  t.is(length, 2);
  t.deepEqual([...rows.block], [1, 2]);
  t.deepEqual([...rows.steps], [7, -3]);
  t.deepEqual([...rows.rss], [NaN, 1500]);
});

test('Windows line ends and a last line without an end are read', t => {
  const { rows } = read('block\tsteps\r\n1\t7\r\n9007199254740991\t12345678901234567');
  t.deepEqual([...rows.block], [1, 9007199254740991]);
  t.deepEqual([...rows.steps], [7, 12345678901234568]);
});

test('a missing file says how to get one', t => {
  t.throws(() => readStatsFile(path.join(folder, 'none.tsv')), {
    name: 'UserError',
    message:
      /^no stats file ".*none\.tsv"; a run writes one to swingset-out\/NAME\/stats-NAME\.tsv$/,
  });
  t.throws(() => readStatsFile(folder), { name: 'UserError', message: /is a directory/ });
});

test('an empty file, one without rows, and one that is something else are refused', t => {
  rejects(t, '', /is empty/);
  rejects(t, 'block\tsteps\n', /has a header but no rows/);
  rejects(t, '{"cranks": 5}\n', /line 1 begins with "\{\\"cranks\\": 5\}"/);
  rejects(t, 'block\tsteps\tsteps\n1\t2\t3\n', /names the column "steps" twice/);
});

test('a bad cell is named by line and column', t => {
  rejects(t, 'block\tsteps\n1\t7\n2\tseven\n', /line 3, column "steps": "seven" is not a number/);
  rejects(t, 'block\tsteps\n1\t7x\n', /line 2, column "steps": "7x"/);
  rejects(t, 'block\tsteps\n1\t \n', /line 2, column "steps": " "/);
  rejects(t, 'block\tsteps\n1\tInfinity\n', /line 2, column "steps": "Infinity"/);
});

test('a row that is short or long is named by its line', t => {
  rejects(
    t,
    'block\tsteps\trss\n1\t7\t1\n2\t7\n',
    /line 3 has 2 of the 3 cells that the header names/,
  );
  rejects(t, 'block\tsteps\n1\t7\t9\n', /line 2 has 3 of the 2 cells/);
  rejects(t, 'block\tsteps\n1\t7\n\n', /line 3 has 1 of the 2 cells/);
});

test('columns that a graph needs and a run lacks are all named', t => {
  t.throws(() => requireColumns('run.tsv', ['block', 'rss'], ['btime', 'ctime'], '--logtimes'), {
    name: 'UserError',
    message: 'run.tsv: has no column "btime", "ctime"; run again with --logtimes',
  });
  t.notThrows(() => requireColumns('run.tsv', ['block', 'rss'], ['rss'], '--logmem'));
});
