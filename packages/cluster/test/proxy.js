// A network that fails: a TCP proxy in front of a server, which knows nothing of what it passes on. It delays bytes, tears them into
// pieces, cuts connections in the midst of them, repeats and swaps pieces, and lets connections stand still with nothing coming through.

import { once } from 'node:events';
import net from 'node:net';

/** @import { ExecutionContext } from 'ava' */

/**
 * Probabilities for each piece that comes through, in either direction.
 *
 * @typedef {object} NetworkFaults
 * @property {number} [tear]  it goes on in smaller pieces
 * @property {number} [delay]  it is late, and with it whatever is behind it
 * @property {number} [longestDelayMs]  10 by default
 * @property {number} [cut]  the connection ends, with half of the piece passed on
 * @property {number} [double]  it comes twice
 * @property {number} [swap]  its halves change places
 */

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/**
 * A proxy, ended with the test.
 *
 * @param {ExecutionContext} t
 * @param {number} target  port of the server
 * @param {object} [options]
 * @param {NetworkFaults} [options.faults]  may be changed while it runs
 * @param {(below: number) => number} [options.random]
 */
export const startProxy = async (t, target, { faults = {}, random = () => 0 } = {}) => {
  /** @type {Set<net.Socket>} */
  const sockets = new Set();
  let [isStalled, isRefusing] = [false, false];
  /** @type {(() => void)[]} */
  let stalled = [];

  /** @param {number} [probability] */
  const happens = (probability = 0) => random(10_000) < probability * 10_000;

  /** @param {net.Socket} socket @param {Buffer} piece */
  const write = (socket, piece) =>
    socket.destroyed || socket.write(piece) || Promise.race([once(socket, 'drain'), pause(1_000)]);

  /** @param {Buffer} piece @returns {Buffer[]} */
  const tear = piece => {
    if (piece.length < 2 || !happens(faults.tear)) return [piece];
    const at = 1 + random(piece.length - 1);
    return [piece.subarray(0, at), ...tear(piece.subarray(at))];
  };

  /** @param {Buffer} piece */
  const swap = piece => {
    const middle = piece.length >> 1;
    return Buffer.concat([piece.subarray(middle), piece.subarray(0, middle)]);
  };

  /** Pass on one piece after the other. @param {net.Socket} from @param {net.Socket} to */
  const pass = async (from, to) => {
    try {
      for await (const whole of from) {
        for (const piece of tear(whole)) {
          if (happens(faults.delay)) await pause(random(faults.longestDelayMs ?? 10));
          while (isStalled)
            await /** @type {Promise<void>} */ (new Promise(go => stalled.push(go)));
          if (happens(faults.cut)) {
            await write(to, piece.subarray(0, piece.length >> 1));
            throw Error('cut');
          }
          await write(to, happens(faults.swap) ? swap(piece) : piece);
          if (happens(faults.double)) await write(to, piece);
        }
      }
    } catch {
      // The connection has ended, by us or by one of its ends.
    }
    from.destroy();
    to.destroy();
  };

  const server = net.createServer(client => {
    if (isRefusing) {
      client.destroy();
      return;
    }
    const upstream = net.connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    }
    void pass(client, upstream);
    void pass(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const release = () => {
    isStalled = false;
    const waiting = stalled;
    stalled = [];
    for (const go of waiting) go();
  };
  t.teardown(async () => {
    isRefusing = true;
    release();
    cut();
    server.close();
    await once(server, 'close');
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    faults,
    /** All connections end. */
    cut,
    /** Sockets that are open, two for each connection. */
    get open() {
      return sockets.size;
    },
    /** Nothing comes through, and nobody is told. */
    stall: () => {
      isStalled = true;
    },
    /** Messages that were held come through now. */
    release,
    /** No connections are taken. @param {boolean} isSo */
    refuse: isSo => {
      isRefusing = isSo;
      if (isSo) cut();
    },
  };
};
