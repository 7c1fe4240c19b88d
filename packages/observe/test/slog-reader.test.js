// Reading a slog: its form, its valid cranks, their causes, and the first difference of two slogs.

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { CauseTracker, compareSlogs, methodOf, readCranks } from '../slog/index.js';

/** @import { ExecutionContext } from 'ava' */

const head = {
  ...{ type: 'slog', version: 2, profile: 'current', crankNum: 0 },
  ...{ vats: { v1: 'ann', v2: 'bob' }, devices: {} },
};

/** @param {string} method @param {string[]} [slots] */
const call = (method, slots = []) => ({ body: `#["${method}",[]]`, slots });

const nothing = { body: '#"#undefined"', slots: [] };

/**
 * @param {number} crankNum
 * @param {string} vatID
 * @param {unknown[]} delivery
 * @param {unknown[]} [syscalls]
 * @param {object} [more]
 */
const crank = (crankNum, vatID, delivery, syscalls = [], more = {}) => ({
  ...{ type: 'crank', crankNum, kind: delivery[0] === 'notify' ? 'notify' : 'send' },
  ...{ microstep: 0, vatID, delivery, syscalls, vatNs: 5, ns: 9, ...more },
});

/** A call from ann to bob, its answer, and a message without a result. */
const cranks = [
  crank(
    1,
    'v1',
    ['message', 'ko1 o+0', call('begin'), null],
    [
      ['send', 'ko2 o-50', call('greet'), 'kp9 p+5'],
      ['subscribe', 'kp9 p+5'],
      ['send', 'ko2 o-50', call('tell', ['ko1 o+0']), null],
    ],
  ),
  crank(
    2,
    'v2',
    ['message', 'ko2 o+0', call('greet'), 'kp9 p-60'],
    [['resolve', [['kp9 p-60', false, nothing]]]],
  ),
  crank(3, 'v2', ['message', 'ko2 o+0', call('tell', ['ko1 o-50']), null]),
  crank(4, 'v1', ['notify', [['kp9 p+5', false, nothing]]]),
];

/** @param {ExecutionContext} t @param {unknown[]} lines @param {string} [rest]  a last line that does not end */
const write = (t, lines, rest = '') => {
  const file = join(temporaryDirectory(t), 'run.slog');
  fs.writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join('') + rest);
  return file;
};

test('cranks have the names of their vats, their target and their method', t => {
  const file = write(t, [head, ...cranks, { type: 'commit', crankNum: 4 }], '{"type":"cra');
  t.deepEqual(
    [...readCranks(file, 'slog')].map(each => [
      ...[each.crankNum, each.kind, each.vatId, each.vatName, each.target, each.method],
    ]),
    [
      [1, 'send', 'v1', 'ann', 'ko1', 'begin'],
      [2, 'send', 'v2', 'bob', 'ko2', 'greet'],
      [3, 'send', 'v2', 'bob', 'ko2', 'tell'],
      [4, 'notify', 'v1', 'ann', '', ''],
    ],
  );
});

test('a crank of an uncommitted block counts once, as the next process ran it', t => {
  const again = { ...head, crankNum: 2 };
  const other = crank(3, 'v1', ['message', 'ko1 o+0', call('other'), null]);
  const file = write(t, [head, ...cranks, again, other]);
  t.deepEqual(
    [...readCranks(file, 'slog')].map(({ crankNum, method }) => [crankNum, method]),
    [
      [1, 'begin'],
      [2, 'greet'],
      [3, 'other'],
    ],
  );
});

test('cranks that reactors ran by themselves are read one by one', t => {
  const quiet = {
    type: 'quiet',
    crankNum: 7,
    vatID: 'v9',
    name: 'lamp',
    tags: [
      [5, 0, 1],
      [6, 0, 1],
    ],
  };
  const found = [...readCranks(write(t, [head, quiet]), 'slog')];
  t.deepEqual(
    found.map(({ crankNum, kind, vatName, record }) => [crankNum, kind, vatName, record.tag]),
    [
      [6, 'quiet', 'lamp', [5, 0, 1]],
      [7, 'quiet', 'lamp', [6, 0, 1]],
    ],
  );
});

test('a crank is caused by who sent its message, and by who settled its promise', t => {
  const tracker = new CauseTracker();
  const causes = [...readCranks(write(t, [head, ...cranks]), 'slog')].map(each =>
    tracker.add(each),
  );
  t.deepEqual(causes, [
    [],
    [{ crankNum: 1, how: 'sends it, for kp9' }],
    [{ crankNum: 1, how: 'sends it' }],
    [{ crankNum: 2, how: 'settles kp9' }],
  ]);
});

test('the record names the sender of a message among equal messages', t => {
  const tick = ['message', 'ko2 o+0', call('tick'), null];
  const send = ['send', 'o-50', call('tick'), null];
  const alike = [
    crank(1, 'v1', ['message', 'ko1 o+0', call('a'), null], [send]),
    crank(2, 'v1', ['message', 'ko1 o+0', call('b'), null], [send]),
    crank(3, 'v2', tick, [], { causeInput: 4 }),
    crank(4, 'v2', tick, [], { causeCrank: 2, causeSyscall: 0 }),
    crank(5, 'v2', ['message', 'ko2 o+0', call('tick'), 'kp9 p-60'], [], { causeCrank: 1 }),
  ];
  const tracker = new CauseTracker();
  const causes = [...readCranks(write(t, [head, ...alike]), 'slog')].map(each => tracker.add(each));
  t.deepEqual(causes.slice(2), [
    [],
    [{ crankNum: 2, how: 'sends it' }],
    [{ crankNum: 1, how: 'sends it, for kp9' }],
  ]);
});

test('a subscribe to a settled promise causes the notify; a syscall of a dropped crank causes nothing', t => {
  const late = [
    crank(
      1,
      'v2',
      ['message', 'ko2 o+0', call('a'), 'kp9 p-60'],
      [['resolve', [['kp9 p-60', false, nothing]]]],
    ),
    crank(2, 'v1', ['message', 'ko1 o+0', call('b'), null], [['subscribe', 'kp9 p-61']]),
    crank(3, 'v1', ['notify', [['kp9 p-61', false, nothing]]]),
    crank(
      4,
      'v1',
      ['message', 'ko1 o+0', call('c'), null],
      [['send', 'o-50', call('d'), 'kp10 p+7']],
      { outcome: 'dropped' },
    ),
    crank(5, 'v2', ['message', 'ko2 o+0', call('d'), 'kp10 p-62']),
  ];
  const tracker = new CauseTracker();
  const causes = [...readCranks(write(t, [head, ...late]), 'slog')].map(each => tracker.add(each));
  t.deepEqual(causes[2], [
    { crankNum: 2, how: 'subscribes to kp9' },
    { crankNum: 1, how: 'settles kp9' },
  ]);
  t.deepEqual(causes[4], []);
});

test('methods are read in either notation, and a wrong body has none', t => {
  t.is(methodOf({ body: '#["go",[1]]' }), 'go');
  t.is(methodOf({ body: '["go",[1]]' }), 'go');
  t.is(methodOf({ body: '#["!a\\"b",[]]' }), 'a"b');
  t.is(methodOf({ body: '[{"@qclass":"symbol","name":"@@asyncIterator"},[]]' }), '@@asyncIterator');
  for (const wrong of [
    undefined,
    null,
    {},
    { body: 5 },
    { body: '#[' },
    { body: '#null' },
    { body: '#5' },
  ])
    t.is(methodOf(wrong), '');
});

/** @param {ExecutionContext} t @param {unknown[]} one @param {unknown[]} other */
const compare = (t, one, other) =>
  compareSlogs(write(t, [head, ...one]), write(t, [head, ...other]), 'compare');

test('slogs are equal if only times and blocks differ', t => {
  const later = cranks.map(each => ({ ...each, ns: 1000, vatNs: 7 }));
  const { cranks: equal, difference } = compare(t, cranks, [
    ...later.slice(0, 2),
    { type: 'commit', crankNum: 2 },
    ...later.slice(2),
  ]);
  t.deepEqual([equal, difference], [4, undefined]);
});

test('the first crank that differs is named with its field', t => {
  const changed = cranks.map((each, i) =>
    i === 2 ? { ...each, delivery: ['message', 'ko2 o+0', call('shout'), null] } : each,
  );
  const { difference } = compare(t, cranks, changed);
  t.is(difference?.equalCranks, 2);
  t.is(difference?.field, 'delivery');
  t.deepEqual([difference?.left?.method, difference?.right?.method], ['tell', 'shout']);
  const shorter = compare(t, cranks, cranks.slice(0, 3)).difference;
  t.deepEqual([shorter?.field, shorter?.equalCranks, shorter?.right], ['end', 3, undefined]);
  const { difference: heads } = compareSlogs(
    write(t, [head, ...cranks]),
    write(t, [{ ...head, profile: '2020-09' }, ...cranks]),
    'compare',
  );
  t.deepEqual(
    [heads?.field, heads?.leftValue, heads?.rightValue],
    ['profile', 'current', '2020-09'],
  );
});

/** @type {[lines: unknown[], told: RegExp][]} */
const wrongFiles = [
  [[], /is empty; slog takes what --slog writes$/],
  [[5], /^".*" does not begin as a slog/],
  [[{ type: 'crank' }], /does not begin as a slog/],
  [[{ ...head, version: 99 }], /is of version 99 of the slog, not 2/],
  [[head, { no: 'type' }], /has no line of a slog in line 2/],
];

for (const [lines, told] of wrongFiles)
  test(`a file is refused: ${told.source}`, t => {
    const file = write(t, lines);
    t.throws(() => [...readCranks(file, 'slog')], { instanceOf: UserError, message: told });
  });

test('a missing file is refused', t => {
  t.throws(() => [...readCranks('not-there.slog', 'slog')], {
    instanceOf: UserError,
    message: /^"not-there\.slog" does not exist; slog takes what --slog writes$/,
  });
});
