// A host that has all vats runs cranks before the leader asks for them: in few messages, with the same hash, whatever ends it.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig } from '#host/session.js';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { AheadResults } from '../ahead-results.js';
import { askMove, askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, hashOfPlainRun, run, startHost, startLeader } from './run-cluster.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { ToLeader } from '../host-messages.js' */

/** @param {ExecutionContext} t @param {Record<string, string>} sources @param {object} [options]  of vats, by name */
const configOf = (t, sources, options = {}) => {
  const dir = temporaryDirectory(t, 'ahead');
  /** @type {Record<string, object>} */
  const vats = {};
  for (const [name, source] of Object.entries(sources)) {
    writeFileSync(path.join(dir, `vat-${name}.js`), source);
    const creationOptions = /** @type {any} */ (options)[name] ?? {};
    vats[name] = { sourceSpec: `vat-${name}.js`, creationOptions };
  }
  const configFile = path.join(dir, 'swingset.json');
  writeFileSync(configFile, JSON.stringify({ bootstrap: 'bootstrap', vats }));
  return loadConfig({ baseDir: dir, configFile });
};

/** Sends `hit` to the vat `other` in each round. */
const caller = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let other;
    return Far('root', {
      bootstrap: vats => { other = vats.other; },
      runBenchmarkRound: async () => { await E(other).hit(); await E(other).hit(); },
    });
  };
`;

/** A raw vat that reads and writes its store. */
const counting = `
  import { kser } from '@agoric/kmarshal';
  export default function setup(syscall) {
    return async delivery => {
      if (delivery[0] !== 'message') return;
      const count = Number(syscall.vatstoreGet('count') ?? 0) + 1;
      syscall.vatstoreSet('count', String(count));
      if (count % 7 === 0) syscall.vatstoreDelete('count');
      syscall.vatstoreGet('absent');
      const { result } = delivery[2];
      if (result) syscall.resolve([[result, false, kser(count)]]);
    };
  }
`;

for (const threads of [1, 2])
  test.serial(`a host of ${threads} threads runs ahead, in few batches`, async t => {
    const rounds = 60;
    const memory = makeMemoryCluster();
    const hosting = startHost(memory.connect('host'), 'h1', { threads });
    const outcome = await startLeader(memory.connect('leader'), { hosts: 1, others: { rounds } });
    t.is(outcome.activity, await hashOfPlainRun('pingpong', rounds));
    const [{ cranks, batches }] = outcome.hosts ?? [];
    t.true(cranks > 400);
    t.true(batches * 3 < cranks, `${batches} batches for ${cranks} cranks`);
    t.is(await hosting, 'over');
  });

test.serial('reads of a vat are answered and reported by the host that is ahead', async t => {
  const config = configOf(
    t,
    { bootstrap: caller, other: counting },
    { other: { enableSetup: true } },
  );
  const rounds = 40;
  for (const threads of [1, 2]) {
    const memory = makeMemoryCluster();
    const hosting = startHost(memory.connect('host'), 'h1', { threads });
    const others = { config, rounds };
    const outcome = await startLeader(memory.connect('leader'), { hosts: 1, others });
    t.is(outcome.activity, await hashOfPlainRun(config, rounds));
    const [{ cranks, batches }] = outcome.hosts ?? [];
    t.true(batches * 2 < cranks, `${batches} batches for ${cranks} cranks`);
    await hosting;
  }
});

test.serial('a host falls behind at a vat of the leader, and the run goes on', async t => {
  const config = configOf(
    t,
    {
      bootstrap: caller,
      other: `
        import { Far } from '@endo/far';
        export const buildRootObject = () => Far('root', { hit: () => 1 });
      `,
    },
    { other: { managerType: 'local' } },
  );
  const rounds = 30;
  for (const threads of [1, 2]) {
    const memory = makeMemoryCluster();
    /** @type {string[]} */
    const kinds = [];
    const cluster = changeMessages(
      memory.connect('host'),
      message => void kinds.push(message.kind),
    );
    const hosting = startHost(cluster, 'h1', { threads });
    const others = { config, rounds };
    const outcome = await startLeader(memory.connect('leader'), { hosts: 1, others });
    t.is(outcome.activity, await hashOfPlainRun(config, rounds));
    t.true(kinds.includes('behind'));
    await hosting;
  }
});

test.serial(
  'a host that predicts a wrong delivery loses its vats, and the hash is unchanged',
  async t => {
    const rounds = 30;
    const memory = makeMemoryCluster();
    let begun = 0;
    const liar = changeMessages(memory.connect('host'), message => {
      if (message.kind !== 'begun') return undefined;
      begun += 1;
      return begun === 50 ? { ...message, digest: new Uint8Array(16) } : undefined;
    });
    const hosting = startHost(liar, 'h1');
    /** @type {string[]} */
    const told = [];
    const outcome = await startLeader(memory.connect('leader'), {
      ...{ hosts: 1, others: { rounds }, tell: line => void told.push(line) },
    });
    t.is(outcome.activity, await hashOfPlainRun('pingpong', rounds));
    t.is(begun >= 50, true);
    t.true(
      told.some(line => /^host h1 is gone: it has foreseen another delivery to vat /.test(line)),
    );
    await hosting;
  },
);

test.serial('a host that is ahead says that it works while a crank lasts', async t => {
  const slow = `
    import { Far } from '@endo/far';
    let count = 0;
    let sum = 0;
    const work = () => { for (let i = 0; i < 8e7; i += 1) sum = (sum * 31 + i) | 0; return sum; };
    export const buildRootObject = () =>
      Far('root', { hit: () => { count += 1; return count % 50 === 0 ? work() : count; } });
  `;
  const config = configOf(t, { bootstrap: caller, other: slow });
  const memory = makeMemoryCluster();
  let isAhead = false;
  let atWork = 0;
  const cluster = changeMessages(memory.connect('host'), message => {
    if (message.kind === 'begun') isAhead = true;
    if (isAhead && message.kind === 'working' && message.vatIds.length > 0) atWork += 1;
  });
  const hosting = startHost(cluster, 'h1', { threads: 1 });
  const { activity } = await startLeader(memory.connect('leader'), {
    ...{ hosts: 1, others: { config, rounds: 60, leaseMs: 6_000 } },
  });
  t.is(activity, await hashOfPlainRun(config, 60));
  t.true(atWork > 0);
  await hosting;
});

test.serial('a host whose results are large falls behind, and the run goes on', async t => {
  // By then the host is ahead.
  const large = `
    import { Far } from '@endo/far';
    let count = 0;
    const hit = () => { count += 1; return 'x'.repeat(count > 30 ? 900_000 : 1); };
    export const buildRootObject = () => Far('root', { hit });
  `;
  const often = caller.replace(
    /runBenchmarkRound: .*/,
    `runBenchmarkRound: async () => {
    for (let i = 0; i < 24; i += 1) await E(other).hit();
  },`,
  );
  const config = configOf(t, { bootstrap: often, other: large });
  const rounds = 2;
  const expected = await hashOfPlainRun(config, rounds);
  for (const threads of [1, 2]) {
    // All messages of a host are in one packet, so that they can be read.
    const memory = makeMemoryCluster({ maxBytes: 2 ** 26 });
    /** @type {string[]} */
    const reasons = [];
    const cluster = changeMessages(memory.connect('host'), message => {
      if (message.kind === 'behind') reasons.push(message.reason);
    });
    const hosting = startHost(cluster, 'h1', { threads });
    const others = { config, rounds, leaseMs: 20_000 };
    const { activity } = await startLeader(memory.connect('leader'), { hosts: 1, others });
    t.is(activity, expected);
    t.true(reasons.includes('its reports are large'), reasons.join());
    await hosting;
  }
});

test('a host may say so much about what it foresaw, and more when that is taken', t => {
  const host = /** @type {any} */ ({ wasAhead: true, heldBytes: 0 });
  const replica = { host, early: [], next: [], isAwaited: false };
  const replicas = { vats: new Map([['v1', { vatId: 'v1', replicas: [replica] }]]) };
  const ahead = new AheadResults(/** @type {any} */ ({ replicas }));
  /** @type {any[]} */
  const taken = [];
  const keep = (/** @type {any} */ message) =>
    ahead.keep(host, message, 2 ** 20, (_host, given) => void taken.push(given));
  const begun = { kind: 'begun', vatId: 'v1', digest: new Uint8Array(16) };
  const told = { kind: 'told', vatId: 'v1', question: ['vatstoreGet', 'key'], answer: {} };
  for (let time = 0; time < 3; time += 1) {
    t.true(keep(begun));
    for (let i = 0; i < 129; i += 1) t.true(keep(told));
    t.throws(() => keep(told), {
      instanceOf: RangeError,
      message: 'too many bytes about deliveries foreseen',
    });
    replica.early.length = 0;
  }
  t.deepEqual(taken, []);
});

/** The number of syscalls of a result of alice. @param {ToLeader} message */
const syscallsOfAlice = message =>
  message.kind === 'report' && message.report.kind === 'result' && message.report.vatId === 'v1'
    ? message.report.syscalls.length
    : undefined;

/**
 * How a host hides what it does ahead, and why its session ends: at once, unless the host then waits for the leader. The
 * long lease is longer than a test may take.
 *
 * @type {Record<string, { isHidden: (message: ToLeader) => boolean, reason: RegExp, others: object }>}
 */
const hidings = {
  'begins a delivery': {
    isHidden: ({ kind }) => kind === 'begun',
    // The second if the leader has not come there yet.
    reason: /it tells of a delivery to vat \w+ that it has not begun|vat "\w+" was given nothing/,
    others: { leaseMs: 600_000 },
  },
  'ends a delivery': {
    isHidden: message => Number(syscallsOfAlice(message)) > 0,
    reason: /it begins a delivery to vat alice, and has not ended the one before/,
    others: { leaseMs: 600_000 },
  },
  'ends the last delivery of a round': {
    isHidden: message => syscallsOfAlice(message) === 0,
    reason: /it has forgotten what vat alice was given/,
    // Blocks end within rounds, so the host is also told of records while nothing else is sent to it.
    others: { leaseMs: 4_000, blockSize: 5 },
  },
};

for (const [name, { isHidden, reason, others }] of Object.entries(hidings))
  test.serial(`a host that is ahead and hides that it ${name} is given up`, async t => {
    const rounds = 200;
    const expected = await hashOfPlainRun('pingpong', rounds);
    const memory = makeMemoryCluster();
    let begun = 0;
    let hidden = 0;
    const hiding = changeMessages(memory.connect('h1'), message => {
      if (message.kind === 'begun') begun += 1;
      if (begun < 20 || hidden > 0 || !isHidden(message)) return undefined;
      hidden += 1;
      return [];
    });
    const hosting = [startHost(hiding, 'h1'), startHost(memory.connect('h2'), 'h2')];
    /** @type {string[]} */
    const told = [];
    const { activity } = await startLeader(memory.connect('leader'), {
      ...{ hosts: 2, tell: line => void told.push(line) },
      others: { rounds, ...others },
    });
    t.is(hidden, 1);
    t.is(activity, expected);
    t.is(told.filter(line => reason.test(line)).length, 1, told.join('\n'));
    await Promise.all(hosting);
  });

test.serial('a vat leaves a host that is ahead, and comes back', async t => {
  const rounds = 400;
  const expected = await hashOfPlainRun('pingpong', rounds);
  const memory = makeMemoryCluster();
  const hosting = ['h1', 'h2'].map(name => startHost(memory.connect(name), name));
  const leading = startLeader(memory.connect('leader'), { hosts: 2, others: { rounds } });
  const operator = memory.connect('operator');
  let moves = 0;
  while (memory.records.length < 60) await new Promise(resolve => void setTimeout(resolve, 5));
  const asking = (async () => {
    for (;;) {
      const { state, vats } = await askStatus(operator, run);
      if (state !== 'running') return;
      const [{ name, hosts }] = vats;
      try {
        await askMove(operator, run, name, hosts[0] === 'h1' ? 'h2' : 'h1');
        moves += 1;
      } catch (error) {
        if (!/goes on no more|no leader|has ended|on its way/.test(String(error))) throw error;
      }
    }
  })().catch(error => t.fail(error.message));
  t.is((await leading).activity, expected);
  await asking;
  t.true(moves > 0);
  await Promise.all(hosting);
});

test.serial('a vat that waits for many others gets their answers in few batches', async t => {
  const many = 12;
  const replier = `
    import { Far } from '@endo/far';
    export const buildRootObject = () => Far('root', { ask: i => i });
  `;
  const sources = Object.fromEntries(
    Array.from({ length: many }, (_, i) => [`replier${i}`, replier]),
  );
  const asker = (/** @type {string} */ then) => `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      let all;
      let seen = 0;
      return Far('root', {
        bootstrap: ({ bootstrap, ...others }) => { all = Object.values(others); },
        runBenchmarkRound: () => Promise.all(all.map((each, i) => E(each).ask(i).then(${then}))),
      });
    };
  `;
  // In the second program, every fourth answer leads to a message, so that what was foreseen is forgotten.
  for (const [then, mostBatches] of /** @type {const} */ ([
    ['x => x', 8],
    ['x => { seen += 1; if (seen % 4 === 0) E(all[0]).ask(seen); return x; }', 12],
  ])) {
    const config = configOf(t, { bootstrap: asker(then), ...sources });
    const rounds = 20;
    const memory = makeMemoryCluster();
    const hosting = ['h1', 'h2'].map(name => startHost(memory.connect(name), name));
    /** @type {string[]} */
    const told = [];
    const outcome = await startLeader(memory.connect('leader'), {
      ...{ hosts: 2, tell: line => void told.push(line) },
      others: { config, rounds, blockSize: 7 },
    });
    t.is(outcome.activity, await hashOfPlainRun(config, rounds));
    const batches = (outcome.hosts ?? []).map(host => host.batches);
    for (const count of batches)
      t.true(count < mostBatches * rounds + 60, `${batches} batches in ${rounds} rounds`);
    t.false(told.some(line => /foreseen/.test(line)));
    await Promise.all(hosting);
  }
});
