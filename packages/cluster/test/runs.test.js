// A run over several parties is the run on one thread: the same hash, whatever is lost, doubled, late or cut off on the way, and
// whoever goes and comes. What cannot go on is refused by one line.

import test from 'ava';
import { UserError } from '#model';
import { makeMemoryStore } from '#store';
import { LeadershipLost, readLog } from '../index.js';
import { askMove, askStatus, formatStatus, formatStatusPage } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import {
  changeMessages,
  configOf,
  hashOfPlainRun,
  run,
  startHost,
  startLeader,
} from './run-cluster.js';

/** @import { Cluster } from '../interface.js' */

test.serial(
  'a run has the same hash on one thread, led alone, over one host, and over three',
  async t => {
    for (const [demo, rounds, counts] of /** @type {const} */ ([
      ['pingpong', 6, [0, 1, 3]],
      ['exchange', 2, [2]],
    ])) {
      const expected = await hashOfPlainRun(demo, rounds);
      for (const hosts of counts) {
        const memory = makeMemoryCluster();
        const hosting = Array.from({ length: hosts }, (_, i) =>
          startHost(memory.connect(`host ${i}`), `h${i}`),
        );
        const cluster = memory.connect('leader');
        const outcome = await startLeader(cluster, { demo, hosts, others: { rounds } });
        t.is(outcome.activity, expected, `${demo} over ${hosts}`);
        for (const each of hosting) t.is(await each, 'over');
      }
    }
  },
);

test.serial(
  'messages that are lost, doubled, late and out of order, and appends that are not acknowledged, change nothing',
  async t => {
    const expected = await hashOfPlainRun('pingpong', 5);
    for (const seed of [1, 2]) {
      const memory = makeMemoryCluster({ seed, maxBytes: 16_384 });
      const faults = { drop: 0.05, double: 0.1, delay: 0.3, cut: 0.1, longestDelayMs: 3 };
      const hosting = [1, 2].map(i => startHost(memory.connect(`host ${i}`, faults), `h${i}`));
      const cluster = memory.connect('leader', faults);
      const outcome = await startLeader(cluster, {
        demo: 'pingpong',
        hosts: 2,
        others: { rounds: 5 },
      });
      t.is(outcome.activity, expected, `seed ${seed}`);
      // That the run is over may be lost as well.
      memory.connect('closer').publish(`swingset.${run}.to.h1`, new Uint8Array());
      await Promise.race([
        Promise.all(hosting),
        new Promise(resolve => void setTimeout(resolve, 10)),
      ]);
      await cluster.close();
    }
  },
);

test.serial(
  'a host that is cut off loses its vats to another, and harms nothing when it is back',
  async t => {
    const expected = await hashOfPlainRun('pingpong', 30);
    const memory = makeMemoryCluster();
    const first = memory.connect('first');
    const hosting = [startHost(first, 'h1')];
    /** @type {string[]} */
    const told = [];
    let isCut = false;
    const leading = startLeader(memory.connect('leader'), {
      ...{ demo: 'pingpong', hosts: 1, others: { rounds: 30, leaseMs: 400 } },
      tell: line => {
        told.push(line);
        if (/host h1 is gone/.test(line)) first.mend();
      },
    });
    const watch = setInterval(() => {
      if (isCut || memory.records.length < 8) return;
      isCut = true;
      hosting.push(startHost(memory.connect('second'), 'h2'));
      first.cutOff();
    }, 2);
    t.teardown(() => clearInterval(watch));
    t.is((await leading).activity, expected);
    t.true(isCut);
    t.true(told.some(line => /^host h1 is gone: nothing was heard of it/.test(line)));
    await Promise.all(hosting);
  },
);

test.serial(
  'a standby takes over from a leader that is cut off, and the old one writes nothing more',
  async t => {
    const expected = await hashOfPlainRun('pingpong', 30);
    const memory = makeMemoryCluster();
    const first = memory.connect('first');
    const others = { rounds: 30, leaseMs: 400 };
    const leading = startLeader(first, { demo: 'pingpong', name: 'first', others });
    const old = t.throwsAsync(leading, {
      instanceOf: LeadershipLost,
      message: /is led by second now, with epoch 2/,
    });
    const standby = startLeader(memory.connect('second'), {
      ...{ demo: 'pingpong', name: 'second', others: { ...others, isStandby: true } },
      tell: line => {
        // The old one wakes up when another leads.
        if (/^leading run/.test(line)) first.mend();
      },
    });
    const watch = setInterval(() => {
      if (memory.records.length < 6) return;
      clearInterval(watch);
      first.cutOff();
    }, 2);
    t.teardown(() => clearInterval(watch));
    const outcome = await standby;
    t.is(outcome.epoch, 2);
    t.is(outcome.activity, expected);
    await old;
    const reader = memory.connect('reader');
    const log = /** @type {any} */ (await reader.findLog());
    const epochs = [];
    for await (const { entry } of readLog(reader, run, log, { isWhole: true }))
      epochs.push(entry.epoch);
    t.deepEqual(epochs, [...epochs].sort());
  },
);

test.serial(
  'a stopped run continues from its log and its checkpoints, and ends like an uninterrupted one',
  async t => {
    const expected = await hashOfPlainRun('pingpong', 12);
    const memory = makeMemoryCluster();
    let blocks = 0;
    /** @type {string[]} */
    const told = [];
    // It stays, whoever leads.
    const hosting = startHost(memory.connect('host'), 'h1');
    for (let tries = 1; ; tries += 1) {
      const outcome = await startLeader(memory.connect(`leader ${tries}`), {
        ...{ demo: 'pingpong', hosts: 1, tell: line => void told.push(line) },
        others: {
          ...{ rounds: 12, checkpoint: { blocks: 3, bytes: 1e9 } },
          // The run keeps the first.
          leaseMs: 1_499 + tries,
          shouldStop: () => {
            blocks += 1;
            return blocks % 8 === 7;
          },
        },
      });
      t.is(outcome.epoch, tries);
      if (outcome.kind !== 'finished') continue;
      t.is(outcome.activity, expected);
      t.true(tries > 1);
      t.true(
        told.includes('run tested keeps the lease of 1500 ms that it was begun with, not 1501 ms'),
      );
      t.true(memory.blobs.size > 0);
      t.is(await hosting, 'over');
      break;
    }
    // A leader that comes later is told how the run ended.
    const again = await startLeader(memory.connect('late'), { demo: 'pingpong' });
    t.is(again.kind, 'ended');
    t.is(again.activity, expected);
  },
);

/** A host whose results are others than they should be. @param {Cluster} cluster @param {number} from  its result */
const lyingCluster = (cluster, from) => {
  let results = 0;
  return changeMessages(cluster, message => {
    if (message.kind !== 'report' || message.report.kind !== 'result') return;
    results += 1;
    if (results >= from) message.report.syscalls.push(['subscribe', 'p-999']);
    return message;
  });
};

test.serial(
  'twins that agree change nothing; a twin that differs stops the run before the block is committed',
  async t => {
    const expected = await hashOfPlainRun('pingpong', 3);
    for (const lies of [false, true]) {
      const memory = makeMemoryCluster();
      let isOver = false;
      const shouldStop = () => isOver;
      const second = memory.connect('second');
      const hosting = [
        startHost(memory.connect('first'), 'h1', { shouldStop }),
        startHost(lies ? lyingCluster(second, 6) : second, 'h2', { shouldStop }),
      ];
      const leading = startLeader(memory.connect('leader'), {
        ...{ demo: 'pingpong', hosts: 2, twins: 2, others: { rounds: 3 } },
      });
      if (lies)
        await t.throwsAsync(leading, {
          instanceOf: UserError,
          message:
            /^vat \w+ does something else on host h[12] than on host h[12], in its crank \d+ \(\w+\): syscall \d+, (subscribe p-999|nothing) on the one, .* on the other; nothing of the block is committed$/,
        });
      else t.is((await leading).activity, expected);
      isOver = true;
      await Promise.all(hosting);
    }
  },
);

test.serial(
  'a vat moves to another host while the run goes on, and status says where it is',
  async t => {
    const expected = await hashOfPlainRun('pingpong', 60);
    const memory = makeMemoryCluster();
    const hosting = ['h1', 'h2'].map(name => startHost(memory.connect(name), name));
    const leading = startLeader(memory.connect('leader'), {
      ...{ demo: 'pingpong', hosts: 2, others: { rounds: 60 } },
    });
    const operator = memory.connect('operator');
    while (memory.records.length < 4) await new Promise(resolve => void setTimeout(resolve, 5));
    const { vats } = await askStatus(operator, run);
    const [{ name, hosts }] = vats;
    const target = hosts[0] === 'h1' ? 'h2' : 'h1';
    const done = await askMove(operator, run, name, target);
    t.regex(
      done,
      new RegExp(
        `^vat ${name} (has moved from host h. to host ${target}|is on host ${target} already)`,
      ),
    );
    const status = await askStatus(operator, run);
    t.deepEqual(status.vats.find(each => each.name === name)?.hosts, [target]);
    t.regex(formatStatus(status), new RegExp(`vat ${name} \\(v\\d+\\) on ${target}`));
    t.true(formatStatusPage(status).includes(`<td>${name}</td>`));
    await t.throwsAsync(askMove(operator, run, 'nobody', 'h1'), {
      message: /^no vat "nobody" is on a host; there are /,
    });
    await t.throwsAsync(askMove(operator, run, name, 'h9'), {
      message: 'there is no host "h9"; there are h1, h2',
    });
    t.is((await leading).activity, expected);
    await Promise.all(hosting);
    t.is((await askStatus(operator, run)).state, 'ended');
  },
);

test.serial(
  'a standby of another program is refused while it follows, and the leader goes on',
  async t => {
    const memory = makeMemoryCluster();
    let isOver = false;
    const leading = startLeader(memory.connect('leader'), {
      others: { rounds: 1_000_000, leaseMs: 60_000, shouldStop: () => isOver },
    });
    const others = { config: configOf('exchange'), isStandby: true };
    await t.throwsAsync(startLeader(memory.connect('standby'), { name: 'second', others }), {
      instanceOf: UserError,
      message: /^run tested was begun with another config: /,
    });
    const { length } = memory.records;
    while (memory.records.length < length + 3) await new Promise(resolve => setImmediate(resolve));
    isOver = true;
    t.is((await leading).kind, 'stopped');
  },
);

test.serial('a host that is silent at the end of the run learns that the run is over', async t => {
  const memory = makeMemoryCluster();
  const mute = { ...memory.connect('mute'), publish: () => {} };
  const hosting = startHost(mute, 'h1');
  await startLeader(memory.connect('leader'), { demo: 'pingpong', others: { rounds: 1 } });
  t.is(await hosting, 'over');
});

test.serial('a leader that is told to stop stops while it waits for a host', async t => {
  const memory = makeMemoryCluster();
  for (const isRunning of [false, true]) {
    let shouldStop = false;
    let isHostOver = false;
    const party = memory.connect('host');
    const hosting = isRunning && startHost(party, 'h1', { shouldStop: () => isHostOver });
    const outcome = await startLeader(memory.connect('leader'), {
      hosts: 1,
      others: { rounds: 500, leaseMs: 1_000, shouldStop: () => shouldStop },
      tell: line => {
        if (/waiting for 1 host/.test(line) && !isRunning) shouldStop = true;
        // The host is lost in the middle of the run.
        if (/^host h1 has joined/.test(line)) setTimeout(() => party.cutOff(), 1_500);
        if (/waits for a host/.test(line)) shouldStop = true;
      },
    });
    t.is(outcome.kind, 'stopped');
    isHostOver = true;
    await hosting;
  }
  const going = startHost(memory.connect('host'), 'h2');
  const { activity } = await startLeader(memory.connect('next'), {
    ...{ hosts: 1, others: { rounds: 500, leaseMs: 1_000 } },
  });
  t.is(activity, await hashOfPlainRun('pingpong', 500));
  await going;
});

test.serial('each unsuitable participant of a run is refused in one line', async t => {
  const memory = makeMemoryCluster();
  let isOver = false;
  const leading = startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: 1 },
    others: { rounds: 1, shouldStop: () => isOver },
  });
  await t.throwsAsync(startHost(memory.connect('other'), 'h2', { version: '0.0.9' }), {
    message:
      /^the leader of run tested refuses this host: host h2 has version 0\.0\.9 of the package, run tested was begun with 1\.0\.0; install that one$/,
  });
  await t.throwsAsync(startLeader(memory.connect('second'), { demo: 'pingpong' }), {
    message:
      /^run tested has a leader already, with epoch 1; wait for it with --standby, or choose another --run$/,
  });
  await t.throwsAsync(
    startLeader(memory.connect('third'), { demo: 'pingpong', others: { version: '2.0.0' } }),
    {
      message:
        /^this leader has version 2\.0\.0 of the package, run tested was begun with 1\.0\.0; install that one$/,
    },
  );
  isOver = true;
  let isHostOver = false;
  const hosting = startHost(memory.connect('host'), 'h1', { shouldStop: () => isHostOver });
  await leading;
  const config = configOf('exchange');
  const others = { config, local: makeMemoryStore() };
  const outcome = await startLeader(memory.connect('fourth'), { demo: 'pingpong', others }).catch(
    error => error,
  );
  if (outcome instanceof Error)
    t.regex(outcome.message, /^run tested was begun with another config: /);
  else t.is(outcome.kind, 'ended');
  isHostOver = true;
  await hosting;
});
