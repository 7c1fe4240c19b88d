import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { counterColumns, makeStatsRecorder, parseLogFlags, readStatsFile } from '../index.js';
import { longestNumber, replaceNumber, writeNumber } from '../digits.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stats-recorder-'));
test.after.always(() => fs.rmSync(folder, { recursive: true }));
const fileNamed = (/** @type {string} */ name) => path.join(folder, name);

const columns = [
  ...counterColumns('kernelObjects', { up: true, down: true, max: true }),
  ...counterColumns('runQueueLength', { up: true, max: true }),
  ...counterColumns('syscalls', {}),
];
const memory = {
  rss: 78_098_432,
  heapTotal: 31_387_648,
  heapUsed: 17_028_640,
  external: 1_612_225,
};

test('a file with all groups has the documented header and one row a block', t => {
  const file = fileNamed('all.tsv');
  const recorder = makeStatsRecorder({ path: file, columns });
  const counters = Float64Array.of(9, 9, 0, 9, 0, 711, 3, 1100);
  recorder.row({
    block: 1,
    steps: 7,
    btimeNs: 312_456,
    ctimeNs: 98_000,
    memory,
    diskBytes: 8192,
    tableBytes: 4096,
    streamBytes: 2048,
    logBytes: 77,
    counters,
  });
  recorder.row({ block: 2, steps: 200, btimeNs: 5_000_000_123, ctimeNs: 0, counters });
  recorder.close();
  t.is(
    fs.readFileSync(file, 'utf8'),
    [
      'block steps btime ctime rss heapTotal heapUsed external disk diskTables diskStreams diskLog kernelObjects kernelObjectsUp kernelObjectsDown kernelObjectsMax runQueueLength runQueueLengthUp runQueueLengthMax syscalls',
      '1 7 312456 98000 78098432 31387648 17028640 1612225 8192 4096 2048 77 9 9 0 9 0 711 3 1100',
      '2 200 5000000123 0         9 9 0 9 0 711 3 1100',
      '',
    ]
      .join('\n')
      .replaceAll(' ', '\t'),
  );
});

test('cycles and instructions stand behind the times, where they are asked for', t => {
  const groups = parseLogFlags({ logtimes: true, logcycles: true });
  const file = fileNamed('cycles.tsv');
  const recorder = makeStatsRecorder({ path: file, groups });
  recorder.row({ block: 1, steps: 7, btimeNs: 5, ctimeNs: 2, cycles: 13, instructions: 26 });
  recorder.row({ block: 2, steps: 7, btimeNs: 5, ctimeNs: 2, cycles: 13 });
  recorder.close();
  t.is(
    fs.readFileSync(file, 'utf8'),
    'block\tsteps\tbtime\tctime\tcycles\tinstructions\n1\t7\t5\t2\t13\t26\n2\t7\t5\t2\t13\t\n',
  );
});

test('groups that the flags do not ask for have no columns', t => {
  const file = fileNamed('some.tsv');
  const groups = parseLogFlags({ logmem: true });
  const recorder = makeStatsRecorder({ path: file, columns, groups });
  recorder.row({ block: 1, steps: 7, btimeNs: 5, ctimeNs: 5, memory, diskBytes: 1, counters: [] });
  recorder.close();
  t.is(
    fs.readFileSync(file, 'utf8'),
    'block\tsteps\trss\theapTotal\theapUsed\texternal\n1\t7\t78098432\t31387648\t17028640\t1612225\n',
  );
  t.deepEqual(parseLogFlags({ logall: true }), {
    times: true,
    memory: true,
    disk: true,
    counters: true,
  });
});

test('a number is written as String() writes it', t => {
  const bytes = Buffer.alloc(longestNumber);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const written = (/** @type {number} */ value) =>
    bytes.toString('latin1', 0, writeNumber(view, 0, value));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.nat(),
        fc.maxSafeInteger(),
        fc.double({ noNaN: true }),
        fc.integer({ min: 0, max: 2000 }),
      ),
      value => written(value) === String(value),
    ),
  );
  for (const value of [0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 1e9, 1e15, 2 ** 53 - 1, 1.5e-300]) {
    t.is(written(value), String(value));
  }
});

test('a number replaced in place is the new one, or is refused', t => {
  const bytes = Buffer.alloc(longestNumber);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = fc.oneof(fc.nat(120), fc.nat(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(number, number, (before, value) => {
      const end = writeNumber(view, 0, before);
      const isPossible =
        [before, value].every(one => Number.isSafeInteger(one) && one >= 0) &&
        String(before).length === String(value).length;
      t.is(replaceNumber(view, end, before, value), isPossible);
      if (isPossible) t.is(bytes.toString('latin1', 0, end), String(value));
    }),
  );
});

test('a row does not depend on the row before it', t => {
  const file = fileNamed('rows.tsv');
  const value = fc.oneof(fc.nat(12), fc.nat(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
  const cell = fc.option(value, { nil: undefined });
  const someRow = fc.record({ btimeNs: cell, tableBytes: cell, a: value, b: value });
  const groups = { times: true, memory: false, disk: true, counters: true };
  fc.assert(
    fc.property(fc.array(someRow, { minLength: 1, maxLength: 30 }), fc.nat(30), (rows, flushAt) => {
      const recorder = makeStatsRecorder({
        path: file,
        columns: ['a', 'b'],
        groups,
        positions: [3, 1],
      });
      rows.forEach(({ btimeNs, tableBytes, a, b }, block) => {
        recorder.row({ block, steps: 7, btimeNs, tableBytes, counters: [-1, b, -1, a, -1] });
        if (block === flushAt) recorder.flush();
      });
      recorder.close();
      t.is(
        fs.readFileSync(file, 'utf8'),
        [
          'block steps btime ctime disk diskTables diskStreams diskLog a b',
          ...rows.map(
            ({ btimeNs, tableBytes, a, b }, block) =>
              `${block} 7 ${btimeNs ?? ''}   ${tableBytes ?? ''}   ${a} ${b}`,
          ),
          '',
        ]
          .join('\n')
          .replaceAll(' ', '\t'),
      );
    }),
  );
});

test('recorded rows are read back, whatever the chunks', t => {
  const file = fileNamed('back.tsv');
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.maxSafeInteger(), { minLength: 3, maxLength: 3 }), {
        minLength: 1,
        maxLength: 50,
      }),
      fc.integer({ min: 1, max: 7 }),
      (values, flushEvery) => {
        const groups = parseLogFlags({ logstats: true });
        const recorder = makeStatsRecorder({ path: file, columns: ['a', 'b', 'c'], groups });
        values.forEach((counters, i) => {
          recorder.row({ block: i, steps: 7, counters });
          if (i % flushEvery === 0) recorder.flush();
        });
        recorder.close();
        const { rows, length } = readStatsFile(file);
        t.is(length, values.length);
        t.deepEqual(
          [...rows.a],
          values.map(([a]) => a),
        );
        t.deepEqual(
          [...rows.c],
          values.map(([, , c]) => c),
        );
      },
    ),
    { numRuns: 30 },
  );
});

test('rows reach the file in whole lines before the recorder is closed', t => {
  const file = fileNamed('chunks.tsv');
  const recorder = makeStatsRecorder({ path: file, columns });
  const counters = new Float64Array(columns.length).fill(1234567);
  for (let block = 0; block < 2000; block += 1) recorder.row({ block, steps: 7, counters });
  const sofar = fs.readFileSync(file, 'utf8');
  t.true(sofar.length > 64 * 1024);
  t.true(sofar.endsWith('\n'));
  recorder.close();
  recorder.close();
  t.is(readStatsFile(file).length, 2000);
});

test('a resumed run goes on behind the last committed block and drops what came after', t => {
  const file = fileNamed('resume.tsv');
  const groups = parseLogFlags({});
  const first = makeStatsRecorder({ path: file, groups });
  for (let block = 1; block <= 5; block += 1) first.row({ block, steps: 7 });
  first.close();
  fs.appendFileSync(file, '6\t'); // cut off by a crash
  const second = makeStatsRecorder({ path: file, groups, resumeAfterBlock: 3 });
  second.row({ block: 4, steps: 9 });
  second.close();
  t.is(fs.readFileSync(file, 'utf8'), 'block\tsteps\n1\t7\n2\t7\n3\t7\n4\t9\n');

  const fresh = makeStatsRecorder({ path: fileNamed('fresh.tsv'), groups, resumeAfterBlock: 3 });
  fresh.row({ block: 4, steps: 9 });
  fresh.close();
  t.is(readStatsFile(fileNamed('fresh.tsv')).length, 1);

  t.throws(() => makeStatsRecorder({ path: file, columns, resumeAfterBlock: 4 }), {
    name: 'UserError',
    message: /its columns are not those of this run; give the --log flags it was begun with/,
  });
});

test('a file keeps what it has until there is a row to write', t => {
  const file = fileNamed('kept.tsv');
  const groups = parseLogFlags({});
  for (const steps of [7, 9]) {
    const recorder = makeStatsRecorder({ path: file, groups });
    recorder.row({ block: 1, steps });
    recorder.close();
    const none = makeStatsRecorder({ path: file, groups });
    none.close();
    t.is(fs.readFileSync(file, 'utf8'), `block\tsteps\n1\t${steps}\n`);
  }
  makeStatsRecorder({ path: fileNamed('new.tsv'), groups }).close();
  t.is(fs.readFileSync(fileNamed('new.tsv'), 'utf8'), 'block\tsteps\n');
});

test('a file that cannot be written is a one-line error', t => {
  t.throws(() => makeStatsRecorder({ path: fileNamed('no/such/folder.tsv') }), {
    name: 'UserError',
    message: /^stats file .*folder\.tsv: cannot write it \(ENOENT\); /,
  });
  if (!fs.existsSync('/dev/full')) return;
  const recorder = makeStatsRecorder({ path: '/dev/full' });
  recorder.row({ block: 1, steps: 1 });
  t.throws(() => recorder.flush(), { name: 'UserError', message: /\(ENOSPC\)/ });
  t.notThrows(() => recorder.close());
});

test('there are as many positions as columns', t => {
  t.throws(
    () => makeStatsRecorder({ path: fileNamed('positions.tsv'), columns, positions: [0, 1] }),
    { message: '2 positions for 8 columns of counters' },
  );
});

test('a row with the wrong number of counters is a bug that is caught', t => {
  const recorder = makeStatsRecorder({ path: fileNamed('bug.tsv'), columns });
  t.throws(() => recorder.row({ block: 1, steps: 1, counters: [1] }), {
    message: 'block 1 has 1 counters, the stats file has 8 columns for them',
  });
  recorder.close();
});
