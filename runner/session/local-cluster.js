// `swingset-runner cluster`: a server, a leader and hosts on this machine. The leader is this
// process; the hosts and the server are its children, and always end with it. Ctrl-C at a terminal
// reaches the leader alone, which ends them in order.

import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { connectNats } from '#cluster';
import { startLocalServer } from '#cluster/local-servers.js';
import { startBoundProcess } from '#cluster/bound-process.js';
import { tell } from '../print.js';
import { leadWith, prepareLead, watchStop } from './cluster.js';

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
  const child = startBoundProcess(process.execPath, [
    ...[program, 'host', ...flags],
    ...(threads === undefined ? [] : ['--threads', String(threads)]),
  ]);
  child.stderr?.setEncoding('utf8').on('data', text => {
    for (const line of text.trimEnd().split('\n')) tell(`${name}: ${line}`);
  });
  const ended = new Promise(resolve => child.once('close', resolve));
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
  const prepared = await prepareLead(flags);
  // Watched before the server starts, which a signal must not leave behind.
  const stop = await watchStop();
  try {
    const hostNames = Array.from({ length: flags.hosts }, (_, i) => `host${i + 1}`);
    const server = await startLocalServer({
      ...{ run, hosts: hostNames },
      ...(flags.server !== undefined && { server: flags.server }),
    });
    try {
      await leadLocally(flags, { prepared, hostNames, server, stop });
    } finally {
      await server.close();
    }
  } finally {
    stop.close();
  }
};

/**
 * @param {Flags} flags
 * @param {object} parts
 * @param {Awaited<ReturnType<typeof prepareLead>>} parts.prepared
 * @param {string[]} parts.hostNames
 * @param {Awaited<ReturnType<typeof startLocalServer>>} parts.server
 * @param {Awaited<ReturnType<typeof watchStop>>} parts.stop
 */
const leadLocally = async (flags, { prepared, hostNames, server, stop }) => {
  const { url, keyFile } = server;
  const cluster = await connectNats({ url, run, role: 'leader', nkey: keyFile('leader') });
  const hosts = hostNames.map(name => startHost(name, server, flags.threads));
  const killHosts = () => {
    for (const host of hosts) host.kill();
  };
  try {
    const leaderFlags = { ...flags, run, name: 'leader' };
    const outcome = await leadWith(leaderFlags, cluster, { prepared, stop, isKept: false });
    if (outcome.kind !== 'finished') killHosts();
  } catch (error) {
    killHosts();
    throw error;
  } finally {
    await Promise.all(hosts.map(host => host.close()));
    await cluster.close();
  }
};
