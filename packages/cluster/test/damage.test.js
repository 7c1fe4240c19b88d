// Damage between leader and hosts, hosts that are heard and do nothing, and a log that is cut while its run goes on:
// each is found and named, and the run ends as one of a single process, or stops.

import test from 'ava';
import { ByteReader, ByteWriter, UserError } from '#model';
import { readJson, readToLeader, writeJson, writeToLeader } from '../host-messages.js';
import { connectNats } from '../index.js';
import { DamagedPacket, Link, readPacket, writePacket } from '../link.js';
import { DamagedRun } from '../log-reader.js';
import { namesOf } from '../names.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { hashOfPlainRun, startHost, startLeader } from './run-cluster.js';
import { startServer, testWithServer } from './servers.js';
import { makeRandom, pause } from './trials.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { Cluster } from '../interface.js' */
/** @import { ToLeader } from '../host-messages.js' */

const rounds = 15;

/** @param {Uint8Array} bytes @param {number} bit */
const flip = (bytes, bit) => {
  const flipped = bytes.slice();
  flipped[bit >> 3] ^= 1 << (bit & 7);
  return flipped;
};

test('a packet or a word with a changed bit is rejected', t => {
  const piece = Uint8Array.of(3, 1, 2, 3);
  const packet = {
    ...{ id: '0123456789abcdef', epoch: 3, session: 77_777, number: 12, acknowledged: 300 },
    ...{ hasMore: false, piece },
  };
  const bytes = writePacket(packet);
  t.deepEqual(readPacket(bytes), { ...packet, piece });
  for (let bit = 0; bit < bytes.length * 8; bit += 1)
    t.throws(() => readPacket(flip(bytes, bit)), {
      instanceOf: bit < 8 ? RangeError : DamagedPacket,
    });
  const word = { kind: 'welcome', epoch: 3, leaseMs: 1_500, profile: 'current' };
  const text = writeJson(word);
  t.deepEqual(readJson(text), word);
  for (let bit = 0; bit < text.length * 8; bit += 1)
    t.like(readJson(flip(text, bit)) ?? word, word);
});

test('a link knows how long an acknowledgement is overdue', t => {
  let nowMs = 100;
  /** @type {Uint8Array[]} */
  const sent = [];
  const parts = { id: '0123456789abcdef', epoch: 1, session: 2, maxBytes: 1_000 };
  const link = new Link({
    ...{ ...parts, nowMs: () => nowMs, onMessage: () => {} },
    send: packet => void sent.push(packet),
  });
  const receive = (/** @type {number} */ acknowledged) =>
    link.receive({ ...parts, number: 0, acknowledged, hasMore: false, piece: new Uint8Array() });
  t.is(link.owedMs, 0);
  t.is(link.owedSinceMs, Infinity);
  link.post(Uint8Array.of(1));
  nowMs = 150;
  t.is(link.owedSinceMs, 100);
  link.flush();
  nowMs = 400;
  link.post(Uint8Array.of(2));
  link.flush();
  t.is(link.owedMs, 250);
  // Sending again, and hearing of it, is no progress.
  nowMs = 900;
  link.tick();
  receive(0);
  t.is(sent.length, 4);
  t.is(link.owedMs, 750);
  receive(1);
  nowMs = 1_000;
  t.is(link.owedMs, 100);
  t.is(link.owedSinceMs, 400);
  receive(2);
  t.is(link.owedMs, 0);
  t.is(link.owedSinceMs, Infinity);
});

/** A party of which some messages are damaged when it sends them. @param {Cluster} cluster @param {number} seed @returns {Cluster} */
const damaging = (cluster, seed) => {
  const random = makeRandom(seed);
  return {
    ...cluster,
    publish: (subject, bytes) => {
      const isHit = random(10) === 0 && bytes.length > 5;
      // The version alone is not covered, and told as such.
      cluster.publish(subject, isHit ? flip(bytes, 8 + random((bytes.length - 1) * 8)) : bytes);
    },
  };
};

test.serial('damaged packets are reported, and sent again', async t => {
  const memory = makeMemoryCluster();
  /** @type {string[]} */
  const told = [];
  const tell = (/** @type {string} */ line) => void told.push(line);
  let isOver = false;
  const shouldStop = () => isOver;
  const hosting = startHost(damaging(memory.connect('h1'), 1), 'h1', { tell, shouldStop });
  const leading = startLeader(damaging(memory.connect('leader'), 2), {
    ...{ hosts: 1, tell, others: { rounds, leaseMs: 4_000 } },
  });
  t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
  isOver = true;
  await hosting;
  for (const who of ['host h1', 'the leader'])
    t.true(
      told.some(line =>
        new RegExp(`^of ${who}, a (packet|text) of \\d+ bytes was damaged`).test(line),
      ),
      who,
    );
  t.false(told.some(line => /understood|forgotten/.test(line)));
});

/** @param {Cluster} cluster @param {(message: ToLeader) => ToLeader | undefined} change  undefined for nothing @returns {Cluster} */
const changing = (cluster, change) => ({
  ...cluster,
  publish: (subject, bytes) => {
    if (bytes[0] === 0x7b) return cluster.publish(subject, bytes);
    const packet = readPacket(bytes);
    const batch = new ByteWriter();
    for (const reader = new ByteReader(packet.piece); !reader.done;) {
      const changed = change(readToLeader(reader.raw(reader.varint())));
      if (changed === undefined) continue;
      const message = writeToLeader(changed);
      batch.varint(message.length);
      batch.raw(message);
    }
    return cluster.publish(subject, writePacket({ ...packet, piece: batch.view() }));
  },
});

/** A leader with a host that does not do its work, and later a sound one. @param {(cluster: Cluster, isBad: () => boolean) => Cluster} spoil */
const runWithBadHost = async spoil => {
  const memory = makeMemoryCluster();
  /** @type {string[]} */
  const told = [];
  let [isOver, isBad] = [false, false];
  const shouldStop = () => isOver;
  const hosting = [
    startHost(
      spoil(memory.connect('h1'), () => isBad),
      'h1',
      { shouldStop },
    ),
  ];
  const leading = startLeader(memory.connect('leader'), {
    hosts: 1,
    tell: line => {
      told.push(line);
      if (!/host h1 is gone/.test(line) || hosting.length > 1) return;
      hosting.push(startHost(memory.connect('h2'), 'h2', { shouldStop }));
    },
    others: { rounds, leaseMs: 1_500, blockSize: 3 },
  });
  while (memory.records.length < 6) await pause(1);
  isBad = true;
  const { activity } = await leading;
  isOver = true;
  await Promise.all(hosting);
  return { activity, told };
};

test.serial('a host that sends but has lost its work is dropped', async t => {
  const { activity, told } = await runWithBadHost((cluster, isBad) =>
    changing(cluster, message => (message.kind === 'report' && isBad() ? undefined : message)),
  );
  t.is(activity, await hashOfPlainRun('pingpong', rounds));
  t.true(
    told.some(line => /^host h1 is gone: it has forgotten what vat \w+ was given$/.test(line)),
  );
});

test.serial('a host that sends but receives nothing is dropped', async t => {
  const { activity, told } = await runWithBadHost((cluster, isBad) => ({
    ...cluster,
    subscribe: (pattern, onMessage) =>
      cluster.subscribe(pattern, (...given) => isBad() || onMessage(...given)),
  }));
  t.is(activity, await hashOfPlainRun('pingpong', rounds));
  // On a machine that stands still for seconds the host may leave before.
  const named =
    /^host h1 is gone: (it is heard, but has acknowledged nothing|it has left its session)/;
  t.true(told.some(line => named.test(line)));
});

test.serial('a log that is cut while its leader waits is reported', async t => {
  for (const [from, message] of /** @type {const} */ ([
    [
      0,
      /^the log of run tested is damaged: its first record is lost: somebody has cut the stream; /,
    ],
    [1, /^the log of run tested is damaged: records 2 to \d+,? .*were acknowledged and are lost; /],
  ])) {
    const memory = makeMemoryCluster();
    const cluster = memory.connect('leader');
    const leading = startLeader(cluster, { hosts: 1, others: { rounds: 1, leaseMs: 600 } });
    while (memory.records.length < 2) await pause(1);
    if (from === 0) memory.records.shift();
    else memory.records.length = from;
    // A leader alone holds no process open here.
    const alive = setInterval(() => {}, 1_000);
    await t.throwsAsync(leading, { instanceOf: DamagedRun, message });
    clearInterval(alive);
  }
});

/** A host whose results say one thing more. @param {Cluster} cluster @returns {Cluster} */
const lying = cluster =>
  changing(cluster, message => {
    if (message.kind !== 'report' || message.report.kind !== 'result') return message;
    const { report } = message;
    return {
      ...message,
      report: { ...report, syscalls: [...report.syscalls, ['subscribe', 'p-999']] },
    };
  });

test.serial('twins are compared as before after one of them is replaced', async t => {
  const memory = makeMemoryCluster();
  let isOver = false;
  const shouldStop = () => isOver;
  const parties = ['h1', 'h2'].map(name => memory.connect(name));
  const hosting = parties.map((party, i) => startHost(party, `h${i + 1}`, { shouldStop }));
  /** @type {string[]} */
  const told = [];
  const leading = startLeader(memory.connect('leader'), {
    ...{ hosts: 2, twins: 2, tell: line => void told.push(line) },
    others: { rounds: 1_000_000, leaseMs: 2_000, blockSize: 3 },
  });
  while (memory.records.length < 6) await pause(1);
  parties[0].cutOff();
  hosting.push(startHost(lying(memory.connect('h3')), 'h3', { shouldStop }));
  const named =
    /^vat \w+ does something else on host h[23] than on host h[23], in its crank \d+ \(\w+\): syscall \d+, .*; nothing of the block is committed$/;
  await t.throwsAsync(leading, { instanceOf: UserError, message: named });
  t.true(told.includes('host h1 is gone: nothing was heard of it for 2000 ms'));
  isOver = true;
  parties[0].mend();
  await Promise.all(hosting);
});

testWithServer.serial(
  'a stream that is removed, sealed or bounded while its run goes on is named',
  async (/** @type {ExecutionContext} */ t) => {
    const { url } = await startServer(t);
    const { connect } = await import('@nats-io/transport-node');
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const connection = await connect({ servers: url });
    t.teardown(() => connection.close());
    const jsm = await jetstreamManager(connection);
    for (const [
      name,
      act,
      message,
    ] of /** @type {[string, (stream: string) => Promise<unknown>, RegExp][]} */ ([
      [
        'removed',
        stream => jsm.streams.delete(stream),
        /^the log of run removed is damaged: records 1 to \d+, up to block \d+, were acknowledged and are lost/,
      ],
      [
        'sealed',
        stream => jsm.streams.update(stream, /** @type {any} */ ({ sealed: true })),
        /^nats:\S+ has sealed the log/,
      ],
      [
        'bounded',
        stream => jsm.streams.update(stream, { max_msgs: 4 }),
        /no room left to write to the log/,
      ],
    ])) {
      const cluster = await connectNats({ url, run: name, role: 'leader' });
      t.teardown(() => cluster.close());
      let isCut = false;
      const leading = startLeader(cluster, {
        others: {
          ...{ run: name, rounds: 1_000_000, leaseMs: 20_000, blockSize: 3 },
          onBlock: () => {
            if (isCut) return;
            isCut = true;
            void act(namesOf(name).stream).catch(error => t.fail(String(error)));
          },
        },
      });
      await t.throwsAsync(leading, { instanceOf: UserError, message }, name);
    }
    // Cutting in place is refused by the server.
    const cluster = await connectNats({ url, run: 'kept', role: 'leader' });
    t.teardown(() => cluster.close());
    await cluster.provideLog();
    await t.throwsAsync(jsm.streams.purge(namesOf('kept').stream), {
      message: /not permitted|purge/,
    });
  },
);
