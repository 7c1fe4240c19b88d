// Starts a nats-server on this machine for one run: with users and permissions by role, on a free port of the loopback
// interface. Its files are in a directory that is removed when it is closed.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { UserError } from '#model';
import { insistVersion, loadNkeys } from './nats-connection.js';
import { writeServerConfig } from './permissions.js';
import { startBoundProcess } from './bound-process.js';

/** How long a server may take to start. */
const startMs = 30_000;

/** Characters of the server's standard error that are kept. */
const mostSaid = 2_000;

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/** @param {string} file */
const insistServer = file => {
  const { error, status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  const version = /nats-server: v(\S+)/.exec(stdout)?.[1];
  if (version !== undefined) {
    insistVersion(version, file);
    if (status === 0) return;
  }
  const isOther = error === undefined && status === 0;
  const why = isOther ? 'it is no nats-server' : (error?.message ?? `it ends with ${status}`);
  throw new UserError(
    `${file} does not run (${why}); install nats-server (its packages, or go install github.com/nats-io/nats-server/v2@latest), or name it with --server`,
    { cause: error },
  );
};

/** @param {string} dir @returns {string | undefined} */
const findUrl = dir => {
  const file = readdirSync(dir).find(name => name.endsWith('.ports'));
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(join(dir, file), 'utf8')).nats?.[0];
  } catch {
    // The file is being written.
    return undefined;
  }
};

/**
 * @param {object} options
 * @param {string} options.run
 * @param {string[]} options.hosts  names
 * @param {string} [options.server]  the program, as a file or a name on the PATH; default: `nats-server`
 * @param {string} [options.parentDir]  the folder of its files; default: the system's temporary folder
 * @param {string} [options.syncInterval]  default: `2m`; `always`: each record is on disk before its acknowledgement
 * @returns {Promise<{ url: string, keyFile: (role: string) => string, pid: number, close: () => Promise<void> }>}
 *   `keyFile`: path of the file with the seed of a role's key
 * @throws {UserError} if it does not start
 */
export const startLocalServer = async ({
  run,
  hosts,
  server: program = 'nats-server',
  parentDir = tmpdir(),
  syncInterval = '2m',
}) => {
  // A name without a slash would be looked for on the PATH only.
  const server = existsSync(program) ? resolve(program) : program;
  const { createUser } = await loadNkeys();
  insistServer(server);
  const dir = mkdtempSync(join(parentDir, 'swingset-cluster-'));
  const [portsDir, keysDir] = [join(dir, 'ports'), join(dir, 'keys')];
  mkdirSync(portsDir);
  mkdirSync(keysDir, { mode: 0o700 });
  const keyFile = (/** @type {string} */ role) => join(keysDir, `${role}.nk`);
  /** @type {Record<string, string>} */
  const users = {};
  for (const role of ['leader', 'operator', ...hosts.map(name => `host.${name}`)]) {
    const user = createUser();
    users[role] = user.getPublicKey();
    writeFileSync(keyFile(role), Buffer.from(user.getSeed()), { mode: 0o600 });
  }
  const configFile = join(dir, 'server.conf');
  const storeDir = join(dir, 'jetstream');
  const listen = '127.0.0.1:-1';
  writeFileSync(
    configFile,
    writeServerConfig({ run, users, listen, storeDir, portsDir, syncInterval }),
  );
  const child = startBoundProcess(server, ['-c', configFile, '-l', join(dir, 'server.log')], {
    dir,
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    said = `${said}${text}`.slice(-mostSaid);
  });
  const ended = new Promise(resolve => child.once('close', resolve));
  // A process that exits without closing it leaves no files.
  const kill = () => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  };
  process.once('exit', kill);
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
    rmSync(dir, { recursive: true, force: true });
  };
  for (let waitedMs = 0; waitedMs < startMs; waitedMs += 50) {
    const url = findUrl(portsDir);
    if (url !== undefined) return { url, keyFile, pid: /** @type {number} */ (child.pid), close };
    if (child.exitCode !== null) break;
    await pause(50);
  }
  try {
    said += readFileSync(join(dir, 'server.log'), 'utf8');
  } catch {
    // There is no log yet.
  }
  await close();
  const line = said.trim().split('\n').at(-1) || 'it says nothing';
  throw new UserError(`${server} does not start: ${line}`, { exitCode: 1 });
};
