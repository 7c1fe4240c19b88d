// Runs over servers as they are set up in earnest: with TLS, with credentials of an account, and three of them with a copy of the
// log each, of which one is lost.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { connectNats } from '../index.js';
import { permissionsOf } from '../permissions.js';
import { makeAccount, makeCertificates } from './certificates.js';
import { hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';
import { findPort, startServer, testWithServer } from './servers.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { NatsOptions } from '../nats-connection.js' */

/** @param {ExecutionContext} t @param {NatsOptions} options */
const connect = async (t, options) => {
  const cluster = await connectNats(options);
  t.teardown(() => cluster.close());
  return cluster;
};

/** A server with a configuration of its own. @param {ExecutionContext} t @param {string} directory @param {string[]} lines */
const startWith = (t, directory, lines) => {
  const file = path.join(directory, 'server.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return startServer(t, { directory, flags: ['-js', '-c', file] });
};

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

(hasOpenssl ? testWithServer : test.skip)(
  'a run goes over TLS with certificates of both sides, and not without them',
  async (/** @type {ExecutionContext} */ t) => {
    const directory = temporaryDirectory(t, 'tls');
    const { ca, otherCa, serverCert, serverKey, cert, key } = makeCertificates(directory);
    const { port } = await startWith(t, directory, [
      'tls {',
      `  cert_file: ${JSON.stringify(serverCert)}`,
      `  key_file: ${JSON.stringify(serverKey)}`,
      `  ca_file: ${JSON.stringify(ca)}`,
      '  verify: true',
      '}',
    ]);
    const url = `tls://127.0.0.1:${port}`;
    const own = { url, run, tlsCa: ca, tlsCert: cert, tlsKey: key };
    const hosting = startHost(await connect(t, { ...own, role: 'host.h1' }), 'h1');
    const leader = await connect(t, { ...own, role: 'leader' });
    const others = { rounds: 3 };
    const { activity } = await startLeader(leader, { demo: 'pingpong', hosts: 1, others });
    t.is(activity, await hashOfPlainRun('pingpong', 3));
    t.is(await hosting, 'over');

    for (const wrong of [
      { url, run },
      { ...own, tlsCa: otherCa },
    ])
      await t.throwsAsync(connectNats({ ...wrong, role: 'leader' }), {
        message: /^nats:\/\/127\.0\.0\.1:\d+ cannot be spoken to over TLS: .*--tls-ca/,
      });
    await t.throwsAsync(connectNats({ url, run, tlsCa: ca, role: 'leader' }), {
      instanceOf: UserError,
      message:
        /^nats:\/\/127\.0\.0\.1:\d+ did not answer over TLS in time; if it asks for a certificate, give one that its authority has signed, with --tls-cert and --tls-key$/,
    });
    await t.throwsAsync(connectNats({ ...own, tlsKey: serverKey, role: 'leader' }), {
      instanceOf: UserError,
      message: `--tls-key ${serverKey} is not the key of --tls-cert ${cert}; give both of one user`,
    });
    for (const [given, missing] of [
      [{ tlsCert: cert }, 'key'],
      [{ tlsKey: key }, 'cert'],
    ])
      await t.throwsAsync(
        connectNats({ url, run, tlsCa: ca, .../** @type {object} */ (given), role: 'leader' }),
        {
          message: `--tls-cert and --tls-key go together; --tls-${missing} is missing`,
        },
      );
    await t.throwsAsync(connectNats({ ...own, tlsKey: '/nowhere/key', role: 'leader' }), {
      message: /^--tls-key \/nowhere\/key cannot be read: /,
    });
    await t.throwsAsync(connectNats({ url, run, nkey: ca, role: 'leader' }), {
      message: /^--nkey .*ca\.pem holds no seed of a user: /,
    });
  },
);

(hasOpenssl ? testWithServer : test.skip)(
  'a server that begins with TLS gives an error that names its setting',
  async (/** @type {ExecutionContext} */ t) => {
    const directory = temporaryDirectory(t, 'tls-first');
    const { ca, serverCert, serverKey } = makeCertificates(directory);
    const files = `cert_file: ${JSON.stringify(serverCert)}, key_file: ${JSON.stringify(serverKey)}`;
    const { port } = await startWith(t, directory, [`tls { ${files}, handshake_first: true }`]);
    const url = `tls://127.0.0.1:${port}`;
    await t.throwsAsync(connectNats({ url, run, tlsCa: ca, role: 'leader' }), {
      instanceOf: UserError,
      message: `nats://127.0.0.1:${port} ends connections before it says anything; see its log, and if its TLS has handshake_first, set that to auto`,
    });
  },
);

(hasOpenssl ? testWithServer : test.skip)(
  'TLS without a server that speaks it, and files without certificates, are refused in one line',
  async (/** @type {ExecutionContext} */ t) => {
    const directory = temporaryDirectory(t, 'no-tls');
    const { ca, cert, key } = makeCertificates(directory);
    const { url } = await startServer(t);
    const own = { run, role: /** @type {const} */ ('leader') };
    const address = url.slice('nats://'.length);
    for (const wrong of [
      { url: `tls://${address}` },
      { url, tlsCa: ca },
      { url, tlsCa: ca, tlsCert: cert, tlsKey: key },
    ])
      await t.throwsAsync(connectNats({ ...own, ...wrong }), {
        instanceOf: UserError,
        message: `${url} speaks no TLS; give its address as nats://HOST:PORT, without --tls-ca, --tls-cert and --tls-key, or set up TLS in its configuration`,
      });
    const broken = path.join(directory, 'broken.pem');
    const [begin, end] = ['BEGIN', 'END'].map(each => `-----${each} CERTIFICATE-----`);
    for (const text of ['', 'nothing\n', `${begin}\n`, `${begin}\nAAAA\n${end}\n`]) {
      writeFileSync(broken, text);
      for (const [flag, files] of /** @type {const} */ ([
        ['--tls-ca', { tlsCa: broken }],
        ['--tls-cert', { tlsCert: broken, tlsKey: key }],
      ]))
        await t.throwsAsync(connectNats({ ...own, url, ...files }), {
          instanceOf: UserError,
          message: `${flag} ${broken} holds no certificate: PEM is expected, which begins with -----BEGIN CERTIFICATE-----`,
        });
    }
    await t.throwsAsync(connectNats({ ...own, url, tlsCert: cert, tlsKey: cert }), {
      instanceOf: UserError,
      message: /^--tls-key .*user\.pem holds no private key: PEM without a passphrase is expected/,
    });
  },
);

testWithServer(
  'a run works with credentials of an account, and each role may do only its part',
  async (/** @type {ExecutionContext} */ t) => {
    const directory = temporaryDirectory(t, 'creds');
    const roles = /** @type {const} */ (['leader', 'operator', 'host.h1']);
    const { serverLines, credsFile } = await makeAccount(
      directory,
      Object.fromEntries(roles.map(role => [role, permissionsOf(run, role)])),
    );
    const { url } = await startWith(t, directory, serverLines);
    /** @param {typeof roles[number]} role */
    const connectAs = (role, creds = credsFile(role)) => connect(t, { url, run, role, creds });
    const hosting = startHost(await connectAs('host.h1'), 'h1');
    const others = { rounds: 3 };
    const leading = await connectAs('leader');
    const { activity } = await startLeader(leading, { demo: 'pingpong', hosts: 1, others });
    t.is(activity, await hashOfPlainRun('pingpong', 3));
    t.is(await hosting, 'over');
    await t.throwsAsync(connectAs('leader', credsFile('host.h1')), {
      message: /may not (publish to|subscribe to) "[^"]+", which is needed to use JetStream/,
    });
    await t.throwsAsync(connectNats({ url, run, role: 'leader' }), {
      message: /refuses the credentials; give those of this role with --creds or --nkey/,
    });
    const nothing = path.join(directory, 'empty.creds');
    writeFileSync(nothing, 'nothing\n');
    await t.throwsAsync(connectAs('leader', nothing), {
      message: /^--creds .*empty\.creds holds no credentials: /,
    });
  },
);

testWithServer(
  'a run that loses one of three servers ends like one in a single process',
  async (/** @type {ExecutionContext} */ t) => {
    const directory = temporaryDirectory(t, 'three');
    const ports = [await findPort(), await findPort(), await findPort()];
    const routePorts = [await findPort(), await findPort(), await findPort()];
    const servers = await Promise.all(
      ports.map((port, i) => {
        const file = path.join(directory, `n${i}.conf`);
        const routes = routePorts.map(each => `"nats://127.0.0.1:${each}"`).join(', ');
        writeFileSync(
          file,
          [
            `server_name: n${i}`,
            'jetstream: { sync_interval: always }',
            `cluster: { name: swingset, listen: "127.0.0.1:${routePorts[i]}", routes: [${routes}] }`,
            '',
          ].join('\n'),
        );
        return startServer(t, {
          port,
          directory: path.join(directory, `n${i}`),
          flags: ['-c', file],
        });
      }),
    );
    const url = ports.map(port => `nats://127.0.0.1:${port}`).join(',');
    const options = { url, run, replicas: 3 };
    const hosting = startHost(await connect(t, { ...options, role: 'host.h1' }), 'h1');
    const leader = await connect(t, { ...options, role: 'leader' });
    let lost = false;
    const rounds = 120;
    const outcome = await startLeader(leader, {
      ...{ demo: 'pingpong', hosts: 1 },
      others: {
        ...{ rounds, leaseMs: 10_000 },
        onBlock: (_taken, { done }) => {
          if (done < rounds / 3 || lost) return;
          lost = true;
          void servers[0].end();
        },
      },
    });
    t.true(lost);
    t.is(outcome.activity, await hashOfPlainRun('pingpong', rounds));
    t.is(await hosting, 'over');
  },
);
