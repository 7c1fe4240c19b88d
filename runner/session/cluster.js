// Runs the commands of a run over several machines: turns flags into a connection and a role, and
// reports the end of the run.

import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { writeFileSync } from 'node:fs';
import { connectNats, insistName } from '#cluster';
import { loadConfig, defaultCacheDir, loadSignalWatch, makeVatOutput } from '#host/session.js';
import { countOf, UserError } from '#model';
import { demosDir } from '../demos-dir.js';
import { makeOutput } from '../output.js';
import { tell } from '../print.js';
import { formatReport } from './report-text.js';
import { signalExitCodes } from './signal-codes.js';
import { makeStuckEnd } from './stuck-end.js';

/** @import { Cluster } from '#cluster' */
/** @import { Flags } from '../cli.js' */
/** @import { EndSignal } from './signal-codes.js' */
/** @import { AtWork } from './stuck-end.js' */

const nsPerMs = 1_000_000;

/** A shorter lease would expire during any pause of a process. */
const shortestLeaseMs = 200;

const findVersion = () => createRequire(import.meta.url)('../../package.json').version;

/** The name of this machine, in a form for subjects of NATS. */
const machineName = () =>
  hostname()
    .replace(/[^A-Za-z0-9_-]/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 48) || 'machine';

/** @param {Flags} flags @param {'leader' | 'operator' | `host.${string}`} role */
const connect = (flags, role) =>
  connectNats({
    ...{ url: flags.cluster, run: insistName(flags.run, 'run'), role },
    ...(flags.creds !== undefined && { creds: flags.creds }),
    ...(flags.nkey !== undefined && { nkey: flags.nkey }),
    ...(flags['tls-ca'] !== undefined && { tlsCa: flags['tls-ca'] }),
    ...(flags['tls-cert'] !== undefined && { tlsCert: flags['tls-cert'] }),
    ...(flags['tls-key'] !== undefined && { tlsKey: flags['tls-key'] }),
    ...(flags.replicas !== undefined && { replicas: flags.replicas, tell }),
  });

/**
 * The first signal asks for a stop, a second one ends the process. It ends, too, if a vat on its
 * thread never ends its crank and signals can be watched during one (packages/native/watch-signals.js).
 */
export const watchStop = async () => {
  const watchSignals = await loadSignalWatch();
  let isStopped = false;
  let answer = () => {};
  let unwatch = () => {};
  let restMs = performance.now();
  const stop = (/** @type {EndSignal} */ signal) => {
    answer();
    if (isStopped) process.exit(signalExitCodes[signal]);
    isStopped = true;
    tell('stopping; a second time ends at once');
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    shouldStop: () => {
      restMs = performance.now();
      return isStopped;
    },
    /** @param {{ atWork: () => AtWork, workBytes: Uint8Array }} simulation  runs on this thread from now on */
    watch({ atWork, workBytes }) {
      unwatch();
      const endStuck = makeStuckEnd({ findWork: atWork });
      const watched = watchSignals(
        (number, unanswered) => endStuck(number, unanswered, performance.now() - restMs),
        workBytes,
      );
      if (watched.reason === undefined) ({ answer, close: unwatch } = watched);
    },
    close: () => {
      unwatch();
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
};

/** @param {Flags} flags */
const readLease = ({ lease }) => {
  const leaseMs = Math.round(lease / nsPerMs);
  if (leaseMs >= shortestLeaseMs) return leaseMs;
  throw new UserError(`--lease must be ${shortestLeaseMs} ms at least, got ${leaseMs} ms`);
};

/** @param {string | undefined} dir */
const openLocal = async dir => {
  const { makeMemoryStore, openLmdbStore } = await import('#host');
  if (dir === undefined) return makeMemoryStore();
  const { existsSync } = await import('node:fs');
  const { isBrokenCopy } = await import('#cluster/follower.js');
  const isThere = existsSync(dir);
  const store = openLmdbStore({ dir, durability: 'none', create: !isThere });
  if (!isBrokenCopy(store)) return store;
  await store.close();
  throw new UserError(
    `${dir} does not hold a whole copy of a cluster's run; name an empty directory with --dbdir`,
  );
};

/**
 * Check the flags of a leader and load its config, before it connects or a server is started for it.
 *
 * @param {Flags} flags  of `lead`
 */
export const prepareLead = async flags => {
  const { mostHosts } = await import('#cluster/host-list.js');
  const { hosts, twins } = flags;
  const leaseMs = readLease(flags);
  if (hosts > mostHosts)
    throw new UserError(`--hosts must be a whole number from 0 to ${mostHosts}, got ${hosts}`);
  if (hosts > 0 && twins > hosts)
    throw new UserError(`--twins ${twins} needs as many hosts; give --hosts ${twins} or more`);
  if (hosts === 0 && twins > 1) throw new UserError('--twins needs hosts; give --hosts 2 or more');
  if (hosts === 0 && flags['host-patience'] !== undefined)
    throw new UserError('--host-patience needs hosts; give --hosts 1 or more');
  const argv = flags['--']?.map(String);
  const config = loadConfig({
    ...(flags.basedir !== undefined && { baseDir: flags.basedir }),
    ...(flags.config !== undefined && { configFile: flags.config }),
    ...(argv !== undefined && { argv }),
    demosDir,
  });
  for (const notice of config.notices) tell(notice);
  return { config, argv, leaseMs };
};

/**
 * Lead a run to its end, and report the result.
 *
 * @param {Flags} flags  of `lead`
 * @param {Cluster} cluster
 * @param {object} options
 * @param {Awaited<ReturnType<typeof prepareLead>>} options.prepared
 * @param {Awaited<ReturnType<typeof watchStop>>} options.stop
 * @param {boolean} [options.isKept]  whether the log outlives the command
 */
export const leadWith = async (flags, cluster, { prepared, stop, isKept = true }) => {
  const { lead } = await import('#cluster/lead.js');
  const { makeLeaderService } = await import('#cluster/leader-service.js');
  const { describeHost } = await import('#cluster/status.js');
  const { run, standby = false, verbose = false, hosts, twins, dbdir } = flags;
  const hostPatience = flags['host-patience'];
  const { config, argv, leaseMs } = prepared;
  const leader = insistName(flags.name ?? machineName(), 'leader');
  const vatOutput = makeVatOutput({
    ...{ hasStacks: verbose, onError: text => tell(text) },
    // At once: a crank may never end.
    ...(verbose && { onPrint: text => tell(text) }),
  });
  const outcome = await lead({
    ...{ cluster, run, leader, config, leaseMs, tell, argv, version: findVersion() },
    ...{ local: await openLocal(dbdir), isLocalKept: dbdir !== undefined },
    ...{ isStandby: standby, blockSize: flags.blocksize, shouldStop: stop.shouldStop },
    ...(flags.benchmark !== undefined && { rounds: flags.benchmark }),
    simulation: {
      observer: vatOutput.observer,
      cacheDir: config.bundleCachePath ?? defaultCacheDir(),
      ...(flags.profile !== undefined && { profile: flags.profile }),
    },
    onSimulation: stop.watch,
    serve: parts =>
      makeLeaderService(
        {
          ...{ cluster, leader, hosts, twins, tell },
          ...(hostPatience !== undefined && { hostPatienceMs: hostPatience / nsPerMs }),
        },
        parts,
      ),
  });
  const { kind, activity, cranks, report, hosts: figures = [] } = outcome;
  const text = [
    ...(report === undefined ? [] : [formatReport(report)]),
    ...figures.map(describeHost),
    ...(kind === 'ended'
      ? [`run ${run} has ended: ${countOf(cranks, 'crank')}, activity hash: ${activity}`]
      : []),
  ];
  makeOutput(flags).give(
    { outcome: kind, cranks, activityHash: activity, report, hosts: figures },
    text.map(line => `${line}\n`).join(''),
  );
  if (kind === 'stopped') {
    tell(
      isKept
        ? 'stopped; everything up to here is in the log, and the same command goes on'
        : 'stopped; its log goes with its server, so the same command begins anew',
    );
    process.exitCode = 1;
  }
  return outcome;
};

/** @param {Flags} flags */
export const leadRun = async flags => {
  const prepared = await prepareLead(flags);
  const cluster = await connect(flags, 'leader');
  const stop = await watchStop();
  try {
    await leadWith(flags, cluster, { prepared, stop });
  } finally {
    stop.close();
    await cluster.close();
  }
};

/** Whether the host may read the log; a host with a user of its own may not. @param {Flags} flags */
const mayRead = ({ creds, nkey, cluster, 'tls-cert': cert }) =>
  creds === undefined && nkey === undefined && cert === undefined && !cluster.includes('@');

/** @param {Flags} flags @returns {Promise<boolean>} whether the log says that the run has ended */
const hasEndedAt = async flags => {
  const { hasEnded } = await import('#cluster/status.js');
  const cluster = await connect(flags, 'operator');
  try {
    return await hasEnded(cluster, flags.run);
  } finally {
    await cluster.close();
  }
};

/** @param {Flags} flags */
export const hostRun = async flags => {
  const { host } = await import('#cluster/host.js');
  const name = insistName(flags.name ?? machineName(), 'host');
  const cluster = await connect(flags, `host.${name}`);
  const stop = await watchStop();
  try {
    const outcome = await host({
      ...{ cluster, run: flags.run, name, version: findVersion(), tell },
      ...(mayRead(flags) && { hasEnded: () => hasEndedAt(flags) }),
      ...(flags.patience !== undefined && { patienceMs: flags.patience / nsPerMs }),
      ...{ shouldStop: stop.shouldStop, cacheDir: defaultCacheDir() },
      ...(flags.threads !== undefined && { threads: flags.threads }),
    });
    const output = makeOutput(flags);
    if (output.isJson) output.give({ outcome }, '');
    output.note(outcome === 'over' ? `run ${flags.run} is over` : 'stopped');
  } finally {
    stop.close();
    await cluster.close();
  }
};

/** @param {Flags} flags */
export const showStatus = async flags => {
  const { askStatus, formatStatus, formatStatusPage } = await import('#cluster/status.js');
  const cluster = await connect(flags, 'operator');
  try {
    if (flags.serve !== undefined) {
      await servePage(flags, () => askStatus(cluster, flags.run), formatStatusPage);
      return;
    }
    const status = await askStatus(cluster, flags.run);
    if (flags.page !== undefined) writePage(flags.page, formatStatusPage(status));
    if (flags.json || flags.page === undefined)
      makeOutput(flags).give(status, formatStatus(status));
  } finally {
    await cluster.close();
  }
};

/**
 * Serve the page until a signal comes.
 *
 * @param {Flags} flags
 * @param {() => Promise<import('#cluster/status.js').Status>} ask
 * @param {(status: import('#cluster/status.js').Status) => string} format
 */
const servePage = async ({ serve, run, page }, ask, format) => {
  if (page !== undefined) throw new UserError('--serve and --page exclude each other');
  const { serveStatus } = await import('./status-server.js');
  const server = await serveStatus({ port: serve, ask, format });
  tell(`the status of run ${run} is at ${server.url}, until Ctrl-C`);
  await new Promise(resolve => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
};

/** @param {string} file @param {string} text */
const writePage = (file, text) => {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(
      `--page ${file} cannot be written: ${/** @type {Error} */ (error).message}`,
      {
        exitCode: 1,
        cause: error,
      },
    );
  }
};

/** @param {Flags} flags */
export const moveVat = async flags => {
  const { askMove } = await import('#cluster/status.js');
  const cluster = await connect(flags, 'operator');
  try {
    const answer = await askMove(cluster, flags.run, flags.vat, flags.host);
    makeOutput(flags).give({ answer }, `${answer}\n`);
  } finally {
    await cluster.close();
  }
};
