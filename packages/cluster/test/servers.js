// nats-server processes for tests. scripts/prepare-nats.sh makes the program; where it is not there, tests that need it are
// skipped and say so.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { ExecutionContext } from 'ava' */

const findServer = () => {
  const named = process.env.SWINGSET_RUNNER_NATS_SERVER;
  if (named !== undefined && named !== '') return named;
  const { stdout } = spawnSync('nats-server', ['--version'], { encoding: 'utf8' });
  const minor = Number(/v2\.(\d+)/.exec(stdout ?? '')?.[1]);
  return minor >= 11 ? 'nats-server' : undefined;
};

/** Undefined where there is none. */
export const serverFile = findServer();

/** `test`, or one that is skipped with its reason in the title. */
export const testWithServer =
  serverFile !== undefined
    ? test
    : Object.assign(
        (/** @type {string} */ title) =>
          test.skip(`${title} (needs nats-server: scripts/prepare-nats.sh)`, () => {}),
        {
          serial: (/** @type {string} */ title) =>
            test.skip(`${title} (needs nats-server: scripts/prepare-nats.sh)`, () => {}),
        },
      );

export const findPort = async () => {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
};

/** Whether a server is there: it says something, or ends a connection that does not begin with TLS. @param {number} port */
const answers = port =>
  new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1');
    for (const sign of ['data', 'end'])
      socket.once(sign, () => {
        socket.destroy();
        resolve(true);
      });
    socket.once('error', () => resolve(false));
  });

/**
 * A server of its own, ended with the test.
 *
 * @param {ExecutionContext} t
 * @param {object} [options]
 * @param {readonly string[]} [options.flags]  beside port and directory; by default JetStream
 * @param {string} [options.directory]
 * @param {number} [options.port]
 */
export const startServer = async (
  t,
  { flags = ['-js'], directory = temporaryDirectory(t, 'nats'), port: wanted } = {},
) => {
  const port = wanted ?? (await findPort());
  const child = spawn(
    /** @type {string} */ (serverFile),
    [...flags, '-a', '127.0.0.1', '-p', String(port), '-sd', path.join(directory, 'js')],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const end = async (/** @type {NodeJS.Signals} */ signal = 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  t.teardown(() => end());
  for (let left = 1200; !(await answers(port)); left -= 1) {
    if (left === 0 || child.exitCode !== null) throw Error('nats-server does not start');
    await new Promise(resolve => void setTimeout(resolve, 50));
  }
  return { url: `nats://127.0.0.1:${port}`, port, directory, child, end };
};
