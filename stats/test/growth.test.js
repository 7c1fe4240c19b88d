import test from 'ava';
import { analyseGrowth } from '../index.js';

/** Reproducible pseudo-random numbers. */
const makeNoise = (seed = 1) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
};

/**
 * @param {number} length
 * @param {Record<string, (row: number) => number>} columns
 */
const makeStats = (length, columns) => {
  const all = { block: (/** @type {number} */ i) => i + 1, steps: () => 7, ...columns };
  return {
    ...{ file: 'made up', label: 'made up', columns: Object.keys(all), length },
    rows: Object.fromEntries(
      Object.entries(all).map(([name, make]) => [
        name,
        Float64Array.from({ length }, (_, row) => make(row)),
      ]),
    ),
  };
};

/** @param {ReturnType<typeof analyseGrowth>} growth @param {string} name */
const trendOf = (growth, name) => {
  const trend = growth?.trends.find(each => each.name === name);
  if (trend === undefined) throw Error(`no trend of ${name}`);
  return trend;
};

test('a counter that gains three a block grows by three, ignoring the first tenth', t => {
  const stats = makeStats(1_000, {
    kernelObjects: row => (row < 90 ? 5_000 - row : 3 * row),
    kernelObjectsUp: row => 3 * row,
    kernelObjectsDown: () => 0,
    kernelObjectsMax: row => 3 * row,
  });
  const growth = analyseGrowth(stats);
  t.is(growth?.per, 'block');
  t.is(growth?.trends.length, 1);
  const { kind, slope, interval95, verdict } = trendOf(growth, 'kernelObjects');
  t.deepEqual([kind, verdict], ['held', 'grows']);
  t.true(Math.abs(slope - 3) < 1e-9 && interval95[0] <= slope && slope <= interval95[1]);
});

test('slopes are per round if the rounds are known, for any size of blocks', t => {
  // A setup of 14 cranks; rounds of 21, three blocks each.
  const stats = makeStats(301, {
    steps: row => (row === 0 ? 14 : 7),
    clistEntries: row => 100 + row,
    clistEntriesDown: () => 0,
    syscalls: row => 11 * row,
    btime: row => (row % 50 === 0 ? 9_000_000 : 70_000),
  });
  const growth = analyseGrowth(stats, { rounds: 100, cranks: 2_100 });
  t.is(growth?.per, 'round');
  t.is(growth?.to, 100);
  t.true(Math.abs(trendOf(growth, 'clistEntries').slope - 3) < 1e-9);
  const syscalls = trendOf(growth, 'syscalls');
  t.deepEqual([syscalls.kind, syscalls.verdict], ['work', 'steady']);
  t.true(Math.abs(syscalls.level - 33) < 1e-9);
  // Single slow blocks, such as collections, do not change the typical value.
  const btime = trendOf(growth, 'btime');
  t.deepEqual([btime.verdict, btime.slope], ['steady', 0]);
  t.true(Math.abs(btime.level - 210_000) < 1);
});

test('a saw without a trend is steady, and so is a trend that noise hides', t => {
  const noise = makeNoise();
  const stats = makeStats(4_000, {
    kernelObjects: row => 50 + (row % 170) * 30,
    kernelObjectsDown: row => row,
    heapUsed: row => 20e6 + (row % 37) * 1e6 + noise() * 1e6,
    rss: () => 100e6 + noise() * 10e6,
    btime: () => 70_000 + noise() * 30_000,
  });
  for (const { name, verdict, interval95 } of analyseGrowth(stats)?.trends ?? []) {
    t.is(verdict, 'steady', name);
    t.true(interval95[0] <= 0 && interval95[1] >= 0, name);
  }
});

test('under the same noise, growth is found, and its slope is in the interval', t => {
  const noise = makeNoise(7_919);
  const stats = makeStats(4_000, {
    heapUsed: row => 20e6 + row * 2_000 + (row % 37) * 1e6 + noise() * 1e6,
    btime: row => 70_000 + row * 10 + noise() * 30_000,
  });
  const growth = analyseGrowth(stats);
  for (const [name, slope] of /** @type {[string, number][]} */ ([
    ['heapUsed', 2_000],
    ['btime', 10],
  ])) {
    const trend = trendOf(growth, name);
    t.is(trend.verdict, 'grows', name);
    t.true(trend.interval95[0] <= slope && slope <= trend.interval95[1], name);
  }
});

test('a single step up is not growth, but a climb that begins late is', t => {
  const stats = makeStats(1_000, {
    heapTotal: row => (row < 600 ? 40e6 : 60e6),
    clistEntries: row => Math.max(100, row - 500),
    clistEntriesDown: () => 0,
    dispatchBringOutYourDead: row => Math.floor(row / 100),
  });
  const growth = analyseGrowth(stats);
  t.is(trendOf(growth, 'heapTotal').verdict, 'steady');
  t.is(trendOf(growth, 'clistEntries').verdict, 'grows');
  t.is(growth?.reaps, 9);
});

test('a saw of few teeth is not growth, wherever the run begins and ends', t => {
  for (let start = 0; start < 300; start += 20) {
    const stats = makeStats(1_500, {
      kernelObjects: row => 8_000 + ((row + start) % 290) * 30,
      kernelObjectsDown: row => row,
    });
    t.is(trendOf(analyseGrowth(stats), 'kernelObjects').verdict, 'steady', `from ${start}`);
  }
});

test('false alarms are as rare as the interval promises', t => {
  let alarms = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const noise = makeNoise(seed * 7_919);
    let level = 0;
    const stats = makeStats(600, {
      // Correlated with its past, like memory.
      rss: () => {
        level = level * 0.8 + noise();
        return 10 + level;
      },
    });
    if (trendOf(analyseGrowth(stats), 'rss').verdict !== 'steady') alarms += 1;
  }
  t.true(alarms <= 24, `${alarms} of 200`);
});

test('counters that begin at 0 and counters that shrink are listed; a short run is not judged', t => {
  const stats = makeStats(100, {
    kpRejected: row => Math.max(0, row - 60),
    kpRejectedDown: () => 0,
    disk: row => 1e6 - row * 1e3,
  });
  const growth = analyseGrowth(stats);
  t.is(trendOf(growth, 'kpRejected').verdict, 'grows');
  t.is(trendOf(growth, 'disk').verdict, 'shrinks');
  t.is(growth?.trends[0].name, 'kpRejected');
  t.is(analyseGrowth(makeStats(8, { disk: () => 1 })), undefined);
});

test('a few slow blocks make no time negative, and none that begins from nothing', t => {
  // The line falls below 0 at the end of the one run, and begins below it in the other.
  const stats = makeStats(20, {
    btime: row => (row < 4 ? 7_000_000 : 70_000),
    ctime: row => (row > 17 ? 7_000_000 : 70_000),
  });
  const growth = analyseGrowth(stats);
  const { level, change, verdict } = trendOf(growth, 'btime');
  t.is(level, 0);
  t.true(change >= -1, String(change));
  t.is(verdict, 'steady');
  const commit = trendOf(growth, 'ctime');
  t.true(commit.level > 0 && commit.change > 0 && commit.change < Infinity, String(commit.change));
});

test('an empty cell leaves its column out', t => {
  const growth = analyseGrowth(
    makeStats(50, { disk: row => (row === 30 ? NaN : 1), rss: () => 1 }),
  );
  t.deepEqual(
    growth?.trends.map(({ name }) => name),
    ['rss'],
  );
});
