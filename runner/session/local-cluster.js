// `swingset-runner cluster`: a server, a leader and hosts on this machine. The leader is this
// process; the hosts and the server are its children, and always end with it.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { connectNats } from '#cluster';
import { startLocalServer } from '#cluster/local-servers.js';
import { tell } from '../print.js';
import { leadWith } from './cluster.js';

/** @import { Flags } from '../cli.js' */

const program = fileURLToPath(new URL('../main.js', import.meta.url));

const run = 'local';

/** The time that hosts have to leave when the run is over. */
const leaveMs = 5_000;

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms).unref());

/**
 * @param {string} name
 * @param {Awaited<ReturnType<typeof startLocalServer>>} server
 * @param {number | undefined} threads
 */
const startHost = (name, { url, keyFile }, threads) => {
  const flags = ['--cluster', url, '--run', run, '--name', name, '--nkey', keyFile(`host.${name}`)];
  const child = spawn(
    process.execPath,
    [program, 'host', ...flags, ...(threads === undefined ? [] : ['--threads', String(threads)])],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  child.stderr.setEncoding('utf8').on('data', text => {
    for (const line of text.trimEnd().split('\n')) tell(`${name}: ${line}`);
  });
  const ended = new Promise(resolve => child.once('exit', resolve));
  return {
    async close() {
      await Promise.race([ended, pause(leaveMs)]);
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
    kill: () => child.kill('SIGKILL'),
  };
};

/** @param {Flags} flags */
export const runLocalCluster = async flags => {
  const names = Array.from({ length: flags.hosts }, (_, i) => `host${i + 1}`);
  const server = await startLocalServer({
    ...{ run, hosts: names },
    ...(flags.server !== undefined && { server: flags.server }),
  });
  /** @type {ReturnType<typeof startHost>[]} */
  let hosts = [];
  const killAll = () => {
    for (const host of hosts) host.kill();
    try {
      process.kill(server.pid, 'SIGKILL');
    } catch {
      // The server has already ended.
    }
  };
  process.once('exit', killAll);
  try {
    const { url, keyFile } = server;
    const cluster = await connectNats({ url, run, role: 'leader', nkey: keyFile('leader') });
    try {
      hosts = names.map(name => startHost(name, server, flags.threads));
      const outcome = await leadWith({ ...flags, run, name: 'leader' }, cluster, false);
      if (outcome.kind !== 'finished') for (const host of hosts) host.kill();
    } catch (error) {
      for (const host of hosts) host.kill();
      throw error;
    } finally {
      await Promise.all(hosts.map(host => host.close()));
      await cluster.close();
    }
  } finally {
    await server.close();
    process.off('exit', killAll);
  }
};
