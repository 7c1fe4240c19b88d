// A vat moves from host to host while the run goes on, and whichever of the two is lost meanwhile: the same hash.

import test from 'ava';
import { askMove, askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { confuse, hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';
import { awaitBlocks, makeBrake, makeGate, pause } from './trials.js';

const rounds = 250;

/** Nobody is lost by being slow. */
const leaseMs = 20_000;

/** Messages take some time, so that the run is not over before anybody has moved. */
const slow = { delay: 1, longestDelayMs: 4 };

/** A run with two hosts, and a vat that is about to move from the one to the other. */
const begin = async () => {
  const memory = makeMemoryCluster();
  const names = ['h1', 'h2'];
  const parties = names.map(name => memory.connect(name, slow));
  const gates = parties.map(makeGate);
  const hosting = gates.map(({ cluster }, i) => startHost(cluster, names[i]));
  /** @type {string[]} */
  const told = [];
  const brake = makeBrake(memory.connect('leader', slow));
  const leading = startLeader(brake.cluster, {
    ...{ hosts: 2, tell: line => void told.push(line) },
    others: { rounds, leaseMs, blockSize: 5 },
  });
  const operator = memory.connect('operator');
  await awaitBlocks(memory, 10);
  // Few deliveries are under way at once, so all vats come to one host by themselves.
  for (;;) {
    brake.hold();
    // By then the leader has done its work between two blocks.
    await pause(30);
    const { vats } = await askStatus(operator, run);
    const [{ name, hosts } = { name: '', hosts: [] }] = vats;
    if (vats.length > 1 && vats.every(vat => vat.hosts[0] === hosts[0])) {
      const from = names.indexOf(hosts[0]);
      const to = 1 - from;
      gates[to].close();
      const moving = askMove(operator, run, name, names[to]);
      await pause(30);
      brake.release();
      return { memory, operator, gates, brake, hosting, told, leading, moving, name, names, from };
    }
    brake.release();
    await pause(10);
  }
};

test.serial(
  'a run continues while a vat moves, and the vat pauses only for the rest of its transcript',
  async t => {
    const { memory, operator, gates, hosting, leading, moving, name, names, from } = await begin();
    const to = 1 - from;
    let hasMoved = false;
    void moving.finally(() => {
      hasMoved = true;
    });
    await awaitBlocks(memory, 4);
    t.false(hasMoved);
    await t.throwsAsync(askMove(operator, run, name, names[to]), {
      message: `vat ${name} is on its way to a host; move it when it is there`,
    });
    gates[to].open();
    t.regex(
      await moving,
      /^vat \w+ has moved from host h. to host h., with \d+ cranks, and stood still for \d+ ms; the move took \d+ ms$/,
    );
    const { vats } = await askStatus(operator, run);
    t.deepEqual(vats.find(vat => vat.name === name)?.hosts, [names[to]]);
    t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
    await Promise.all(hosting);
  },
);

test.serial('a vat whose old host fails during its move continues on the new one', async t => {
  const { memory, gates, brake, hosting, told, leading, moving, names, from } = await begin();
  const to = 1 - from;
  await awaitBlocks(memory, 2);
  brake.hold();
  confuse(memory, names[from]);
  while (!told.some(line => line.startsWith(`host ${names[from]} is gone`))) await pause(1);
  gates[to].open();
  brake.release();
  t.regex(await moving, /^vat \w+ has moved from host h. to host h., with /);
  t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
  await Promise.all(hosting);
});

test.serial('a vat whose new host fails during its move stays on the old one', async t => {
  const { memory, operator, gates, brake, hosting, told, leading, moving, name, names, from } =
    await begin();
  const to = 1 - from;
  const lost = t.throwsAsync(moving, { message: `host ${names[to]} is gone` });
  await awaitBlocks(memory, 2);
  brake.hold();
  confuse(memory, names[to]);
  await pause(50);
  gates[to].drop();
  await lost;
  brake.release();
  t.true(told.some(line => line.startsWith(`host ${names[to]} is gone`)));
  const { vats } = await askStatus(operator, run);
  t.deepEqual(vats.find(vat => vat.name === name)?.hosts, [names[from]]);
  t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
  await Promise.all(hosting);
});
