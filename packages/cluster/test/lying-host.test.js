// A host that lies: it says what no host would, in the middle of a run that an honest host takes part in too. What it says is refused
// and counted, its vats go to the other host, and the run ends as one of a single process.

import { randomBytes } from 'node:crypto';
import process from 'node:process';
import test from 'ava';
import fc from 'fast-check';
import { readJson, readToHost, readToLeader, writeJson, writeToLeader } from '../host-messages.js';
import { Link, linkVersion, readPacket, writePacket } from '../link.js';
import { namesOf } from '../names.js';
import { isProven, proveSeen } from '../seen-proof.js';
import { readShown } from '#host/workers/shown.js';
import { askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';
import { makeBrake } from './trials.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { Cluster } from '../interface.js' */
/** @import { ToLeader } from '../host-messages.js' */

const rounds = 20;

/** The messages of a liar about its vat. @typedef {(vatId: string) => (ToLeader | Uint8Array)[]} Lie */

const { v8, icu = 'none' } = process.versions;

/** The first message of a host. */
const hello = Object.freeze({
  ...{ kind: 'hello', run, version: '1.0.0', protocol: linkVersion, threads: 1, bundles: [] },
  ...{ engine: { v8, icu, arch: process.arch } },
});

/** Every so many signs of life a liar says that it works on all its vats. */
const workEvery = 25;

/** @param {ToLeader | Uint8Array} message */
const toBytes = message => (message instanceof Uint8Array ? message : writeToLeader(message));

/**
 * A host without threads, that says that it has made each vat, and lies when it is given something, or at once.
 *
 * @param {ExecutionContext} t
 * @param {Cluster} cluster
 * @param {string} name
 * @param {Lie} lie
 * @param {Lie} [lieAtOnce]
 */
const startLiar = (t, cluster, name, lie, lieAtOnce = () => []) => {
  const names = namesOf(run);
  /** @type {Link | undefined} */
  let link;
  let isDone = false;
  const instance = randomBytes(8).toString('hex');
  /** @type {string[]} */
  const vatIds = [];
  let beats = 0;
  /** @param {Uint8Array} bytes */
  const take = bytes => {
    const message = readToHost(bytes);
    if (message.kind === 'restore') {
      const { vatId } = message;
      vatIds.push(vatId);
      link?.post(toBytes({ kind: 'made', vatId, problem: '', isUsers: false, hasRounds: null }));
      for (const each of lieAtOnce(vatId)) link?.post(toBytes(each));
    } else if (message.kind === 'request' && message.request.kind === 'deliver')
      for (const each of lie(message.request.vatId)) link?.post(toBytes(each));
    link?.flush();
  };
  const stop = cluster.subscribe(names.toHost(name), bytes => {
    const word = readJson(bytes);
    if (word?.kind === 'gone' || word?.kind === 'bye') {
      isDone = true;
      return;
    }
    if (word?.kind === 'welcome') {
      const { id, epoch, session } = /** @type {any} */ (word);
      link ??= new Link({
        ...{ id, epoch, session, maxBytes: cluster.maxBytes, nowMs: cluster.nowMs },
        send: packet => cluster.publish(names.fromHost(name), packet),
        onMessage: take,
      });
    } else if (word === undefined && !isDone) link?.receive(readPacket(bytes));
  });
  const timer = setInterval(() => {
    if (isDone) return;
    if (link === undefined)
      cluster.publish(names.fromHost(name), writeJson({ ...hello, instance }));
    else {
      beats += 1;
      if (beats % workEvery === 0)
        link.post(toBytes({ kind: 'working', received: 0, vatIds, asking: [] }));
      link.flush();
      link.tick();
      link.acknowledge();
    }
  }, 20);
  const end = () => {
    stop();
    clearInterval(timer);
  };
  t.teardown(end);
  return end;
};

/** @param {string} vatId @param {object} [changes] @returns {ToLeader} the result of a delivery that did nothing */
const resultOf = (vatId, changes) => ({
  kind: 'report',
  report: {
    ...{ kind: 'result', vatId, fault: null, isRefusal: false, wantsAsking: false },
    ...{ syscalls: [], answers: [], shown: '', busyNs: 1, collections: 0, collectionNs: 0 },
    ...{ hasRounds: null, reactors: null },
    ...changes,
  },
});

/** @param {any} question @param {any[]} [earlier] @returns {Lie} */
const asking =
  (question, earlier = []) =>
  vatId => [{ kind: 'report', report: { kind: 'question', vatId, question, earlier } }];

/** @param {any} question @param {string} value @returns {Lie} */
const telling = (question, value) => vatId => [
  { kind: 'told', vatId, question, answer: { kind: 'value', value } },
];

/** Messages that no host may send; after each the leader gives the host up. @type {Record<string, Lie>} */
const lies = {
  'bytes that are no message': () => [Uint8Array.of(9, 9, 9)],
  'text that is no UTF-8': () => [Uint8Array.of(1, 2, 0xff, 0xff, 0, 0, 0)],
  'no bytes at all': () => [new Uint8Array()],
  'a frame of another version': () => [Uint8Array.of(0, 77, 0)],
  'a message that goes on behind its end': vatId => [
    Uint8Array.from([...writeToLeader({ kind: 'diverged', vatId, difference: '' }), 0]),
  ],
  'a result of a vat that it does not have': () => [
    { kind: 'made', vatId: 'v999', problem: '', isUsers: false, hasRounds: null },
  ],
  'a result twice': vatId => {
    const wrong = resultOf(vatId, { answers: [{ kind: 'value', value: 'x' }] });
    return [wrong, wrong];
  },
  'that a vat was made once more': vatId => [
    { kind: 'made', vatId, problem: '', isUsers: false, hasRounds: true },
  ],
  'a report that nobody asked for': () => [
    { kind: 'report', report: { kind: 'hasMethod', isThere: true } },
  ],
  'answers that it was not given': vatId => [
    resultOf(vatId, { answers: [{ kind: 'value', value: 'x' }] }),
  ],
  'console output of a vat that is not JSON': vatId => [resultOf(vatId, { shown: '{' })],
  'that a vat printed at a level that is none': vatId => [
    resultOf(vatId, { shown: '[["__proto__","x"]]' }),
  ],
  'an error report with places that are none': vatId => [
    resultOf(vatId, { shown: '[[{"message":"x","frames":5}]]' }),
  ],
  'a question that is no question': asking(['subscribe', 'p-5']),
  'a reading of the clock, which no vat there has': asking(['clock', 5, 0]),
  'what a vat found dead, in another delivery': asking(['bringOutYourDead']),
  'a read of the store with syscalls before it': asking(
    ['vatstoreGet', 'key'],
    [['subscribe', 'p-5']],
  ),
  'a read that its copy of the store answers otherwise': telling(['vatstoreGet', 'key'], 'forged'),
  'a subscription that its copy of the store answers': telling(['subscribe', 'p-5'], 'forged'),
  'that a thread with very many vats has ended': () => [
    Uint8Array.of(3, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f),
  ],
  'that a vat which goes on there does not repeat its transcript': vatId => [
    { kind: 'diverged', vatId, difference: 'all' },
  ],
  'a vat that does something else where it is brought back, of another host': () => [
    { kind: 'diverged', vatId: 'v999', difference: 'all' },
  ],
};

/** Messages about a vat that was given nothing yet; after each the leader gives the host up. @type {Record<string, Lie>} */
const liesAtOnce = {
  'a result of a delivery that was never sent': vatId => [resultOf(vatId)],
  'a question between cranks': asking(['vatstoreGet', 'key']),
  'a read between cranks': telling(['vatstoreGet', 'key'], 'forged'),
  'that a vat which has not begun has a root': vatId => [
    { kind: 'made', vatId, problem: '', isUsers: false, hasRounds: true },
  ],
  'that it has begun a delivery ahead': vatId => [
    { kind: 'begun', vatId, digest: new Uint8Array(16) },
  ],
  'that it is behind, and it never was ahead': () => [{ kind: 'behind', reason: '' }],
};

test.serial("a host's invalid message ends its session and keeps the hash", async t => {
  const expected = await hashOfPlainRun('pingpong', rounds);
  const memory = makeMemoryCluster();
  const liars = [
    ...Object.entries(lies).map(([what, lie]) => ({ what, lie, atOnce: undefined })),
    ...Object.entries(liesAtOnce).map(([what, atOnce]) => ({ what, lie: () => [], atOnce })),
  ];
  const stops = liars.map(({ lie, atOnce }, i) =>
    startLiar(t, memory.connect(`liar ${i}`), `liar${i}`, lie, atOnce),
  );
  /** @type {string[]} */
  const told = [];
  let honest;
  let isOver = false;
  t.teardown(() => {
    isOver = true;
  });
  const { activity } = await startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: stops.length + 1, others: { rounds, leaseMs: 20_000 } },
    tell: line => {
      told.push(line);
      // It comes last, so that each liar is given a vat before.
      if (told.filter(each => / has joined/.test(each)).length === stops.length)
        honest ??= startHost(memory.connect('honest'), 'honest', { shouldStop: () => isOver });
    },
  });
  for (const stop of stops) stop();
  await honest;
  t.is(activity, expected);
  t.false(
    told.some(line => /^host honest is gone/.test(line)),
    told.join('\n'),
  );
  liars.forEach(({ what }, i) => {
    const gone = told.find(line => line.startsWith(`host liar${i} is gone: `));
    t.truthy(gone, `${what}: ${told.join('\n')}`);
  });
});

test.serial(
  'a delivery that every host fails at ends the run, with the vat and the delivery named',
  async t => {
    const memory = makeMemoryCluster();
    const [lie] = Object.values(lies);
    // More than may lose all vats in one delivery each.
    const stops = Array.from({ length: 150 }, (_, i) =>
      startLiar(t, memory.connect(`liar ${i}`), `liar${i}`, lie),
    );
    const error = await t.throwsAsync(
      startLeader(memory.connect('leader'), {
        ...{ demo: 'pingpong', hosts: stops.length, others: { rounds, leaseMs: 20_000 } },
      }),
    );
    for (const stop of stops) stop();
    t.regex(
      `${error?.message}`,
      /^vat \w+ was lost 33 times in its delivery \d+, so no host can run it; /,
    );
  },
);

test.serial('a host cannot end a vat that is on another host', async t => {
  const expected = await hashOfPlainRun('pingpong', rounds);
  const memory = makeMemoryCluster();
  const ids = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'v9'];
  // It says three times that the vats of the other host, and its own, have ended in their cranks, and is silent then.
  const stop = startLiar(t, memory.connect('liar'), 'liar', () =>
    [1, 2, 3].flatMap(() =>
      ids.map(
        atWork =>
          /** @type {const} */ ({ kind: 'ended', reason: 'it\nleads', atWork, vatIds: [atWork] }),
      ),
    ),
  );
  /** @type {string[]} */
  const told = [];
  let isOver = false;
  t.teardown(() => {
    isOver = true;
  });
  const honest = startHost(memory.connect('honest'), 'honest', { shouldStop: () => isOver });
  const { activity } = await startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: 2, others: { rounds } },
    tell: line => {
      told.push(line);
      if (/ended: it/.test(line)) stop();
    },
  });
  isOver = true;
  await honest;
  stop();
  t.is(activity, expected);
  t.true(told.some(line => line.includes('it\\nleads')));
  t.false(told.some(line => line.includes('\n')));
});

test.serial(
  'forged greetings, packets and records are refused and counted, and harm no vat',
  async t => {
    const expected = await hashOfPlainRun('pingpong', rounds);
    const memory = makeMemoryCluster();
    const attacker = memory.connect('attacker');
    const names = namesOf(run);
    const honest = startHost(memory.connect('honest'), 'honest');
    /** @type {Awaited<ReturnType<typeof askStatus>> | undefined} */
    let status;
    const greeting = { ...hello, instance: '0123456789abcdef' };
    let isAttacked = false;
    const attack = async () => {
      const publish = (/** @type {object} */ message) =>
        attacker.publish(names.fromHost('evil'), writeJson(message));
      for (const threads of [0, -1, 1.5, 1e15, '2', null]) publish({ ...greeting, threads });
      for (const instance of ['', 'x'.repeat(50_000), 5, null, {}])
        publish({ ...greeting, instance });
      publish({ ...greeting, engine: { v8: { toString: 1 }, icu: 1, arch: [] } });
      publish({ ...greeting, bundles: [{}] });
      publish({ ...greeting, run: 'other' });
      publish({ ...greeting, version: '9.9.9' });
      publish({ ...greeting, protocol: 1 });
      publish({ kind: 'leader', epoch: 99 });
      attacker.publish(names.fromHost('evil'), Uint8Array.from(Buffer.from('{"kind":"hello"')));
      attacker.publish(names.fromHost('evil'), Uint8Array.from(Buffer.from('{}')));
      const packet = { number: 1, acknowledged: 0, hasMore: false, piece: Uint8Array.of(1, 0) };
      for (const id of ['0123456789abcdef', 'ffffffffffffffff'])
        for (const epoch of [0, 1, 2])
          attacker.publish(
            names.fromHost('honest'),
            writePacket({ ...packet, id, epoch, session: 77 }),
          );
      attacker.publish(names.fromHost('evil'), Uint8Array.of(1, 2, 3));
      attacker.publish(names.fromHost('evil'), new Uint8Array());
      attacker.publish(`${names.fromHost('evil').slice(0, -4)}-`, writeJson(greeting));
      // A record that nobody has written.
      const seen = { seq: 1_000_000, hash: 'ab'.repeat(32) };
      for (const each of [seen, { ...seen, proof: 'cd'.repeat(32) }, { ...seen, proof: 5 }, 5, []])
        publish({ ...greeting, version: '1.0.0', seen: each });
      status = await askStatus(attacker, run);
    };
    const brake = makeBrake(memory.connect('leader'));
    const { activity } = await startLeader(brake.cluster, {
      ...{ demo: 'pingpong', hosts: 1 },
      others: {
        rounds,
        onBlock: () => {
          if (isAttacked) return;
          isAttacked = true;
          // The run must not be over before the attacker has its answer.
          brake.hold();
          void attack().finally(brake.release);
        },
      },
    });
    t.is(activity, expected);
    await honest;
    const refused = status?.refused ?? {};
    for (const reason of [
      'a malformed greeting',
      'a host of another version or engine',
      'a message of no known kind',
      'malformed',
      'of another run',
      'under a name that is none',
      'of a record that no leader has told of',
    ])
      t.true(refused[reason] > 0, `${reason}: ${JSON.stringify(refused)}`);
  },
);

test('bytes of another machine give a message or a RangeError', t => {
  /** @type {ToLeader[]} */
  const samples = [
    { kind: 'made', vatId: 'v1', problem: 'none', isUsers: true, hasRounds: false },
    { kind: 'ended', reason: 'it', atWork: 'v1', vatIds: ['v1', 'v2'] },
    { kind: 'diverged', vatId: 'v1', difference: 'all' },
    {
      ...{ kind: 'told', vatId: 'v1', question: ['vatstoreGet', 'key'] },
      answer: { kind: 'value', value: 'value' },
    },
    {
      kind: 'report',
      report: {
        ...{ kind: 'result', vatId: 'v1', fault: null, isRefusal: false, wantsAsking: false },
        shown: '',
        syscalls: [
          ['subscribe', 'p-5'],
          ['send', 'o-1', { body: '#"é"', slots: ['o+1'] }, 'p-6'],
        ],
        answers: [{ kind: 'return', data: { body: '#1', slots: [] } }],
        ...{ busyNs: 5, collections: 0, collectionNs: 0, hasRounds: true, reactors: null },
      },
    },
  ];
  for (const sample of samples) t.deepEqual(readToLeader(writeToLeader(sample)), sample);
  const isReadOrRefused = (/** @type {Uint8Array} */ bytes) => {
    for (const read of [readToLeader, readToHost, readPacket])
      try {
        read(bytes);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
  };
  const mutated = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.nat(60),
    )
    .map(([sample, changes, cut]) => {
      const bytes = writeToLeader(sample).slice();
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      return bytes.subarray(0, Math.max(0, bytes.length - (cut > 30 ? 0 : cut)));
    });
  fc.assert(fc.property(mutated, isReadOrRefused), { numRuns: 3_000 });
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), isReadOrRefused), { numRuns: 1_000 });
});

test("a vat's console output gives lines and reports, or a RangeError", t => {
  const frame = { functionName: 'f', url: 'vat:x', line: 1, column: 2 };
  const whole = { name: 'TypeError', message: 'x', frames: [frame] };
  const [line, error, own] = readShown(
    JSON.stringify([['warn', 'text'], [whole], ['testLog', 'logged']]),
  );
  t.deepEqual(
    [line, own],
    [
      { level: 'warn', text: 'text' },
      { level: 'testLog', text: 'logged' },
    ],
  );
  t.true('report' in error && String(error.report) === 'TypeError: x');
  for (const shown of [
    ...['5', 'null', '{}', '[5]', '[[]]', '[null]'],
    ...['[["log"]]', '[["nolevel","x"]]', '[["log",5]]'],
    ...['[[{}]]', '[[null]]', '[[[]]]', '[[{"message":5,"frames":[]}]]', 'x'],
    ...[
      { frames: 5 },
      { frames: [{}] },
      { name: 5 },
      { told: 5 },
      { told: {} },
      { circumstance: {} },
    ].map(change => JSON.stringify([[{ ...whole, ...change }]])),
  ])
    t.throws(() => readShown(shown), { instanceOf: RangeError }, shown);
});

test('early packets are kept up to a bound, and accepted when sent again', t => {
  /** @type {Uint8Array[]} */
  const sent = [];
  /** @type {number[]} */
  const came = [];
  const parts = { id: '00'.repeat(8), epoch: 1, session: 1, maxBytes: 2 ** 20, nowMs: () => 0 };
  const sender = new Link({
    ...parts,
    send: packet => void sent.push(packet),
    onMessage: () => {},
  });
  const receiver = new Link({
    ...parts,
    send: () => {},
    onMessage: message => void came.push(message.length),
  });
  const large = 60 * 2 ** 20;
  sender.post(new Uint8Array(large));
  sender.flush();
  const before = process.memoryUsage().arrayBuffers;
  for (const packet of sent.slice(1)) receiver.receive(readPacket(packet));
  for (const packet of sent.slice(1)) receiver.receive(readPacket(packet));
  t.true(process.memoryUsage().arrayBuffers - before < 50 * 2 ** 20);
  t.deepEqual(came, []);
  for (const packet of sent) receiver.receive(readPacket(packet));
  t.deepEqual(came, [large]);
});

test('a batch that never ends, in tiny pieces, takes no more memory than its bytes', t => {
  const head = { id: '00'.repeat(8), epoch: 1, session: 1, acknowledged: 0, hasMore: true };
  const receiver = new Link({
    ...{ id: head.id, epoch: 1, session: 1, maxBytes: 2 ** 20, nowMs: () => 0, send: () => {} },
    onMessage: () => t.fail('it is not over'),
  });
  const memory = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = memory();
  for (let number = 1; number <= 500_000; number += 1)
    receiver.receive({ ...head, number, piece: Uint8Array.of(number & 1) });
  const grown = memory() - before;
  t.true(grown < 40 * 2 ** 20, `${grown} bytes`);
});

test('a record that a host has seen is believed if a leader reported it', t => {
  const facts = { id: '0123456789abcdef', secret: 'ab'.repeat(32) };
  const seen = { seq: 5, hash: 'cd'.repeat(32) };
  const proof = proveSeen(facts, seen);
  t.true(isProven(facts, { ...seen, proof }));
  for (const other of [
    ...[{ ...seen, seq: 6, proof }, { ...seen, hash: 'ce'.repeat(32), proof }, seen, null, 5],
    ...[
      { ...seen, proof: '' },
      { ...seen, proof: 5 },
    ],
  ])
    t.false(isProven(facts, other));
  t.false(isProven({ ...facts, id: 'fedcba9876543210' }, { ...seen, proof }));
});
