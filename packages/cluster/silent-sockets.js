// Closes connections on which a server says nothing. The client gives up such a connection after its timeout but leaves
// its socket open, which would keep the process alive after its last line.

import { channel } from 'node:diagnostics_channel';

/** @import { Socket } from 'node:net' */

/** How long a server may say nothing, by the port that the client connects to. @type {Map<number, number>} */
const bounds = new Map();

/** @param {any} message  Node's, about a new socket of this process */
const watch = message => {
  const socket = /** @type {Socket} */ (message.socket);
  socket.once('connectionAttempt', (_address, port) => {
    const ms = bounds.get(port);
    if (ms === undefined) return;
    const close = () => {
      if (socket.bytesRead === 0) socket.destroy();
    };
    // The socket itself keeps the process alive until then.
    setTimeout(close, ms).unref();
  });
};

/**
 * Close connections to this port that this process makes from now on if no byte comes for so long.
 *
 * @param {number} port
 * @param {number} ms  longer than the client itself waits
 */
export const boundSilence = (port, ms) => {
  if (bounds.size === 0) channel('net.client.socket').subscribe(watch);
  bounds.set(port, ms);
};
