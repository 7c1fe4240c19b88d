// Transcripts go in parts, a part that is larger than a message is named, and messages that are large together go in several
// batches.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig } from '#host';
import { ByteReader, ByteWriter, readTranscriptEntry, writeTranscriptEntry } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { Link, readPacket } from '../link.js';
import { CannotMove } from '../hosted-vat.js';
import { Replicas } from '../replicas.js';
import { restoreMessages } from '../restore-messages.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, hashOfPlainRun, startHost, startLeader } from './run-cluster.js';
import { makeBrake, pause } from './trials.js';

test('messages that are too large for one batch together go in several', t => {
  /** @type {number[]} */
  const came = [];
  const parts = { id: '00'.repeat(8), epoch: 1, session: 1, maxBytes: 2 ** 25, nowMs: () => 0 };
  const receiver = new Link({
    ...parts,
    send: () => {},
    onMessage: message => void came.push(message.length),
  });
  const sender = new Link({
    ...parts,
    send: packet => receiver.receive(readPacket(packet)),
    onMessage: () => {},
  });
  const large = 100 * 2 ** 20;
  for (let i = 0; i < 3; i += 1) sender.post(new Uint8Array(large));
  sender.post(new Uint8Array(5));
  sender.flush();
  t.deepEqual(came, [large, large, large, 5]);
});

test('of large packets that nobody acknowledges only some are sent again at once', t => {
  let [now, sent] = [0, 0];
  const link = new Link({
    ...{ id: '00'.repeat(8), epoch: 1, session: 1, maxBytes: 2 ** 20, nowMs: () => now },
    send: packet => {
      sent += packet.length;
    },
    onMessage: () => {},
  });
  const large = 100 * 2 ** 20;
  link.post(new Uint8Array(large));
  link.flush();
  t.true(sent > large);
  [now, sent] = [1_000, 0];
  link.tick();
  t.true(sent >= 2 ** 23 && sent < 2 ** 24, `${sent} bytes`);
});

test('a vat with a part that no host takes is named, with its size and what to do', async t => {
  /** @type {any} */
  const host = { name: 'h1', vats: new Set(), link: { post: () => t.fail('it was sent') } };
  /** @type {any} */
  const replica = { host };
  /** @type {any} */
  const vat = { vatId: 'v1', name: 'bob', replicas: [replica], taken: 5 };
  const replicas = new Replicas(/** @type {any} */ ({ hostList: { nowMs: () => 0 }, twins: 1 }));
  const transcript = new Uint8Array(300 * 2 ** 20);
  const message = /** @type {const} */ ({ kind: 'restore', vatId: 'v1', description: '{}' });
  await t.throwsAsync(replicas.send(vat, replica, { ...message, stored: [], transcript }), {
    instanceOf: CannotMove,
    message:
      'vat bob has a crank, or a store before its upgrade, of 301 MB, and a host takes one of 256 MB at most; with --hosts 0 the same command goes on with the run on the leader',
  });
});

/** @param {number} cranks @param {number} bytes  of each @returns {Uint8Array} */
const transcriptOf = (cranks, bytes) => {
  const writer = new ByteWriter(cranks * (bytes + 64));
  const methargs = { body: 'x'.repeat(bytes), slots: [] };
  for (let i = 0; i < cranks; i += 1)
    writeTranscriptEntry(writer, {
      ...{ kind: 'deliver', delivery: ['message', 'o+0', methargs, null] },
      ...{ tag: { timeNs: 0, microstep: i }, stage: 0, syscalls: [], answers: [] },
    });
  return writer.view().slice();
};

test('a long transcript goes in parts of whole entries, which its bytes may no longer have then', t => {
  const vat = /** @type {any} */ ({ vatId: 'v1', description: { incarnation: 0 } });
  for (const [cranks, bytes, sizes] of /** @type {const} */ ([
    [0, 0, [0]],
    [3, 100, [3]],
    [9, 2 ** 20, [3, 3, 3]],
    [2, 6 * 2 ** 20, [1, 1]],
  ])) {
    const transcript = transcriptOf(cranks, bytes);
    const before = transcript.slice();
    const kinds = [];
    const parts = [];
    for (const message of restoreMessages(vat, transcript, new Map())) {
      if (message.kind !== 'restore' && message.kind !== 'catchUp') return t.fail(message.kind);
      kinds.push(message.kind);
      parts.push(message.transcript.slice());
      if (sizes.length > 1) transcript.fill(0);
    }
    t.deepEqual(
      kinds,
      sizes.map((_, i) => (i === 0 ? 'restore' : 'catchUp')),
    );
    t.true(Buffer.concat(parts).equals(before), `${cranks} cranks of ${bytes} bytes`);
    const counts = parts.map(part => {
      let count = 0;
      for (const reader = new ByteReader(part); !reader.done; count += 1)
        readTranscriptEntry(reader);
      return count;
    });
    t.deepEqual(counts, [...sizes]);
  }
});

const sources = {
  bootstrap: `import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let keeper;
    return Far('bootstrap', {
      bootstrap(vats) { keeper = vats.keeper; },
      runBenchmarkRound: () => E(keeper).keep('x'.repeat(1_000_000)),
    });
  };`,
  keeper: `import { Far } from '@endo/far';
  export const buildRootObject = () => {
    let all = 0;
    return Far('keeper', { keep(text) { all += text.length; return all; } });
  };`,
};

test('a vat with a transcript of several parts is restored on another host, and the run has the same hash', async t => {
  const dir = temporaryDirectory(t, 'large');
  /** @type {Record<string, { sourceSpec: string }>} */
  const vats = {};
  for (const [name, source] of Object.entries(sources)) {
    fs.writeFileSync(path.join(dir, `${name}.js`), source);
    vats[name] = { sourceSpec: `${name}.js` };
  }
  const configFile = path.join(dir, 'swingset.json');
  fs.writeFileSync(configFile, JSON.stringify({ bootstrap: 'bootstrap', vats }));
  const config = loadConfig({ baseDir: dir, configFile });
  const rounds = 14;

  const memory = makeMemoryCluster();
  const first = memory.connect('h1');
  let [done, made] = [0, 0];
  const count = (/** @type {{ kind: string }} */ { kind }) => {
    if (kind === 'made') made += 1;
  };
  const hosting = [startHost(changeMessages(first, count), 'h1')];
  /** @type {string[]} */
  const told = [];
  const brake = makeBrake(memory.connect('leader'));
  const leading = startLeader(brake.cluster, {
    ...{ hosts: 1, tell: line => void told.push(line) },
    others: {
      ...{ config, rounds },
      onBlock: (_taken, progress) => {
        ({ done } = progress);
        if (done === 10) brake.hold();
      },
    },
  });
  while (done < 10) await pause(5);
  hosting.push(startHost(changeMessages(memory.connect('h2'), count), 'h2'));
  while (!told.some(line => /^host h2 has joined/.test(line))) await pause(5);
  // On a slow machine the first host may have been gone for some time before, and may be back before the vats have a place.
  told.length = 0;
  first.cutOff();
  while (!told.some(line => /^host h1 is gone/.test(line))) await pause(5);
  made = 0;
  first.mend();
  brake.release();
  t.is((await leading).activity, await hashOfPlainRun(config, rounds));
  t.true(made >= 4, `two vats were made in ${made} parts`);
  await Promise.all(hosting);
});
