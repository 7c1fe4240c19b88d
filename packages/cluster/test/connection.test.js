// A connection to a server that is lost, stands still, or is made again while the clock on the wall is set back.

import net from 'node:net';
import test from 'ava';
import { UserError } from '#model';
import { connectNats } from '../index.js';
import { Unacknowledged } from '../interface.js';
import { startProxy } from './proxy.js';
import { startServer, testWithServer } from './servers.js';

/** @import { ExecutionContext } from 'ava' */

const record = Uint8Array.of(1, 2, 3);

/** @param {ExecutionContext} t */
const connectThrough = async t => {
  const { port } = await startServer(t);
  const proxy = await startProxy(t, port);
  const cluster = await connectNats({ url: proxy.url, run: 'connection', role: 'leader' });
  t.teardown(() => cluster.close());
  return { proxy, cluster, log: await cluster.provideLog() };
};

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/** Asks until it is answered. @template T @param {() => Promise<T>} act @returns {Promise<T>} */
const patiently = async act => {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Unacknowledged)) throw error;
      await pause(50);
    }
  }
};

testWithServer.serial(
  'what was asked over a connection that is lost is unacknowledged at once',
  async (/** @type {ExecutionContext} */ t) => {
    const { proxy, log } = await connectThrough(t);
    proxy.stall();
    const asked = t.throwsAsync(log.append(record, 0), {
      instanceOf: Unacknowledged,
      message: 'the connection is lost',
    });
    proxy.refuse(true);
    await asked;
    await t.throwsAsync(log.last(), {
      instanceOf: Unacknowledged,
      message: 'the connection is lost',
    });
    proxy.refuse(false);
    proxy.release();
    t.true((await patiently(() => log.last())) <= 1);
  },
);

testWithServer.serial(
  'who waits until the server knows of subscriptions waits for a connection that is lost meanwhile',
  async (/** @type {ExecutionContext} */ t) => {
    const { proxy, cluster } = await connectThrough(t);
    proxy.stall();
    let isReady = false;
    const waiting = cluster.ready().then(() => {
      isReady = true;
    });
    proxy.refuse(true);
    await pause(200);
    t.false(isReady);
    proxy.refuse(false);
    proxy.release();
    await waiting;
    t.true(isReady);
  },
);

testWithServer.serial(
  'a connection is made again though the clock on the wall is set back by an hour',
  async (/** @type {ExecutionContext} */ t) => {
    const { proxy, log } = await connectThrough(t);
    t.is(await log.append(record, 0), 1);
    const { now } = Date;
    t.teardown(() => {
      Date.now = now;
    });
    Date.now = () => now() - 3_600_000;
    proxy.cut();
    t.is(await patiently(() => log.last()), 1);
    t.is(await patiently(() => log.append(record, 1)), 2);
  },
);

testWithServer.serial(
  'a connection that is closed while it is lost is not made again',
  async (/** @type {ExecutionContext} */ t) => {
    const { proxy, cluster } = await connectThrough(t);
    proxy.cut();
    while (proxy.open > 0) await pause(5);
    // The client notices, and pauses before it connects again.
    await pause(50);
    await cluster.close();
    await pause(500);
    for (let left = 200; proxy.open > 0 && left > 0; left -= 1) await pause(50);
    t.is(proxy.open, 0);
  },
);

/** @param {() => boolean} isSo */
const until = async isSo => {
  for (let left = 400; !isSo() && left > 0; left -= 1) await pause(50);
};

for (const [title, says, message] of /** @type {const} */ ([
  ['says nothing', '', /^no NATS server answers at nats:\/\/127\.0\.0\.1:\d+; start one/],
  [
    'is no NATS server',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    /^nats:\/\/127\.0\.0\.1:\d+ is no NATS server: it answers otherwise; name one with --cluster, as nats:\/\/localhost:4222$/,
  ],
]))
  test(`a server that ${title} gives an error of one line, and no connection to it is left`, async t => {
    let open = 0;
    const server = net.createServer(socket => {
      open += 1;
      socket.on('error', () => {}).on('close', () => void (open -= 1));
      socket.resume().write(says);
    });
    await new Promise(resolve => void server.listen(0, '127.0.0.1', () => resolve(undefined)));
    t.teardown(() => void server.close());
    const { port } = /** @type {net.AddressInfo} */ (server.address());
    const options = /** @type {const} */ ({ run: 'connection', role: 'leader' });
    await t.throwsAsync(connectNats({ url: `nats://127.0.0.1:${port}`, ...options }), {
      instanceOf: UserError,
      message,
    });
    await until(() => open === 0);
    t.is(open, 0);
  });

testWithServer(
  'a connection that is closed while the server says nothing is not left open',
  async (/** @type {ExecutionContext} */ t) => {
    const { proxy, cluster } = await connectThrough(t);
    proxy.stall();
    proxy.cut();
    while (proxy.open > 0) await pause(5);
    while (proxy.open === 0) await pause(5);
    await cluster.close();
    await until(() => proxy.open === 0);
    t.is(proxy.open, 0);
  },
);

test('a proxy without faults does not change the connection', async t => {
  const echo = net.createServer(socket => void socket.pipe(socket));
  await new Promise(resolve => void echo.listen(0, '127.0.0.1', () => resolve(undefined)));
  t.teardown(() => void echo.close());
  const { port } = /** @type {net.AddressInfo} */ (echo.address());
  const random = (/** @type {number} */ below) => (below * 7) >> 4;
  const proxy = await startProxy(t, port, { faults: { tear: 1, delay: 0.1 }, random });
  const socket = net.connect(Number(new URL(proxy.url).port), '127.0.0.1');
  const text = 'one two three '.repeat(300);
  socket.write(text);
  let came = '';
  for await (const piece of socket) {
    came += piece;
    if (came.length >= text.length) break;
  }
  t.is(came, text);
});
