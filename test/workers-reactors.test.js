// Vats with reactors on threads do what they do on one: cranks, counters, hash, store, what they print. Vats of one stage run at
// once there; threads that dawdle, and threads that end at any moment, change how long it takes.
//
// SWINGSET_RUNNER_WORKERS=long runs every demo of reactors with 1, 2, 4 and 8 threads, and 1,000 random programs. It takes
// hours, nearly all of them for starting threads: each run of a program makes up to eight, and others for those that end.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';

import { loadConfig, makeReport, makeSimulation } from '#host';
import { javaScriptClock } from '#observe';
import { makeTrace } from '#observe/trace.js';
import { makeMemoryStore, storeDigest } from '#store';
import { makeOverlappingTransports } from '#testkit';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { demoDirectory } from './compare/load.js';
import { runInLibrary } from './reactors/in-library.js';
import { runForDigest } from './reactors/in-vats.js';
import { loadPrograms } from './reactors/load.js';
import { randomProgram } from './reactors/random-program.js';
import { arbDelayedShape, arbMutatingShape, arbShape } from './reactors/random-shape.js';

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');
const isLong = process.env.SWINGSET_RUNNER_WORKERS === 'long';

/** Gives a test of many programs the time that it takes in the long form. @param {import('ava').ExecutionContext} t */
const giveTime = t => {
  if (isLong) t.timeout(4 * 3_600_000);
};

/** Programs of the table that are split over vats. */
const programs = (await loadPrograms())
  .filter(({ what }) => what.error === undefined && Object.keys(what.parts).length > 1)
  .filter((_, i) => isLong || i % 120 === 0);

/**
 * Everything that must be equal.
 *
 * @param {string} baseDir
 * @param {{ workers: number, workerDelays?: number, blockSize?: number, kills?: number, moves?: { vats: string[], count: number } }} how
 *   a thread ends behind each of the first `kills` blocks; so often a vat moves to another thread, one after the other
 */
const run = async (baseDir, { workers, workerDelays, blockSize = 200, kills = 0, moves }) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const said = [];
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store, cacheDir, workers },
    ...(workerDelays !== undefined && { workerDelays }),
    observer: {
      onConsole: (vat, level, text) => said.push(`${vat} ${level} ${text}`),
      onVatError: (vat, report) => said.push(`${vat} ${report}`),
    },
  });
  let blocks = 0;
  const places = new Map(moves?.vats.map((vat, i) => [vat, (i + 1) % (workers + 1)]));
  let begun = 0;
  /** @param {{ vats: string[], count: number }} moves */
  const moveNext = ({ vats, count }) => {
    if (begun === count || begun > (simulation.placement()?.moves ?? 0)) return;
    // Twice each: there and back.
    const vat = vats[(begun >> 1) % vats.length];
    const to = ((places.get(vat) ?? 0) + 1) % (workers + 1);
    places.set(vat, to);
    begun += 1;
    simulation.moveVat(vat, to);
  };
  const onBlock = () => {
    blocks += 1;
    if (moves !== undefined) moveNext(moves);
    if (blocks <= kills) void simulation.killWorker((blocks % simulation.workers().length) + 1);
  };
  if (moves !== undefined) moveNext(moves);
  const runOn = async () => {
    if (moves === undefined) await simulation.run({ blockSize, onBlock });
    else
      while (!simulation.isQuiet) {
        await simulation.run({ blockSize, maxCranks: blockSize, onBlock });
        // The threads get time, so that the program does not end before its vats have moved.
        if (begun > (simulation.placement()?.moves ?? 0)) await pause(5);
      }
  };
  await runOn();
  if (simulation.hasPrograms) {
    simulation.stopPrograms();
    await runOn();
  }
  const { ns: _ns, machine: _machine, ...report } = makeReport(simulation.kernel);
  const figures = simulation.workers();
  const moved = simulation.placement()?.moves ?? 0;
  await simulation.close();
  return { outcome: { report, said, digest: storeDigest(store) }, figures, blocks, moved };
};

/** Configs of the demos, but those that show physical time. */
const configs = fs
  .readdirSync(demoDirectory('reactors'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.json') && !name.startsWith('deadline'))
  .sort();

const chosen = isLong
  ? configs
  : configs.filter(name => /^(account|forkjoin|fullyconnected|sum)\//.test(name));

for (const name of chosen) {
  test.serial(`demos/reactors/${name}: the same with any number of threads`, async t => {
    const baseDir = demoDirectory(path.join('reactors', name));
    const { outcome } = await run(baseDir, { workers: 0 });
    for (const workers of isLong ? [1, 2, 4, 8] : [2]) {
      const other = await run(baseDir, { workers, workerDelays: workers });
      t.deepEqual(other.outcome, outcome, `${workers} threads`);
      t.true(other.figures.some(({ cranks }) => cranks > 0));
    }
  });
}

for (const { what, url } of programs) {
  test.serial(
    `${what.name} is the same on threads, resumed there, and when threads end`,
    async t => {
      const whole = await runForDigest(what, url, {});
      t.deepEqual(await runForDigest(what, url, { workers: 3, workerDelays: 1 }), whole);
      const cut = { blockSize: 3, workers: 2 };
      t.deepEqual(await runForDigest(what, url, { ...cut, kills: true }), whole, 'threads end');
      t.deepEqual(await runForDigest(what, url, { ...cut, reopen: true }), whole, 'resumed');
    },
  );
}

const randomModule = new URL('reactors/random-program.js', import.meta.url);

/** In vats one of these does not start, and the other does not end. */
const cannotRun = /zero-delay cycle|more than 200 microsteps/;

/** @param {import('./reactors/program.js').Program} what */
const canRun = async what => {
  try {
    await runInLibrary(what);
    return true;
  } catch (error) {
    if (cannotRun.test(/** @type {Error} */ (error).message)) return false;
    throw error;
  }
};

test.serial('random programs of reactors are the same when vats overtake each other', async t => {
  const overlapping = makeOverlappingTransports('reactors');
  await fc.assert(
    fc.asyncProperty(arbShape, fc.integer({ min: 1, max: 30 }), async (shape, blockSize) => {
      const what = randomProgram(shape, 12);
      if (!(await canRun(what))) return;
      const whole = await runForDigest(what, randomModule, {});
      t.deepEqual(await runForDigest(what, randomModule, { blockSize, overlapping }), whole);
    }),
    { numRuns: 100 },
  );
  overlapping.insistReordered();
});

// `LookAhead` throws if a vat ran ahead of something that reaches it. This was tried by breaking the condition of
// `kernel/crank/later-reactions.js`: without the delays, with direct connections only, without the head, and with `>=`.
test.serial('vats run ahead of earlier tags, and never of what reaches them', async t => {
  giveTime(t);
  const overlapping = makeOverlappingTransports('delays');
  await fc.assert(
    fc.asyncProperty(arbDelayedShape, fc.integer({ min: 1, max: 30 }), async (shape, blockSize) => {
      const what = randomProgram(shape, 40);
      if (!(await canRun(what))) return;
      const whole = await runForDigest(what, randomModule, {});
      t.deepEqual(await runForDigest(what, randomModule, { blockSize, overlapping }), whole);
    }),
    { numRuns: isLong ? 5_000 : 100 },
  );
  t.true(overlapping.counts.overtook > 300, `${overlapping.counts.overtook} ran ahead`);
});

test.serial(
  'vats whose mutations make and delete reactors are the same ahead of earlier tags',
  async t => {
    giveTime(t);
    const overlapping = makeOverlappingTransports('mutations');
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        arbMutatingShape,
        fc.integer({ min: 1, max: 30 }),
        async (shape, blockSize) => {
          const what = randomProgram(shape, 40);
          if (!(await canRun(what))) return;
          const trace = await runInLibrary(what);
          made += JSON.stringify(trace).split('child').length - 1;
          const whole = await runForDigest(what, randomModule, {});
          t.deepEqual(await runForDigest(what, randomModule, { blockSize, overlapping }), whole);
        },
      ),
      { numRuns: isLong ? 1_000 : 60 },
    );
    t.true(overlapping.counts.overtook > 30, `${overlapping.counts.overtook} ran ahead`);
    t.true(made > 100, `${made} reactions of reactors that mutations made`);
  },
);

test.serial('random programs of reactors are the same on slow threads', async t => {
  giveTime(t);
  const sizes = {
    workers: fc.constantFrom(1, 2, 4, 8),
    blockSize: fc.integer({ min: 1, max: 30 }),
  };
  const how = fc.record({ ...sizes, workerDelays: fc.nat(1_000), kills: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(arbShape, how, async (shape, way) => {
      const what = randomProgram(shape, 30);
      // Two that can run, since no random program might.
      fc.pre(await canRun(what));
      const whole = await runForDigest(what, randomModule, {});
      t.deepEqual(await runForDigest(what, randomModule, way), whole);
    }),
    { numRuns: isLong ? 1_000 : 2 },
  );
});

test.serial('random programs of reactors are the same when their vats move', async t => {
  giveTime(t);
  const how = fc.record({
    ...{ workers: fc.constantFrom(1, 2), blockSize: fc.integer({ min: 1, max: 40 }) },
    // With delays, vats move within blocks, too.
    ...{ workerDelays: fc.option(fc.nat(1_000), { nil: undefined }), kills: fc.boolean() },
  });
  let moved = 0;
  const noteMoved = (/** @type {number} */ moves) => void (moved += moves);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(arbShape, arbDelayedShape, arbMutatingShape),
      how,
      async (shape, way) => {
        const what = randomProgram(shape, 40);
        fc.pre(await canRun(what));
        const whole = await runForDigest(what, randomModule, {});
        const other = await runForDigest(what, randomModule, { ...way, moves: true, noteMoved });
        t.deepEqual(other, whole);
      },
    ),
    { numRuns: isLong ? 1_000 : 6 },
  );
  t.true(moved > 4, `${moved} moves`);
});

/** Vats that do nothing but count ticks, and send their count after every hundred. */
const counter = `
  import { Reactor } from 'swingset-runner/reactor';
  class Counter extends Reactor {
    y = this.output();
    x = this.input();
    constructor({ period }) {
      super();
      let count = 0;
      this.reaction({ triggers: this.timer(0, period), effects: this.y }, () => {
        count += 1;
        if (count % 100 === 0) this.y.set(count);
      });
      this.reaction({ triggers: this.x }, () => {
        count += this.x.get();
        console.log(count);
      });
    }
  }
  export const buildReactor = (_vatPowers, parameters) => new Counter(parameters);
`;

test.serial('vats move out of runs of quiet cranks and back, and from those ahead', async t => {
  const dir = directoryOfProcess('counters');
  fs.writeFileSync(path.join(dir, 'counter.js'), counter);
  const config = {
    bootstrap: 'one',
    vats: {
      one: { sourceSpec: 'counter.js', parameters: { period: '3 ms' } },
      two: { sourceSpec: 'counter.js', parameters: { period: '4 ms' } },
    },
    connections: [
      { from: 'one.y', to: 'two.x', after: '20 ms' },
      { from: 'two.y', to: 'one.x', after: '20 ms' },
    ],
    reactors: { timeout: '20 s' },
  };
  fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
  const { outcome } = await run(dir, { workers: 0 });
  for (const workers of [1, 2]) {
    const moves = { vats: ['one', 'two'], count: 24 };
    const other = await run(dir, { workers, blockSize: 7, moves });
    t.deepEqual(other.outcome, outcome, `${workers} threads`);
    // A vat that did not repeat its cranks would have stayed where it was.
    t.is(other.moved, moves.count, `${workers} threads`);
  }
  const inBlock = await run(dir, {
    ...{ workers: 1, workerDelays: 1, blockSize: 1_000_000 },
    moves: { vats: ['one'], count: 1 },
  });
  t.deepEqual(inBlock.outcome, outcome);
  t.deepEqual([inBlock.moved, inBlock.blocks], [1, 1], 'it moves within the only block');
});

test.serial('reactions that begin ahead of earlier tags stop if vats wait for a move', async t => {
  const dir = directoryOfProcess('tickers');
  fs.writeFileSync(path.join(dir, 'ticker.js'), counter.replace('count % 100 === 0', 'true'));
  const vat = (/** @type {string} */ period) => ({
    sourceSpec: 'ticker.js',
    parameters: { period },
  });
  const config = {
    bootstrap: 'one',
    vats: { one: vat('3 ms'), two: vat('4 ms') },
    connections: [
      { from: 'one.y', to: 'two.x', after: '10 s' },
      { from: 'two.y', to: 'one.x', after: '10 s' },
    ],
  };
  fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
  const overlapping = makeOverlappingTransports('tickers');
  /** @param {import('#kernel').Transport} transport @returns {import('#kernel').Transport} one that can begin ahead, as not all can */
  const wrapTransport = transport => {
    const wrapped = overlapping.wrap(transport);
    return wrapped.rewind === undefined ? wrapTransport(transport) : wrapped;
  };
  const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
    ...{ store: makeMemoryStore(), cacheDir, lookahead: 16, wrapTransport },
    observer: { onConsole: () => {} },
  });
  const { kernel } = simulation;
  /** Blocks, among 100, at whose end something has begun. */
  const countBegun = async () => {
    let begun = 0;
    for (let block = 0; block < 100; block += 1) {
      await simulation.run({ blockSize: 1, maxCranks: 1 });
      if (kernel.hasBegunAhead) begun += 1;
    }
    return begun;
  };
  t.true((await countBegun()) > 0);
  kernel.letBeginLater(false);
  // Reactions that have begun come to their turns.
  await countBegun();
  t.is(await countBegun(), 0);
  kernel.letBeginLater(true);
  t.true((await countBegun()) > 0);
  await simulation.close();
});

/**
 * The events of a trace without their times, by track; the tracks of workers apart.
 *
 * @param {string} baseDir
 * @param {number} workers
 */
const runTraced = async (baseDir, workers) => {
  let text = '';
  const { close, ...options } = makeTrace({
    clock: javaScriptClock,
    write(piece) {
      text += piece;
    },
  });
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: makeMemoryStore(), cacheDir, workers, ...options },
    ...(workers > 0 && { workerDelays: workers }),
  });
  await simulation.run();
  const figures = simulation.workers();
  await simulation.close();
  close();
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {Record<string, unknown[]>} */
  const tracks = {};
  /** @type {Record<string, { ts: number, dur: number }[]>} */
  const rows = {};
  for (const { name, ph, pid, tid, ts, dur, args = {} } of JSON.parse(text)) {
    if (name === 'thread_name') names.set(`${pid} ${tid}`, args.name);
    const track = `${pid} ${names.get(`${pid} ${tid}`)}`;
    if (ph !== 'X') continue;
    if (/ worker \d/.test(track)) (rows[track] ??= []).push({ ts, dur });
    const { 'in the vat, ns': _, ...rest } = args;
    if (!/ worker \d/.test(track)) (tracks[track] ??= []).push([name, rest]);
  }
  return { tracks, rows, figures };
};

for (const name of ['forkjoin/vats.json', 'account/vats.json']) {
  test.serial(
    `demos/reactors/${name}: a trace on threads has the same reactions, and a row for each thread`,
    async t => {
      const baseDir = demoDirectory(path.join('reactors', name));
      const { tracks, rows } = await runTraced(baseDir, 0);
      t.deepEqual(rows, {});
      t.true(Object.keys(tracks).some(track => track.includes(': ')));
      for (const workers of [1, 2, 4]) {
        const other = await runTraced(baseDir, workers);
        t.deepEqual(other.tracks, tracks, `${workers} threads`);
        const busy = other.figures.filter(({ cranks }) => cranks > 0);
        t.is(Object.keys(other.rows).length, busy.length);
        t.true(busy.length > 0);
        for (const slices of Object.values(other.rows)) {
          const ordered = slices.sort((left, right) => left.ts - right.ts);
          // A thread runs one crank at a time; times are written in whole nanoseconds.
          for (let i = 1; i < ordered.length; i += 1)
            t.true(ordered[i].ts > ordered[i - 1].ts + ordered[i - 1].dur - 1);
        }
      }
    },
  );
}

test.serial(
  'an observer of reactions gets those on threads, with times of its own clock',
  async t => {
    const baseDir = demoDirectory('reactors/forkjoin');
    const config = loadConfig({ configFile: path.join(baseDir, 'vats.json') });
    const observe = async (/** @type {number} */ workers) => {
      /** @type {Record<string, unknown[]>} */
      const seen = {};
      const simulation = await makeSimulation(config, {
        ...{ store: makeMemoryStore(), cacheDir, workers },
        observeReactions: vatId => {
          const own = (seen[vatId] ??= []);
          let latestNs = 0;
          return {
            tagBegan: (timeNs, microstep) => void own.push([timeNs, microstep]),
            reacted(view, startNs, endNs, isLate) {
              t.true(startNs <= endNs && endNs <= performance.now() * 1e6 && startNs >= latestNs);
              latestNs = startNs;
              own.push([view, isLate]);
            },
            ended: () => void own.push('ended'),
          };
        },
      });
      await simulation.run();
      simulation.stopPrograms();
      await simulation.run();
      const hash = simulation.activityHash();
      const figures = simulation.workers();
      await simulation.close();
      return { seen, hash, figures };
    };
    const { seen, hash } = await observe(0);
    t.true(Object.values(seen).every(own => own.length > 0));
    const other = await observe(2);
    t.is(other.hash, hash);
    t.deepEqual(other.seen, seen);
    t.true(other.figures.some(({ cranks }) => cranks > 0));
  },
);

test.serial('reactors on threads cannot be outlined', async t => {
  const configFile = path.join(demoDirectory('reactors/forkjoin'), 'vats.json');
  const simulation = await makeSimulation(loadConfig({ configFile }), {
    ...{ store: makeMemoryStore(), cacheDir, workers: 2 },
  });
  await t.throwsAsync(simulation.outlines(), {
    message:
      /vat "\w+" has reactors and runs on another thread.*; make the simulation with workers: 0/,
  });
  await simulation.close();
});
