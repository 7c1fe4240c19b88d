// Answers of a leader and greetings of a host fit into a message, however many vats and bundles there are.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig } from '#host/session.js';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { connectNats } from '../index.js';
import { readJson, writeJson, writeToHost } from '../host-messages.js';
import { Link, linkVersion, readPacket } from '../link.js';
import { namesOf } from '../names.js';
import { askMove, askStatus, formatStatus, formatStatusPage } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { run, startHost, startLeader } from './run-cluster.js';
import { startServer, testWithServer } from './servers.js';

/** @import { ExecutionContext } from 'ava' */

const pingpong = path.join(import.meta.dirname, '..', '..', '..', 'demos', 'pingpong');

/** The messages of this cluster are so short that few vats fill one. */
const maxBytes = 4_096;

const many = 60;

const nameOf = (/** @type {number} */ i) => `vat${i}_${'x'.repeat(120)}`;

/** PingPong with many more vats, which have long names and do nothing. @param {ExecutionContext} t */
const configWithMany = t => {
  const configFile = path.join(temporaryDirectory(t, 'answers'), 'swingset.json');
  const vatOf = (/** @type {string} */ file) => ({ sourceSpec: path.join(pingpong, file) });
  const idle = Array.from({ length: many }, (_, i) => [nameOf(i), vatOf('vat-bob.js')]);
  const vats = {
    ...{ bootstrap: vatOf('bootstrap.js'), alice: vatOf('vat-alice.js') },
    ...{ bob: vatOf('vat-bob.js'), ...Object.fromEntries(idle) },
  };
  writeFileSync(configFile, JSON.stringify({ bootstrap: 'bootstrap', vats }));
  return loadConfig({ baseDir: pingpong, configFile });
};

test('a status and a refused move fit into a message, and name what was meant', async t => {
  const memory = makeMemoryCluster({ maxBytes });
  let isOver = false;
  const hosting = startHost(memory.connect('host'), 'h1', { shouldStop: () => isOver });
  const leading = startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: 1 },
    others: {
      ...{ config: configWithMany(t), rounds: 100_000, leaseMs: 60_000 },
      shouldStop: () => isOver,
    },
  });
  const operator = memory.connect('operator');
  const asking = (/** @type {string} */ vat) => askMove(operator, run, vat, 'h1');
  while ((await askStatus(operator, run).catch(() => undefined))?.block === undefined);
  await t.throwsAsync(asking(`${nameOf(7)}y`), {
    message: `no vat "${nameOf(7)}y" is on a host; did you mean "${nameOf(7)}"?`,
  });
  await t.throwsAsync(asking('somebody else'), {
    message: /^no vat "somebody else" is on a host; there are .*… \d+ more characters$/,
  });
  const long = await asking('\u0000'.repeat(700)).catch(({ message }) => message);
  t.regex(long, /^no vat "(\\u0000)+.*… \d+ more characters$/);
  const status = await askStatus(operator, run);
  t.true(status.vats.length > 0);
  t.is(status.vats.length + status.unlisted.vats, many + 3);
  t.regex(
    formatStatus(status),
    new RegExp(`^and ${status.unlisted.vats} more vats on hosts$`, 'm'),
  );
  t.true(
    formatStatusPage(status).includes(`<p>and ${status.unlisted.vats} more vats on hosts</p>`),
  );
  isOver = true;
  t.is((await leading).kind, 'stopped');
  await hosting;
});

test('a host greets with as many of its bundles as a message has room for', async t => {
  const memory = makeMemoryCluster({ maxBytes });
  const names = namesOf(run);
  const leader = memory.connect('leader');
  let isOver = false;
  const hosting = startHost(memory.connect('host'), 'h1', { shouldStop: () => isOver });
  const ids = Array.from({ length: 60 }, (_, i) => `b1-${String(i).padStart(128, '0')}`);
  const session = { id: '0123456789abcdef', epoch: 1, session: 5 };
  const link = new Link({
    ...{ ...session, maxBytes, nowMs: leader.nowMs, onMessage: () => {} },
    send: packet => leader.publish(names.toHost('h1'), packet),
  });
  /** @type {string[]} */
  let bundles = [];
  leader.subscribe(names.fromHost('h1'), bytes => {
    const hello = /** @type {any} */ (readJson(bytes));
    if (hello?.left === 5) {
      ({ bundles } = hello);
      isOver = true;
    } else if (hello !== undefined) {
      const { instance } = hello;
      const welcome = { kind: 'welcome', instance, ...session, profile: 'current', leaseMs: 1_000 };
      leader.publish(names.toHost('h1'), writeJson(welcome));
      for (const id of ids) {
        const request = /** @type {const} */ ({ kind: 'bundle', id, text: '{}', urls: '[]' });
        link.post(writeToHost({ kind: 'request', request }));
      }
      link.flush();
    } else {
      link.receive(readPacket(bytes));
      if (link.owedMs === 0)
        leader.publish(names.toHost('h1'), writeJson({ kind: 'gone', session: 5, reason: 'x' }));
    }
  });
  t.is(await hosting, 'stopped');
  t.true(bundles.length > 10 && bundles.length < ids.length);
  t.deepEqual(bundles, ids.reverse().slice(0, bundles.length));
});

test('a host whose engine has an endless name is refused in a message that fits', async t => {
  const memory = makeMemoryCluster({ maxBytes });
  const names = namesOf(run);
  const liar = memory.connect('liar');
  let isOver = false;
  const leading = startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: 1, others: { shouldStop: () => isOver } },
  });
  const refused = new Promise(resolve => {
    liar.subscribe(names.toHost('liar'), bytes => resolve(readJson(bytes)));
  });
  const hello = {
    ...{ kind: 'hello', run, instance: '0123456789abcdef', version: '1.0.0', threads: 1 },
    ...{ protocol: linkVersion, bundles: [] },
    engine: { v8: '8'.repeat(maxBytes - 250), icu: '1', arch: 'x' },
  };
  const timer = setInterval(() => liar.publish(names.fromHost('liar'), writeJson(hello)), 50);
  t.like(await refused, { kind: 'refuse' });
  clearInterval(timer);
  isOver = true;
  t.is((await leading).kind, 'stopped');
});

testWithServer(
  'a reply on a connection that is closed meanwhile is lost without an error',
  async (/** @type {ExecutionContext} */ t) => {
    const { url } = await startServer(t);
    const cluster = await connectNats({ url, run, role: 'leader' });
    const asker = await connectNats({ url, run, role: 'operator' });
    t.teardown(() => asker.close());
    /** @type {Promise<() => void>} */
    const asked = new Promise(resolve => {
      cluster.subscribe(`swingset.${run}.ask`, (bytes, _subject, reply) =>
        resolve(() => reply?.(bytes)),
      );
    });
    await cluster.ready();
    const asking = asker.request(`swingset.${run}.ask`, Uint8Array.of(1), 300);
    const reply = await asked;
    await cluster.close();
    t.notThrows(reply);
    t.is(await asking, undefined);
  },
);
