// Mistakes with servers and users are one clear line each, nothing half-started left behind, and the run goes on when the cause is
// gone. No server, none with JetStream and wrong credentials are in permissions.test.js and secure-servers.test.js.

import { readdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import test from 'ava';
import { makeMemoryStore } from '#store';
import { UserError } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { connectNats } from '../index.js';
import { startLocalServer } from '../local-servers.js';
import { namesOf } from '../names.js';
import { permissionsOf } from '../permissions.js';
import { configOf, hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';
import { startServer, testWithServer } from './servers.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { NatsOptions } from '../nats-connection.js' */
/** @import { Role } from '../permissions.js' */

const names = namesOf(run);

/** @param {ExecutionContext} t @param {NatsOptions} options */
const connect = async (t, options) => {
  const cluster = await connectNats(options);
  t.teardown(() => cluster.close());
  return cluster;
};

/**
 * A server that says its version, and nothing else.
 *
 * @param {ExecutionContext} t
 * @param {{ version?: string, payload?: number }} says
 */
const startFakeServer = async (t, { version = '2.15.2', payload = 1_048_576 }) => {
  const info = { server_id: 'X', version, proto: 1, max_payload: payload, headers: true };
  const server = net.createServer(socket => {
    socket.write(`INFO ${JSON.stringify({ ...info, jetstream: true })}\r\n`);
    socket.on('data', data => {
      if (/PING/.test(String(data))) socket.write('PONG\r\n');
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `nats://127.0.0.1:${/** @type {net.AddressInfo} */ (server.address()).port}`;
};

test('a too old server gives an error of one line, for each role', async t => {
  for (const version of ['2.9.10', '2.10.29', '1.4.1']) {
    const url = await startFakeServer(t, { version });
    for (const role of /** @type {Role[]} */ (['leader', 'operator', 'host.h1']))
      await t.throwsAsync(connectNats({ url, run, role }), {
        instanceOf: UserError,
        message: `${url} is nats-server ${version}; version 2.11 or later is needed`,
      });
  }
});

test('a server that takes short messages only is refused in one line, for each role', async t => {
  for (const payload of [1, 512, 640, 16_383]) {
    const url = await startFakeServer(t, { payload });
    for (const role of /** @type {Role[]} */ (['leader', 'operator', 'host.h1']))
      await t.throwsAsync(connectNats({ url, run, role }), {
        instanceOf: UserError,
        message: `${url} takes messages of at most ${payload} bytes; set max_payload to 16384 or more in its configuration (its default is 1MB)`,
      });
  }
});

test('a program that is too old, or does not start, is refused in one line', async t => {
  const directory = temporaryDirectory(t, 'program');
  /** @param {string} version @param {string} then  what it does as a server */
  const start = (version, then) => {
    const server = path.join(directory, `nats-server-${version}`);
    const answer = `[ "$1" = --version ] && { echo "nats-server: v${version}"; exit 0; }`;
    writeFileSync(server, `#!/bin/sh\n${answer}\n${then}\n`, { mode: 0o755 });
    return t.throwsAsync(startLocalServer({ run, hosts: [], server, parentDir: directory }), {
      instanceOf: UserError,
    });
  };
  const old = await start('2.9.10', 'exit 1');
  t.regex(old.message, /nats-server-2\.9\.10 is nats-server 2\.9\.10; version 2\.11 or later is/);
  t.is(/** @type {any} */ (old).exitCode, 2);
  const broken = await start('2.15.2', 'echo "unknown field" >&2; exit 1');
  t.regex(broken.message, /nats-server-2\.15\.2 does not start: unknown field$/);
  t.deepEqual(
    readdirSync(directory).filter(name => name.startsWith('swingset-cluster-')),
    [],
  );
});

/**
 * A server with a user for each role, who may do less than the role needs.
 *
 * @param {ExecutionContext} t
 * @param {Partial<Record<Role, string[]>>} without  subjects that a role may not publish or subscribe to
 */
const startWithUsers = async (t, without) => {
  const users = /** @type {Role[]} */ (['leader', 'operator', 'host.h1']).map(role => {
    const { publish, subscribe, answers } = permissionsOf(run, role);
    // An empty list would allow everything.
    const left = (/** @type {string[]} */ subjects) =>
      JSON.stringify(['nothing', ...subjects.filter(each => !without[role]?.includes(each))]);
    return `{ user: "${role}", password: secret, permissions: { publish: { allow: ${left(publish)} }, subscribe: { allow: ${left(subscribe)} }${answers ? ', allow_responses: true' : ''} } }`;
  });
  const directory = temporaryDirectory(t, 'users');
  const file = path.join(directory, 'server.conf');
  writeFileSync(file, `authorization { users: [\n${users.join('\n')}\n] }\n`);
  const { port } = await startServer(t, { directory, flags: ['-js', '-c', file] });
  return (/** @type {Role} */ role) =>
    connect(t, { url: `nats://${role}:secret@127.0.0.1:${port}`, run, role });
};

testWithServer(
  'a host without permission to send or receive gets an error of one line',
  async (/** @type {ExecutionContext} */ t) => {
    for (const [subject, does] of [
      [names.fromHost('h1'), 'publish to'],
      [names.toHost('h1'), 'subscribe to'],
      [names.leader, 'subscribe to'],
    ]) {
      const connectAs = await startWithUsers(t, { 'host.h1': [subject] });
      const patient = { patienceMs: 20_000 };
      await t.throwsAsync(startHost(await connectAs('host.h1'), 'h1', patient), {
        instanceOf: UserError,
        message: new RegExp(
          `^the user of nats://[^ ]* may not ${does} "${subject}", which is needed to take part in run tested; give it the permissions of this role`,
        ),
      });
    }
  },
);

testWithServer(
  'a leader without permission to reach hosts reports it in one line, and continues once it may',
  async (/** @type {ExecutionContext} */ t) => {
    for (const [subject, does] of [
      [names.fromHosts, 'subscribe to'],
      [`swingset.${run}.to.*`, 'publish to'],
    ]) {
      const connectAs = await startWithUsers(t, { leader: [subject] });
      let isOver = false;
      const hosting = startHost(await connectAs('host.h1'), 'h1', { shouldStop: () => isOver });
      const others = { rounds: 1 };
      await t.throwsAsync(
        startLeader(await connectAs('leader'), { demo: 'pingpong', hosts: 1, others }),
        { instanceOf: UserError, message: new RegExp(`may not ${does} "[^"]+", which is needed`) },
      );
      isOver = true;
      await hosting;
    }
  },
);

testWithServer(
  'a full server stops the run with one line, and the run continues once there is room',
  async (/** @type {ExecutionContext} */ t) => {
    const directory = temporaryDirectory(t, 'full');
    const file = path.join(directory, 'server.conf');
    const startWith = async (/** @type {string} */ room) => {
      writeFileSync(file, `jetstream: { max_file_store: ${room} }\n`);
      return startServer(t, { directory, flags: ['-js', '-c', file] });
    };
    const small = await startWith('120000');
    const rounds = 60;
    const others = { rounds, patienceMs: 60_000 };
    const leading = startLeader(await connect(t, { url: small.url, run, role: 'leader' }), {
      ...{ demo: 'pingpong', others: { ...others, blockSize: 3 } },
    });
    await t.throwsAsync(leading, {
      instanceOf: UserError,
      message:
        /^nats:\S+ has no room left to (write to the log|keep a blob|make the log|keep blobs) \(.*\); free space there, then the same command goes on with the run$/,
    });
    await small.end('SIGTERM');
    const large = await startWith('1GB');
    const outcome = await startLeader(await connect(t, { url: large.url, run, role: 'leader' }), {
      ...{ demo: 'pingpong', others },
    });
    t.is(outcome.activity, await hashOfPlainRun('pingpong', rounds));
  },
);

testWithServer(
  'a run of another config, version, profile or length is refused in one line, and nothing is written',
  async (/** @type {ExecutionContext} */ t) => {
    const { url } = await startServer(t);
    const connectLeader = () => connect(t, { url, run, role: 'leader' });
    let blocks = 0;
    const others = {
      ...{ rounds: 10, leaseMs: 600 },
      shouldStop: () => {
        blocks += 1;
        return blocks > 8;
      },
    };
    const outcome = await startLeader(await connectLeader(), { demo: 'pingpong', others });
    t.is(outcome.kind, 'stopped');
    const log = await (await connectLeader()).findLog();
    const last = await log?.last();
    const config = configOf('exchange');
    for (const [change, message] of /** @type {const} */ ([
      [{ config }, /^run tested was begun with another config: .*; give the same one, or choose/],
      [{ version: '9.9.9' }, /^this leader has version 9\.9\.9 of the package, run tested was/],
      [{ simulation: { profile: '2020-09' } }, /^the state was made with --profile current, not/],
      [{ rounds: 0 }, /^the state has done \d+ rounds already, more than --benchmark 0; the/],
    ]))
      await t.throwsAsync(
        startLeader(await connectLeader(), {
          ...{ demo: 'pingpong', others: { ...change, local: makeMemoryStore() } },
        }),
        { instanceOf: UserError, message },
      );
    t.is(await log?.last(), last);
    const going = await startLeader(await connectLeader(), { demo: 'pingpong' });
    t.is(going.activity, await hashOfPlainRun('pingpong', 10));
  },
);

testWithServer(
  'a removed stream and a blob with a missing part are reported as damage',
  async (/** @type {ExecutionContext} */ t) => {
    const { url } = await startServer(t);
    const cluster = await connect(t, { url, run, role: 'leader' });
    const log = await cluster.provideLog();
    t.is(await log.append(Uint8Array.of(1), 0), 1);
    const blob = await cluster.putBlob(new Uint8Array(400_000).fill(7));
    const { connect: connectClient } = await import('@nats-io/transport-node');
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const connection = await connectClient({ servers: url });
    t.teardown(() => connection.close());
    const jsm = await jetstreamManager(connection);
    // The first part of the blob.
    t.true(await jsm.streams.deleteMessage(`OBJ_${names.bucket}`, 1));
    t.is((await cluster.getBlob(blob, 400_000))?.length, 0);
    t.true(await jsm.streams.delete(names.stream));
    t.is(await log.last(), 0);
    t.is(await log.get(1), undefined);
    t.is(await cluster.findLog(), undefined);
  },
);
