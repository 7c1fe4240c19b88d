// A transcript that is larger than a message is named, and messages that are large together go in several batches.

import test from 'ava';
import { Link, readPacket } from '../link.js';
import { CannotMove } from '../hosted-vat.js';
import { Replicas } from '../replicas.js';

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

test('a vat whose transcript no host takes is named, with its size and what to do', async t => {
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
      'vat bob has a transcript of 301 MB, and a host takes one of 256 MB at most; with --hosts 0 the same command goes on with the run on the leader',
  });
});
