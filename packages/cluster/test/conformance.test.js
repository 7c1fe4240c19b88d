// The promises of every cluster (interface.js), asked of both: the one in this process, and JetStream.

import test from 'ava';
import { connectNats } from '../index.js';
import { LogConflict } from '../interface.js';
import { sha256Hex } from '../record.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { startServer, testWithServer } from './servers.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { Cluster } from '../interface.js' */

const bytesOf = (/** @type {string} */ text) => Uint8Array.from(Buffer.from(text));
const textOf = (/** @type {Uint8Array | undefined} */ bytes) =>
  bytes && Buffer.from(bytes).toString();

/** @typedef {(t: ExecutionContext) => Promise<() => Promise<Cluster>>} Open  connects another party */

/** @type {Record<string, { define: any, open: Open }>} */
const kinds = {
  'in this process': {
    define: test,
    async open() {
      const memory = makeMemoryCluster();
      let parties = 0;
      return async () => {
        parties += 1;
        return memory.connect(`party ${parties}`);
      };
    },
  },
  'of JetStream': {
    define: testWithServer,
    async open(t) {
      const { url } = await startServer(t);
      return async () => {
        const cluster = await connectNats({ url, run: 'conformance', role: 'leader' });
        t.teardown(() => cluster.close());
        return cluster;
      };
    },
  },
};

const collect = async (/** @type {AsyncIterable<any>} */ records) => {
  const all = [];
  for await (const { seq, bytes } of records) all.push([seq, textOf(bytes)]);
  return all;
};

for (const [kind, { define, open }] of Object.entries(kinds)) {
  define(
    `a log ${kind} takes records behind the one that is named, and no others`,
    async (/** @type {ExecutionContext} */ t) => {
      const connect = await open(t);
      const cluster = await connect();
      t.is(await cluster.findLog(), undefined);
      const log = await cluster.provideLog();
      t.is(await log.last(), 0);
      t.is(await log.append(bytesOf('one'), 0), 1);
      t.is(await log.append(bytesOf('two'), 1), 2);
      await t.throwsAsync(log.append(bytesOf('late'), 1), { instanceOf: LogConflict });
      await t.throwsAsync(log.append(bytesOf('early'), 5), { instanceOf: LogConflict });
      await t.throwsAsync(log.append(bytesOf('first'), 0), { instanceOf: LogConflict });
      t.is(await log.last(), 2);
      t.is(textOf(await log.get(1)), 'one');
      t.is(await log.get(3), undefined);
      const other = await (await connect()).findLog();
      t.deepEqual(await collect(/** @type {any} */ (other).read(1)), [
        [1, 'one'],
        [2, 'two'],
      ]);
      t.deepEqual(await collect(/** @type {any} */ (other).read(3)), []);
    },
  );

  define(
    `of two who append at one place of a log ${kind}, one does`,
    async (/** @type {ExecutionContext} */ t) => {
      const connect = await open(t);
      /** @type {import('../interface.js').RunLog[]} */
      const logs = [];
      for (let i = 0; i < 3; i += 1) logs.push(await (await connect()).provideLog());
      for (let last = 0; last < 5; last += 1) {
        const tries = logs.map((log, i) => log.append(bytesOf(`${last} by ${i}`), last));
        const outcomes = await Promise.allSettled(tries);
        t.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
        for (const each of outcomes)
          if (each.status === 'rejected') t.true(each.reason instanceof LogConflict);
      }
      t.is(await logs[0].last(), 5);
    },
  );

  define(
    `a long log ${kind} is read in order, from any place`,
    async (/** @type {ExecutionContext} */ t) => {
      const connect = await open(t);
      const log = await (await connect()).provideLog();
      const count = 300;
      for (let i = 1; i <= count; i += 1) await log.append(bytesOf(String(i)), i - 1);
      const all = Array.from({ length: count }, (_, i) => [i + 1, String(i + 1)]);
      t.deepEqual(await collect(log.read(1)), all);
      t.deepEqual(await collect(log.read(280)), all.slice(279));
    },
  );

  define(
    `who watches a log ${kind} is told of records`,
    async (/** @type {ExecutionContext} */ t) => {
      const connect = await open(t);
      const writer = await connect();
      const log = await writer.provideLog();
      const reader = await connect();
      const watched = /** @type {NonNullable<Awaited<ReturnType<Cluster['findLog']>>>} */ (
        await reader.findLog()
      );
      const told = new Promise(resolve => {
        const stop = watched.watch(() => {
          stop();
          resolve(undefined);
        });
      });
      await reader.ready();
      await log.append(bytesOf('one'), 0);
      await told;
      t.is(await watched.last(), 1);
    },
  );

  define(
    `a blob ${kind} is found under its hash, however large`,
    async (/** @type {ExecutionContext} */ t) => {
      const connect = await open(t);
      const cluster = await connect();
      for (const size of [0, 5, 3_000_000]) {
        const blob = new Uint8Array(size).fill(7);
        const name = await cluster.putBlob(blob);
        t.is(name, sha256Hex(blob));
        t.is(await cluster.putBlob(blob), name);
        t.deepEqual((await (await connect()).getBlob(name, size))?.length, size);
        t.deepEqual(await cluster.getBlob(name, size + 1), new Uint8Array(), 'not read');
      }
      t.is(await cluster.getBlob(sha256Hex(bytesOf('nobody put this')), 15), undefined);
    },
  );

  define(
    `what is published ${kind} comes to those who subscribe, and is answered`,
    async (/** @type {ExecutionContext} */ t) => {
      const connect = await open(t);
      const [left, right] = [await connect(), await connect()];
      /** @type {[string, string | undefined][]} */
      const came = [];
      const stop = left.subscribe('swingset.conformance.from.*', (bytes, subject, reply) => {
        came.push([subject, textOf(bytes)]);
        reply?.(bytesOf('answer'));
      });
      await left.ready();
      const subject = 'swingset.conformance.from.h1';
      t.is(textOf(await right.request(subject, bytesOf('question'), 5_000)), 'answer');
      right.publish('swingset.conformance.to.h1', bytesOf('for others'));
      right.publish(subject, bytesOf('more'));
      await right.request(subject, bytesOf('last'), 5_000);
      t.deepEqual(came, [
        [subject, 'question'],
        [subject, 'more'],
        [subject, 'last'],
      ]);
      stop();
      t.is(await right.request(subject, bytesOf('nobody'), 50), undefined);
    },
  );
}
