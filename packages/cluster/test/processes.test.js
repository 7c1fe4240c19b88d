// Whole processes over a nats-server: killed, paused, and begun again. The result is that of one process. More, with the seeds that
// they begin with: CLUSTER_FAULTS=1000 CLUSTER_FAULTS_SEED=7 npx ava packages/cluster/test/processes.test.js --timeout=10h

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { configOf, configOfVirtual, hashOfPlainRun, virtualVats } from './run-cluster.js';
import { findPort, serverFile, startServer, testWithServer } from './servers.js';

/** @import { ExecutionContext } from 'ava' */

const root = path.join(import.meta.dirname, '..', '..', '..');
const main = path.join(root, 'runner', 'main.js');

const many = Number(process.env.CLUSTER_FAULTS ?? 4);
const firstSeed = Number(process.env.CLUSTER_FAULTS_SEED ?? 1);

/** The programs, by turns: PingPong, and one with virtual and durable data, upgrades and a device. */
const programs = [
  { given: ['demos/pingpong'], config: configOf('pingpong'), rounds: 150, argv: [] },
  { given: [virtualVats], config: configOfVirtual(1), rounds: 20, argv: ['--', '1'] },
];

/**
 * A process of the command line, ended with the test.
 *
 * @param {ExecutionContext} t
 * @param {string[]} given
 * @param {object} [options]
 * @param {string[]} [options.node]  flags of Node
 * @param {boolean} [options.detached]  in a process group of its own
 */
const start = (t, given, { node = [], detached = false } = {}) => {
  const child = spawn(process.execPath, [...node, main, ...given], {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], detached },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', part => {
      text += part;
    });
  // Not at its exit, at which what it has written may still be in the pipe.
  const ended = new Promise(resolve =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  t.teardown(() => {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    return ended;
  });
  return {
    child,
    ended,
    text: () => text,
    /** @param {RegExp} pattern */
    async says(pattern) {
      while (!pattern.test(text)) {
        if (child.exitCode !== null || child.signalCode !== null) throw Error(`it ended: ${text}`);
        await pause(20);
      }
    },
  };
};

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/**
 * The directory of the server that a process has started, which its command and those of its hosts name; `isThere` while
 * one of them runs.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
const findServer = ({ pid }) => {
  const list = () => String(spawnSync('ps', ['-eo', 'ppid=,args=']).stdout).split('\n');
  const own = list().find(line => line.trim().startsWith(`${pid} `) && line.includes(' -c '));
  const directory = /\S+swingset-cluster-\w+/.exec(own ?? '')?.[0];
  if (directory === undefined) throw Error(`no server of ${pid} in ${list().join('\n')}`);
  return { directory, isThere: () => list().some(line => line.includes(directory)) };
};

/** @param {import('node:child_process').ChildProcess} child */
const processorSecondsOf = ({ pid }) =>
  Number(spawnSync('ps', ['-o', 'cputimes=', '-p', String(pid)]).stdout);

/** @type {Promise<never>} */
const never = new Promise(() => {});

const hashLine = /activity hash: ([0-9a-f]{64})/;

const clockModule = path.join(import.meta.dirname, 'clock-set-back.js');

/** The faults. @typedef {{ who: 'leader' | 'host' | 'server' | 'clock' | 'leaders', how: 'killed' | 'paused' | 'set back' | 'two' }} Fault */

/** @type {Fault[]} */
const faults = [
  { who: 'leader', how: 'paused' },
  { who: 'host', how: 'killed' },
  { who: 'server', how: 'paused' },
  { who: 'leader', how: 'killed' },
  { who: 'clock', how: 'set back' },
  { who: 'host', how: 'paused' },
  { who: 'server', how: 'killed' },
  { who: 'leaders', how: 'two' },
];

/** Describes a fault, for a title. @param {Fault} fault */
const describe = ({ who, how }) => {
  if (who === 'leaders') return 'that two leaders begin at once';
  if (who === 'clock') return 'while the clocks on the wall of all but the server are set back';
  return `of which a ${who} is ${how}`;
};

for (let seed = firstSeed; seed < firstSeed + many; seed += 1) {
  const fault = faults[seed % faults.length];
  const { who, how } = fault;
  // Each fault meets both programs.
  const turn = (seed + Math.floor(seed / faults.length)) % programs.length;
  const { given, config, rounds, argv } = programs[turn];
  testWithServer.serial(
    `a run of ${path.basename(given[0])} ${describe(fault)} ends as one of a single process (seed ${seed})`,
    async (/** @type {ExecutionContext} */ t) => {
      const port = await findPort();
      const server = await startServer(t, { port });
      const { directory } = server;
      const run = ['--cluster', server.url, '--run', 'faults'];
      const node = who === 'clock' ? ['--import', clockModule] : [];
      const leading = (/** @type {string} */ name) => [
        ...['lead', ...given, ...run, '--hosts', '1', '--lease', '1s'],
        ...['--benchmark', String(rounds), '--name', name],
      ];
      const startHost = (/** @type {string} */ name) =>
        start(t, ['host', ...run, '--name', name, '--threads', '1'], { node });
      const leader = start(t, [...leading('first'), ...argv], { node });
      const rival = who === 'leaders' ? start(t, [...leading('rival'), ...argv]) : undefined;
      const hosts = ['h1', 'h2'].map(startHost);
      await Promise.any([leader, rival].map(each => each?.says(/host h\d has joined/) ?? never));
      const standby = start(t, [...leading('second'), '--standby', ...argv], { node });
      // On a busy machine the run may be over before.
      await standby.says(/following run faults|run faults has ended/);
      await pause((seed * 137) % 700);
      const victim = { leader: leader.child, host: hosts[0].child, server: server.child }[
        /** @type {string} */ (who)
      ];
      victim?.kill(how === 'paused' ? 'SIGSTOP' : 'SIGKILL');
      await pause(who === 'server' ? 500 : 2_500);
      if (how === 'paused') victim?.kill('SIGCONT');
      else if (who === 'server') await startServer(t, { port, directory });
      if (who === 'host') hosts.push(startHost('h3'));
      // A standby that took over, or a leader that lost its lease, has said so in its output.
      const outcome = await standby.ended;
      t.is(outcome, 0, `${standby.text()}\n--- leader ---\n${leader.text()}`);
      t.is(hashLine.exec(standby.text())?.[1], await hashOfPlainRun(config, rounds));
      if (who === 'leader' && how === 'paused') {
        t.is(await leader.ended, /leads? with epoch|is led by second/.test(leader.text()) ? 1 : 0);
      }
      if (rival !== undefined)
        for (const each of [leader, rival])
          if ((await each.ended) !== 0)
            t.regex(each.text(), /has a leader already, with epoch|is led by/);
    },
  );
}

testWithServer(
  'one command starts server, leader and hosts, and ends them',
  async (/** @type {ExecutionContext} */ t) => {
    const { ended, text } = start(t, [
      ...['cluster', 'demos/pingpong', '--hosts', '2', '--benchmark', '5'],
      ...['--server', /** @type {string} */ (serverFile)],
    ]);
    t.is(await ended, 0, text());
    t.is(hashLine.exec(text())?.[1], await hashOfPlainRun('pingpong', 5));
    t.regex(text(), /^host host1: \d+ threads?, \d+ vats?, \d+ cranks in \d+ batches/m);
    t.regex(text(), /^host2: run local is over$/m);
  },
);

testWithServer(
  'Ctrl-C ends one command that has started server, leader and hosts in order, and all of them',
  async (/** @type {ExecutionContext} */ t) => {
    const { child, ended, says, text } = start(
      t,
      [
        ...['cluster', 'demos/pingpong', '--hosts', '2', '--benchmark', '1000000'],
        ...['--server', /** @type {string} */ (serverFile)],
      ],
      { detached: true },
    );
    await says(/host host2 has joined/);
    const { isThere } = findServer(child);
    // A terminal sends the signal to each process of the group.
    process.kill(-(/** @type {number} */ (child.pid)), 'SIGINT');
    t.is(await ended, 1, text());
    t.regex(text(), /^stopped; its log goes with its server/m);
    t.notRegex(text(), /host\d: stopping|does not acknowledge|is gone/);
    t.false(isThere());
  },
);

for (const signal of /** @type {const} */ (['SIGHUP', 'SIGKILL']))
  testWithServer(
    `server, its directory and hosts end with their leader that ${signal} ends`,
    async (/** @type {ExecutionContext} */ t) => {
      const { child, ended, says, text } = start(t, [
        ...['cluster', 'demos/pingpong', '--hosts', '2', '--benchmark', '1000000'],
        ...['--server', /** @type {string} */ (serverFile)],
      ]);
      await says(/host host2 has joined/);
      const { directory, isThere } = findServer(child);
      child.kill(signal);
      t.is(await ended, signal, text());
      while (isThere() || existsSync(directory)) await pause(20);
      t.pass();
    },
  );

testWithServer(
  'a leader shows what its own vat prints before a crank that never ends; Ctrl-C ends it, and the line names the vat',
  async (/** @type {ExecutionContext} */ t) => {
    const server = await startServer(t);
    const folder = temporaryDirectory(t);
    writeFileSync(
      path.join(folder, 'bootstrap.js'),
      `import { Far } from '@endo/far';
       export const buildRootObject = () => Far('root', { bootstrap() { console.log('it begins'); for (;;); } });`,
    );
    const { child, ended, says, text } = start(t, [
      ...['lead', folder, '--cluster', server.url, '--run', 'busy', '--hosts', '0'],
      ...['--blocksize', '1', '--verbose'],
    ]);
    await says(/leading run busy/);
    await says(/^vat bootstrap: it begins$/m);
    // It works for less than a second before that crank.
    while (processorSecondsOf(child) < 3) await pause(100);
    child.kill('SIGINT');
    await ended;
    t.is(child.exitCode, 130, text());
    t.regex(text(), /ended by SIGINT in a crank of vat bootstrap, bootstrap\(\), /);
  },
);

testWithServer(
  'an invalid command line gives an error of one line and exit code 2',
  async (/** @type {ExecutionContext} */ t) => {
    const { url } = await startServer(t);
    for (const [given, expected] of /** @type {[string[], RegExp][]} */ ([
      [
        ['status', '--cluster', url, '--run', 'none'],
        /^there is no run none at nats:.*; begin it with swingset-runner lead\n$/,
      ],
      [['status', '--cluster', url, '--run', 'a.b'], /^"a\.b" is no name of a run; give one of /],
      [
        ['host', '--cluster', 'nats://127.0.0.1:1', '--run', 'r'],
        /^no NATS server answers at nats:\/\/127\.0\.0\.1:1; start one/,
      ],
      [
        ['lead', 'demos/pingpong', '--cluster', url, '--run', 'r', '--twins', '2'],
        /^--twins 2 needs as many hosts; give --hosts 2 or more\n$/,
      ],
      [
        [
          ...['lead', 'demos/pingpong', '--cluster', url, '--run', 'r', '--hosts', '0'],
          ...['--host-patience', '5s'],
        ],
        /^--host-patience needs hosts; give --hosts 1 or more\n$/,
      ],
      [
        ['cluster', 'demos/pingpong', '--host-patience', '5'],
        /^--host-patience must be a duration like "10 s" or "1.5h", at least 1s, at most 104 days, got "5"\n$/,
      ],
      [
        ['cluster', 'demos/pingpong', '--server', '/nowhere/nats-server'],
        /^\/nowhere\/nats-server does not run \(.*\); install nats-server/,
      ],
      [
        ['cluster', 'demos/pingpong', '--server', 'package.json'],
        /^\/.*\/package\.json does not run \(.*EACCES\); install nats-server/,
      ],
      [
        ['cluster', 'demos/pingpong', '--server', process.execPath],
        /^\/.*node does not run \(it is no nats-server\); install nats-server/,
      ],
      [
        ['cluster', 'demos/pingpong', '--hosts', '65'],
        /^--hosts must be a whole number from 1 to 64, got 65\n$/,
      ],
      [
        ['lead', 'demos/pingpong', '--cluster', url, '--run', 'r', '--hosts', '1001'],
        /^--hosts must be a whole number from 0 to 1000, got 1001\n$/,
      ],
      // Before a server is started, or looked for.
      [
        ['cluster', 'demos/nosuch', '--server', '/nowhere/nats-server'],
        /^no directory "demos\/nosuch"; /,
      ],
      [
        ['cluster', 'demos/pingpong', '--lease', '1ms', '--server', '/nowhere/nats-server'],
        /^--lease must be 200 ms at least, got 1 ms\n$/,
      ],
      [
        ['status', '--cluster', url, '--run', 'r', '--serve', '70000'],
        /^--serve must be a whole number from 0 to 65535, got 70000\n$/,
      ],
      [
        ['move', 'alice', '--cluster', url, '--run', 'r'],
        /^move needs a vat and a host: move VAT HOST --cluster URL --run NAME\n$/,
      ],
      [
        ['move', 'alice', 'h1', 'h2', '--cluster', url, '--run', 'r'],
        /^move takes a vat and a host, and "h2" is one more\n$/,
      ],
    ])) {
      const { ended, text } = start(t, given);
      t.is(await ended, 2, text());
      t.regex(text().replace(/^swingset-runner: /, ''), expected);
    }
  },
);
