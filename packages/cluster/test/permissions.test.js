// The permissions that are documented are enough for each role, and no more than it needs; what is refused is one clear line.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { UserError } from '#model';
import { connectNats, parseClusterUrl } from '../index.js';
import { startLocalServer } from '../local-servers.js';
import { namesOf } from '../names.js';
import { permissionsOf, writeServerConfig } from '../permissions.js';
import { findPort, serverFile, startServer, testWithServer } from './servers.js';

const run = 'big';
const root = path.join(import.meta.dirname, '..', '..', '..');

test('the configuration in examples equals the documented one', t => {
  const users = {
    leader: 'UPUBLIC_KEY_OF_THE_LEADER',
    operator: 'UPUBLIC_KEY_OF_THE_OPERATOR',
    'host.h1': 'UPUBLIC_KEY_OF_HOST_H1',
    'host.h2': 'UPUBLIC_KEY_OF_HOST_H2',
  };
  const file = path.join(root, 'examples/cluster/server.conf');
  t.is(readFileSync(file, 'utf8'), writeServerConfig({ run, users, storeDir: './nats' }));
});

test('a host may publish only under its own subject', t => {
  const { publish, subscribe, answers } = permissionsOf(run, 'host.h1');
  t.deepEqual(publish, ['swingset.big.from.h1']);
  t.deepEqual(subscribe, ['swingset.big.to.h1', 'swingset.big.leader']);
  t.false(answers);
});

test('an invalid address and an invalid name are refused', t => {
  for (const url of [
    '',
    'localhost',
    'http://localhost:4222',
    'nats://',
    'nats://a,b',
    'nats://%zz:secret@a',
  ]) {
    const error = t.throws(() => parseClusterUrl(url), {
      instanceOf: UserError,
      message: /is no address of a NATS server; give one as/,
    });
    t.false(error.message.includes('secret'));
  }
  t.false(parseClusterUrl('nats://me:secret@host').name.includes('secret'));
  for (const name of ['', 'a.b', 'a b', '*', '>', '-a', 'x'.repeat(49)])
    t.throws(() => namesOf(name), { message: /is no name of a run; give one of letters/ });
});

test('without a server, an error of one line says what to do', async t => {
  const url = `nats://127.0.0.1:${await findPort()}`;
  await t.throwsAsync(connectNats({ url, run, role: 'leader' }), {
    message: `no NATS server answers at ${url}; start one (nats-server -js -sd DIRECTORY), or name another with --cluster`,
  });
});

testWithServer(
  'a server without JetStream gives an error of one line',
  async (/** @type {import('ava').ExecutionContext} */ t) => {
    const { url } = await startServer(t, { flags: [] });
    await t.throwsAsync(connectNats({ url, run, role: 'leader' }), {
      message: `${url} has no JetStream for this account; start the server with -js, or enable JetStream for the account`,
    });
  },
);

testWithServer(
  'each role can do its part with its own user, and no other part',
  async (/** @type {import('ava').ExecutionContext} */ t) => {
    const server = await startLocalServer({
      run,
      hosts: ['h1', 'h2'],
      server: /** @type {string} */ (serverFile),
    });
    t.teardown(() => server.close());
    const { url, keyFile } = server;
    const connect = async (/** @type {any} */ role, nkey = keyFile(role)) => {
      const cluster = await connectNats({ url, run, role, nkey });
      t.teardown(() => cluster.close());
      return cluster;
    };
    await t.throwsAsync(connectNats({ url, run, role: 'leader' }), {
      message: `${url} refuses the credentials; give those of this role with --creds or --nkey, or user and password in the URL`,
    });
    await t.throwsAsync(connectNats({ url, run, role: 'leader', nkey: '/nowhere/key' }), {
      message: /^--nkey \/nowhere\/key cannot be read: /,
    });

    const leader = await connect('leader');
    const log = await leader.provideLog();
    t.is(await log.append(Uint8Array.of(1), 0), 1);
    const blob = new Uint8Array(2_500_000).fill(3);
    t.is((await leader.getBlob(await leader.putBlob(blob), blob.length))?.length, blob.length);
    const records = [];
    for await (const record of log.read(1)) records.push(record.seq);
    t.deepEqual(records, [1]);

    const names = namesOf(run);
    /** @type {string[]} */
    const heard = [];
    leader.subscribe(names.fromHosts, (_, subject) => void heard.push(subject));
    leader.subscribe(names.ask, (_bytes, _subject, reply) => reply?.(Uint8Array.of(7)));
    await leader.ready();
    const host = await connect('host.h1');
    /** @type {number[]} */
    const came = [];
    host.subscribe(names.toHost('h1'), bytes => void came.push(bytes[0]));
    await host.ready();
    host.publish(names.fromHost('h1'), Uint8Array.of(1));
    host.publish(names.fromHost('h2'), Uint8Array.of(2));
    host.publish(names.log, Uint8Array.of(3));
    host.publish(names.toHost('h1'), Uint8Array.of(4));
    leader.publish(names.toHost('h1'), Uint8Array.of(5));
    leader.publish(names.toHost('h2'), Uint8Array.of(6));
    const operator = await connect('operator');
    t.deepEqual([...((await operator.request(names.ask, Uint8Array.of(1), 10_000)) ?? [])], [7]);
    await leader.ready();
    await host.ready().catch(() => {});
    t.deepEqual(heard, [names.fromHost('h1')]);
    t.deepEqual(came, [5]);
    t.is(await log.last(), 1);

    // The key of a host in a leader's place.
    await t.throwsAsync(connect('leader', keyFile('host.h2')), {
      message:
        /^the user of nats:.* may not (publish|subscribe) to "[^"]+", which is needed to use JetStream; give it the permissions of this role/,
    });
  },
);
