// A run that is not set up as somebody asks for says so: vats that cannot run on a host, a log on fewer servers.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig } from '#host/session.js';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { connectNats } from '../index.js';
import { StayingVats } from '../staying-vats.js';
import { askStatus, formatStatus, formatStatusPage } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { run, startHost, startLeader } from './run-cluster.js';
import { startServer, testWithServer } from './servers.js';

/** @import { ExecutionContext } from 'ava' */

const pingpong = path.join(import.meta.dirname, '..', '..', '..', 'demos', 'pingpong');

/** @param {ExecutionContext} t */
const configWithLocalBob = t => {
  const configFile = path.join(temporaryDirectory(t, 'told'), 'swingset.json');
  const vatOf = (/** @type {string} */ file) => ({ sourceSpec: path.join(pingpong, file) });
  const vats = {
    bootstrap: vatOf('bootstrap.js'),
    alice: vatOf('vat-alice.js'),
    bob: { ...vatOf('vat-bob.js'), creationOptions: { managerType: 'local' } },
  };
  writeFileSync(configFile, JSON.stringify({ bootstrap: 'bootstrap', vats }));
  return loadConfig({ baseDir: pingpong, configFile });
};

test('a vat that runs on the leader is reported and is in the status, with the reason', async t => {
  const memory = makeMemoryCluster();
  const hosting = startHost(memory.connect('host'), 'h1');
  /** @type {string[]} */
  const told = [];
  /** @type {ReturnType<typeof askStatus> | undefined} */
  let asking;
  await startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: 1 },
    others: { config: configWithLocalBob(t), rounds: 10 },
    tell: line => {
      told.push(line);
      if (/on the leader/.test(line)) asking = askStatus(memory.connect('operator'), run);
    },
  });
  await hosting;
  const reason = 'its managerType is "local"';
  t.deepEqual(
    told.filter(line => /on the leader/.test(line)),
    [`vat bob runs on the leader, not on a host: ${reason}`],
  );
  const status = await (asking ?? t.fail());
  const bob = status?.staying.find(({ name }) => name === 'bob');
  t.is(bob?.reason, reason);
  t.true(formatStatus(status).includes(`vat bob (${bob?.vatId}) on the leader: ${reason}\n`));
  t.true(formatStatusPage(status).includes('<td>its managerType is &#34;local&#34;</td>'));
});

test('one vat is reported for each reason, and ended ones are not kept', t => {
  /** @type {string[]} */
  const told = [];
  const there = new Set();
  const staying = new StayingVats(
    vatId => there.has(vatId),
    line => told.push(line),
  );
  staying.add({ vatId: 'v0', name: 'timer', isBuiltIn: true }, 'it comes with the system');
  for (let i = 1; i <= 1_000; i += 1) {
    there.clear();
    there.add(`v${i}`);
    const vat = { vatId: `v${i}`, name: `worker ${i}`, isBuiltIn: false };
    staying.add(vat, i % 2 === 0 ? 'it has reactors' : 'it was upgraded');
  }
  t.deepEqual(told, [
    'vat worker 1 runs on the leader, not on a host: it was upgraded',
    'vat worker 2 runs on the leader, not on a host: it has reactors',
  ]);
  t.deepEqual(staying.list(), [{ vatId: 'v1000', name: 'worker 1000', reason: 'it has reactors' }]);
});

testWithServer(
  'a log on another number of servers than requested is reported',
  async (/** @type {ExecutionContext} */ t) => {
    const { url } = await startServer(t);
    /** @param {number} [replicas] */
    const findWith = async replicas => {
      /** @type {string[]} */
      const told = [];
      const cluster = await connectNats({
        ...{ url, run: 'told', role: 'leader', tell: line => void told.push(line) },
        ...(replicas !== undefined && { replicas }),
      });
      t.teardown(() => cluster.close());
      if ((await cluster.findLog()) === undefined) await cluster.provideLog();
      await cluster.findLog();
      return told;
    };
    t.deepEqual(await findWith(), []);
    t.deepEqual(await findWith(), []);
    t.deepEqual(await findWith(1), []);
    t.deepEqual(await findWith(3), [
      'run told keeps its log on 1 server, not on 3; to change it: nats stream edit SWINGSET_told --replicas 3 && nats stream edit OBJ_SWINGSET_told_blobs --replicas 3',
    ]);
  },
);
