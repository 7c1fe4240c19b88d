// The debts of hosts: a loss shows at once, and by no rule that a slow host breaks; a limit of time counts in
// steps.

import test from 'ava';
import { ByteReader, ByteWriter, UserError } from '#model';
import { readToHost } from '../host-messages.js';
import { HostWork, noteWork } from '../host-work.js';
import { makeHostedVat } from '../hosted-vat.js';
import { Link, readPacket, writePacket } from '../link.js';
import { makeMemoryCluster } from './memory-cluster.js';
import {
  changeMessages,
  configOf,
  configOfVirtual,
  hashOfPlainRun,
  startHost,
  startLeader,
} from './run-cluster.js';

/** @import { Cluster } from '../interface.js' */
/** @import { ToHost, ToLeader } from '../host-messages.js' */

/** Nothing is noticed by time within a test. */
const longLeaseMs = 600_000;

/**
 * A leader's cluster that leaves out the first message for which that holds.
 *
 * @param {Cluster} cluster
 * @param {(message: ToHost) => boolean} isMeant
 */
const leaveOut = (cluster, isMeant) => {
  let isDone = false;
  return {
    wasDone: () => isDone,
    cluster: {
      ...cluster,
      publish(/** @type {string} */ subject, /** @type {Uint8Array} */ bytes) {
        if (isDone || bytes[0] === 0x7b) return cluster.publish(subject, bytes);
        const packet = readPacket(bytes);
        const batch = new ByteWriter();
        for (const reader = new ByteReader(packet.piece); !reader.done;) {
          const message = reader.raw(reader.varint());
          if (!isDone && isMeant(readToHost(message))) {
            isDone = true;
            continue;
          }
          batch.varint(message.length);
          batch.raw(message);
        }
        return cluster.publish(subject, writePacket({ ...packet, piece: batch.view() }));
      },
    },
  };
};

/** @param {ToHost} message @param {string} kind */
const isRequest = (message, kind) => message.kind === 'request' && message.request.kind === kind;

/** The messages that a leader leaves out, and why the host's session ends. @type {Record<string, [(message: ToHost) => boolean, RegExp]>} */
const losses = {
  'what its first vat is made of': [({ kind }) => kind === 'restore', /it has forgotten what vat/],
  'a delivery': [message => isRequest(message, 'deliver'), /it has forgotten what vat/],
  'the answer to a question': [
    ({ kind }) => kind === 'answer',
    /it waits for an answer that vat \w+ has been given/,
  ],
};

for (const [what, [isMeant, reason]] of Object.entries(losses))
  test.serial(`a host that never got ${what} is given up at once, and the run goes on`, async t => {
    const [config, rounds] = [/question/.test(what) ? configOfVirtual(3) : configOf('pingpong'), 2];
    const expected = await hashOfPlainRun(config, rounds);
    const memory = makeMemoryCluster();
    const hosting = startHost(memory.connect('h1'), 'h1');
    /** @type {string[]} */
    const told = [];
    const { cluster, wasDone } = leaveOut(memory.connect('leader'), isMeant);
    const { activity } = await startLeader(cluster, {
      ...{ hosts: 1, tell: line => void told.push(line) },
      others: { config, rounds, leaseMs: longLeaseMs },
    });
    t.true(wasDone());
    t.is(activity, expected);
    t.is(told.filter(line => /is gone/.test(line)).length, 1, told.join('\n'));
    t.regex(told.join('\n'), reason);
    await hosting;
  });

/** @param {ToLeader} message */
const isResult = message => message.kind === 'report' && message.report.kind === 'result';

/** The messages that a host hides, and why its session ends. @type {Record<string, [(message: ToLeader) => boolean, RegExp]>} */
const hidings = {
  'a question': [
    message => message.kind === 'report' && message.report.kind === 'question',
    /it waits for an answer that vat \w+ has been given/,
  ],
  'a result': [isResult, /it has forgotten what vat/],
};

for (const [what, [isHidden, reason]] of Object.entries(hidings))
  test.serial(`a host that hides ${what} is given up at once, and the run goes on`, async t => {
    const [config, rounds] = [/question/.test(what) ? configOfVirtual(3) : configOf('pingpong'), 2];
    const expected = await hashOfPlainRun(config, rounds);
    const memory = makeMemoryCluster();
    let hidden = 0;
    const hiding = changeMessages(memory.connect('h1'), message => {
      if (hidden > 0 || !isHidden(message)) return undefined;
      hidden += 1;
      return [];
    });
    const hosting = startHost(hiding, 'h1');
    /** @type {string[]} */
    const told = [];
    const { activity } = await startLeader(memory.connect('leader'), {
      ...{ hosts: 1, tell: line => void told.push(line) },
      others: { config, rounds, leaseMs: longLeaseMs },
    });
    t.is(hidden, 1);
    t.is(activity, expected);
    t.regex(told.join('\n'), reason);
    await hosting;
  });

/** How a host holds a run up, and why its session ends. @type {[(message: ToLeader) => ToLeader | ToLeader[] | void, RegExp][]} */
const delays = [
  [() => [], /it is heard, but has said nothing new for 9000 ms/],
  [
    message => {
      if (message.kind === 'working') return { ...message, vatIds: ['v1', 'v2', 'v3', 'v4', 'v5'] };
      return isResult(message) ? [] : undefined;
    },
    /it has ended nothing within 1000 ms of what vats? [\w, ]+ (was|were) given/,
  ],
];

test.serial(
  'a host that never says what it works on, or says for ever that it works, is given up',
  async t => {
    const rounds = 10;
    const expected = await hashOfPlainRun('pingpong', rounds);
    for (const [lie, reason] of delays) {
      const memory = makeMemoryCluster();
      const leader = memory.connect('leader');
      let isLying = true;
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const liar = changeMessages(memory.connect('h1'), message => {
        if (!isLying) return undefined;
        const lied = lie(message);
        // A third of a lease, which counts, takes no longer.
        if (lied !== undefined) timer ??= setInterval(() => leader.holdClock(-2_900), 300);
        return lied;
      });
      const hosting = startHost(liar, 'h1');
      /** @type {string[]} */
      const told = [];
      const { activity } = await startLeader(leader, {
        ...{ hosts: 1, hostPatienceMs: 1_000 },
        tell: line => {
          told.push(line);
          if (!/is gone/.test(line)) return;
          isLying = false;
          clearInterval(timer);
        },
        others: { rounds, leaseMs: 9_000 },
      });
      t.is(activity, expected);
      t.regex(told.join('\n'), reason);
      await hosting;
    }
  },
);

const leaseMs = 3_000;

/** A host with vats, whose clock the test sets. @param {number} [patienceMs] */
const makeParts = (patienceMs = Infinity) => {
  const clock = { nowMs: 0 };
  const nowMs = () => clock.nowMs;
  const link = new Link({
    ...{ id: '00'.repeat(8), epoch: 1, session: 1, maxBytes: 2 ** 20, nowMs },
    ...{ send: () => {}, onMessage: () => {} },
  });
  const host = /** @type {any} */ ({
    ...{ name: 'h1', vats: new Set(), link, isHere: true },
    work: { endedMs: 0, countedMs: 0, waitedMs: 0 },
  });
  /** @type {string[]} */
  const ended = [];
  /** @type {Error[]} */
  const failures = [];
  const hostList = /** @type {any} */ ({
    ...{ nowMs, leaseMs },
    end: (/** @type {unknown} */ _host, /** @type {string} */ reason) => void ended.push(reason),
  });
  const vats = new Map();
  const fail = (/** @type {Error} */ error) => void failures.push(error);
  const work = new HostWork({ vats, hostList, patienceMs, fail });
  const add = (/** @type {string} */ vatId, /** @type {string} */ name) => {
    const vat = makeHostedVat(vatId, /** @type {any} */ ({ name, incarnation: 0 }));
    const replica = /** @type {any} */ ({
      ...{ host, isReady: true, at: 0, result: undefined, made: undefined, early: [] },
      ...{ next: [], isAwaited: false, sentMs: 0, saidAt: 0, cranks: 1 },
    });
    vats.set(vatId, vat);
    host.vats.add(vatId);
    return { vat, replica };
  };
  const give = (/** @type {ReturnType<typeof add>} */ { vat, replica }) => {
    vat.call = /** @type {any} */ ({});
    replica.result = undefined;
    replica.sentMs = nowMs();
    link.post(Uint8Array.of(1));
    noteWork(replica);
  };
  /** The time of a machine passes, and the host is heard. @param {number} ms */
  const pass = ms => {
    clock.nowMs += ms;
    link.heardMs = clock.nowMs;
    return work.findOverdue(host);
  };
  return { work, host, link, clock, ended, failures, add, give, pass };
};

/** @param {number} received @param {string[]} [vatIds] @param {string[]} [asking] */
const working = (received, vatIds = [], asking = []) =>
  /** @type {const} */ ({ kind: 'working', received, vatIds, asking });

test('a delivery is lost if its host has received it, has not answered it and does not work on it', t => {
  const { work, host, clock, ended, add, give } = makeParts();
  const alice = add('v1', 'alice');
  alice.vat.replicas = [alice.replica];
  work.take(host, working(0));
  give(alice);
  // It was said before the delivery came, and arrives late.
  clock.nowMs += 100 * leaseMs;
  work.take(host, working(0));
  work.take(host, working(1, ['v1']));
  t.deepEqual(ended, []);
  work.take(host, working(1));
  t.deepEqual(ended, ['it has forgotten what vat alice was given']);
  t.throws(() => work.take(host, working(2)), {
    instanceOf: RangeError,
    message: 'it has received 2 batches, and 1 were sent',
  });
});

test('a host on which a vat is about to arrive owes nothing of its call', t => {
  const { work, host, clock, ended, add, give } = makeParts();
  const alice = add('v1', 'alice');
  give(alice);
  alice.replica.isReady = false;
  alice.vat.incoming = { replica: alice.replica, hurry: undefined };
  clock.nowMs += 2 * leaseMs;
  work.take(host, working(1));
  t.deepEqual(ended, []);
});

test('a host that is ahead may begin a delivery when it has ended what is before it', t => {
  const { work, host, clock, ended, add, give } = makeParts();
  const [alice, bob] = [add('v1', 'alice'), add('v2', 'bob')];
  for (const each of [alice, bob]) {
    each.vat.replicas = [each.replica];
    give(each);
  }
  bob.replica.isAwaited = true;
  clock.nowMs += 2 * leaseMs;
  work.take(host, working(1, ['v1']));
  alice.replica.result = /** @type {any} */ ({});
  work.noteEnded(host);
  // Between two cranks.
  work.take(host, working(1));
  t.deepEqual(ended, []);
  clock.nowMs += leaseMs + 1;
  work.take(host, working(1));
  t.deepEqual(ended, ['it has forgotten what vat bob was given']);
});

test('a limit counts the time in which a host is heard and ends nothing, in steps', t => {
  const { host, clock, work, add, give, pass } = makeParts(10_000);
  const [alice, bob] = [add('v1', 'alice'), add('v2', 'bob')];
  for (const each of [alice, bob]) each.vat.replicas = [each.replica];
  t.is(pass(100_000), undefined, 'it owes nothing');
  give(alice);
  give(bob);
  for (let i = 0; i < 12; i += 1) t.is(pass(1_000), undefined);
  // Either machine stood still: one step.
  t.is(pass(3_600_000), undefined);
  alice.replica.result = /** @type {any} */ ({});
  work.noteEnded(host);
  for (let i = 0; i < 13; i += 1) t.is(pass(1_000), undefined);
  clock.nowMs += 3_600_000;
  t.is(work.findOverdue(host), undefined, 'it is not heard');
  t.is(pass(1_000), 'it has ended nothing within 10000 ms of what vat bob was given');
});

test('the limit of a vat that is made anew holds for each crank of its transcript', t => {
  const { add, pass } = makeParts(1_000);
  const alice = add('v1', 'alice');
  alice.vat.replicas = [alice.replica];
  alice.replica.made = () => {};
  alice.replica.cranks = 4;
  for (let i = 0; i < 7; i += 1) t.is(pass(1_000), undefined);
  t.is(pass(1_000), 'it has ended nothing within 1000 ms of what vat alice was given');
});

test('a vat whose delivery takes too long on three hosts ends the run', t => {
  const { host, failures, add, give, pass } = makeParts(1_000);
  const vats = Array.from({ length: 7 }, (_, i) => add(`v${i + 1}`, `alice${i + 1}`));
  for (const each of vats) each.vat.replicas = [each.replica];
  for (let time = 1; time <= 3; time += 1) {
    t.deepEqual(failures, []);
    host.work = { endedMs: 0, countedMs: host.link.heardMs, waitedMs: 0 };
    for (const each of vats) give(each);
    for (let i = 0; i < 4; i += 1) t.is(pass(1_000), undefined);
    t.regex(pass(1_000) ?? '', /what vats alice1, alice2, alice3, alice4, alice5 and 2 more were/);
  }
  t.true(UserError.is(failures[0]));
  t.is(
    failures[0].message,
    'vats alice1, alice2, alice3, alice4, alice5 and 2 more did not end a delivery within 1000 ms on 3 hosts, one after the other, of which the last is h1; with a longer --host-patience, or without it, the same command goes on with the run',
  );
});
