import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { chartKinds, makeChartSpec } from '../index.js';
import { findCounters } from '../charts/counters.js';
import { makePageModel } from '../charts/page-model.js';
import {
  contrastToDark,
  contrastToWhite,
  toneForDark,
  fieldShade,
  forDark,
  hueCount,
  paleTone,
  runDash,
  runHue,
} from '../charts/palette.js';
import { makeLines } from '../charts/series.js';
import { readRunFlags } from '../run-flags.js';
import { compileChart } from '../draw/picture.js';
import { makeUpRun } from './made-up-run.js';

/** @import { Spec } from '../charts/frame.js' */
/** @import { Dataset } from '../charts/series.js' */

/** All layers of all panels. @type {(spec: Spec) => Spec[]} */
const layersOf = spec =>
  [spec.vconcat, spec.concat, spec.layer]
    .flatMap(parts => parts ?? [])
    .flatMap(layersOf)
    .concat(spec.mark ? [spec] : []);
const subtitleOf = (/** @type {Spec} */ spec) => spec.title.subtitle.join(' ');
/** Legend entries of the first coloured layer. */
const legendOf = (/** @type {Spec} */ spec) =>
  layersOf(spec).find(({ encoding }) => encoding.color)?.encoding.color.scale.domain;
const manyRuns = (/** @type {number} */ count, blocks = 50) =>
  Array.from({ length: count }, (_, i) => makeUpRun(blocks, { label: `run ${i}`, seed: i }));

for (const kind of chartKinds) {
  for (const [what, runs] of /** @type {const} */ ([
    ['a run of 1 block', [makeUpRun(1)]],
    ['a run of 2 blocks', [makeUpRun(2)]],
    ['a run of 10,000 blocks', [makeUpRun(10_000)]],
    ['two runs of different length', [makeUpRun(100), makeUpRun(3000)]],
    ['sixteen runs', manyRuns(16)],
  ])) {
    for (const interactive of [false, true]) {
      test(`${kind} of ${what}${interactive ? ', interactive,' : ''} compiles without a warning`, async t => {
        await t.notThrowsAsync(compileChart(makeChartSpec(kind, runs, { interactive })));
      });
    }
  }
}

test('layers are clipped in pages, where a reader zooms, and elsewhere only if a line leaves the scale', t => {
  const isClipped = (/** @type {Spec} */ layer) => layer.mark.clip === true;
  for (const kind of /** @type {const} */ (['time', 'memory', 'disk', 'stats'])) {
    for (const runs of [[makeUpRun(300)], manyRuns(4)]) {
      t.false(layersOf(makeChartSpec(kind, runs)).some(isClipped), kind);
      t.true(layersOf(makeChartSpec(kind, runs, { interactive: true })).some(isClipped), kind);
    }
  }
  const slowEnd = makeUpRun(3000);
  for (let i = 2975; i < 3000; i += 1) slowEnd.rows.btime[i] *= 1000;
  const [line] = layersOf(makeChartSpec('time', [slowEnd])).filter(
    ({ mark, data, encoding }) =>
      mark.type === 'line' &&
      data.values.some((/** @type {Spec} */ { y }) => y > encoding.y.scale.domain[1]),
  );
  t.true(isClipped(line));
});

test('a chart of 100,000 blocks stays small and states its sampling', t => {
  const run = makeUpRun(100_000);
  for (const kind of chartKinds) {
    const spec = makeChartSpec(kind, [run]);
    for (const { data } of layersOf(spec)) t.true(data.values.length <= 8_000, kind);
    t.true(JSON.stringify(spec).length < 1_000_000);
  }
  const subtitle = subtitleOf(makeChartSpec('time', [run]));
  t.regex(subtitle, /^100,000 blocks, 7 to 11 cranks each\. /);
  t.regex(subtitle, /rolling median of 2,001 blocks\. Points: one block of 33, and the slowest/);
});

test('a few blocks are drawn as full marks, without a percentile', t => {
  const one = makeChartSpec('time', [makeUpRun(1)]);
  t.is(layersOf(one)[0].encoding.opacity.value, 1);
  t.regex(subtitleOf(one), /^1 block, \d+ cranks\. .* Time per block: [\d.]+ [mµ]s\.$/);
  const few = subtitleOf(makeChartSpec('time', [makeUpRun(5)]));
  t.regex(few, /median [\d.]+ [mµ]s, at most [\d.]+ [mµ]s\.$/);
  t.regex(subtitleOf(makeChartSpec('time', [makeUpRun(50)])), /95 % under [\d.]+ [mµ]s\.$/);
});

test('a run of one block beside longer ones is drawn as a full mark', t => {
  const marks = (/** @type {number} */ blocks) =>
    layersOf(
      makeChartSpec('time', [makeUpRun(300), makeUpRun(blocks, { label: 'short', seed: 3 })]),
    )
      .filter(({ mark }) => mark.type === 'point' && mark.size >= 70)
      .flatMap(({ data }) => data.values);
  const [mark, ...others] = marks(1);
  t.regex(mark.line, /short/);
  t.true(others.every(({ line }) => /short/.test(line)));
  t.deepEqual(marks(2), []);
});

test('a run of one block is seen in charts of memory, disk and counters, alone and beside longer ones', t => {
  const short = (/** @type {object} */ more = {}) => makeUpRun(1, { label: 'short', ...more });
  for (const kind of /** @type {const} */ (['memory', 'disk', 'stats'])) {
    const beside = layersOf(makeChartSpec(kind, [makeUpRun(300), short({ seed: 3 })]));
    const seen = beside.filter(
      ({ mark, data }) =>
        (mark.type === 'point' || mark.point) &&
        data.values.some((/** @type {Spec} */ { line }) => /short/.test(line)),
    );
    t.true(seen.length > 0, kind);
  }
  const run = short();
  const used = ['diskTables', 'diskStreams', 'diskLog'];
  used.forEach((name, i) => {
    run.rows[name] = Float64Array.of(1000 * (i + 1));
  });
  const alone = makeChartSpec('disk', [{ ...run, columns: [...run.columns, ...used] }]);
  // An area of one block would have no width.
  const [stack] = layersOf(alone);
  t.is(stack.mark.type, 'bar');
  t.deepEqual(
    stack.data.values.map((/** @type {Spec} */ { low, y }) => [low, y]),
    [
      [0, 1],
      [1, 3],
      [3, 6],
    ],
  );
});

test('counters that only rise are not drawn of one block, and are named', t => {
  const run = makeUpRun(1);
  t.regex(
    subtitleOf(makeChartSpec('stats', [run])),
    /Not drawn, as a rate needs two blocks: .*syscalls/,
  );
  const rows = { block: run.rows.block, steps: run.rows.steps, syscalls: Float64Array.of(5) };
  t.throws(() => makeChartSpec('stats', [{ ...run, columns: Object.keys(rows), rows }]), {
    message: /its counters only rise, and are drawn from the second block on; run again with/,
  });
});

test('a pause does not determine the scale of the time chart, and is marked and counted', t => {
  const spec = makeChartSpec('time', [makeUpRun(1000)]);
  const [top] = layersOf(spec).map(({ encoding }) => encoding.y.scale.domain[1]);
  t.true(top < 3, `${top} ms`);
  const marks = layersOf(spec).find(({ mark }) => mark.shape === 'triangle-up');
  t.true(marks?.data.values.some((/** @type {Spec} */ { took, y }) => took > 30 && y === top));
  t.regex(subtitleOf(spec), /Triangles: \d+ times above the scale, the highest 30\.\d ms\./);
});

test('runs that differ much get a log scale by default', async t => {
  const runs = [
    makeUpRun(100, { baseNs: 3e4, commitNs: 0 }),
    makeUpRun(100, { label: 'slow', baseNs: 3e6 }),
  ];
  const spec = makeChartSpec('time', runs);
  t.is(layersOf(spec)[0].encoding.y.scale.type, 'log');
  t.regex(subtitleOf(spec), /Log scale\. Times of 0 \(100\) are not shown\./);
  const linear = makeChartSpec('time', runs, { scale: 'linear' });
  t.is(layersOf(linear)[0].encoding.y.scale.type, undefined);
  const crowd = [...runs, ...manyRuns(3)].map(run => {
    run.rows.ctime.fill(0);
    return run;
  });
  await t.notThrowsAsync(compileChart(makeChartSpec('time', crowd, { scale: 'log' })));
});

test('the time of a crank is the time of its block by the cranks in it', t => {
  const run = makeUpRun(30);
  const points = layersOf(makeChartSpec('time', [run], { per: 'crank' }))[0].data.values;
  const first = points.find(
    (/** @type {Spec} */ { x, line }) => x === 30 && line === 'of it, commit',
  );
  t.true(Math.abs(first.y - run.rows.ctime[29] / 7000) < 1e-3);
});

test('a legend names each line once, even with equal labels', t => {
  const same = [makeUpRun(20, { label: 'a' }), makeUpRun(20, { label: 'a' })];
  t.deepEqual(legendOf(makeChartSpec('disk', same)), ['a', 'a (2)']);
  t.deepEqual(legendOf(makeChartSpec('memory', [makeUpRun(20)])), [
    'rss',
    'heapTotal',
    'heapUsed',
    'external',
  ]);
  t.deepEqual(legendOf(makeChartSpec('time', same)), [
    'a: block',
    'a: of it, commit',
    'a (2): block',
    'a (2): of it, commit',
  ]);
  t.is(legendOf(makeChartSpec('time', manyRuns(16))).length, 16);
});

test('thirty-two runs differ by hue and stroke, more are refused', t => {
  const looks = Array.from({ length: 4 * hueCount }, (_, run) => `${runHue(run)} ${runDash(run)}`);
  t.is(new Set(looks).size, 4 * hueCount);
  t.throws(() => makeChartSpec('disk', manyRuns(33)), {
    message: /33 runs are too many for one graph; up to 32/,
  });
  const shades = [0, 1, 2, 3].map(field => fieldShade(0, field, 4));
  t.is(new Set(shades).size, 4);
});

test('every colour has a contrast of 3:1 to white at least', t => {
  for (let run = 0; run < hueCount; run += 1) {
    for (const fields of [1, 2, 3, 4]) {
      for (let field = 0; field < fields; field += 1) {
        const shade = fieldShade(run, field, fields);
        t.true(contrastToWhite(shade) >= 3, `${shade} of run ${run}`);
      }
    }
  }
});

test('runs of one label are distinguished by the differing parts of their paths', t => {
  const runs = ['out/plain/pingpong/stats.tsv', 'out/forcegc/pingpong/stats.tsv'].map(file => ({
    ...makeUpRun(20, { label: 'pingpong' }),
    file,
  }));
  t.deepEqual(legendOf(makeChartSpec('disk', runs)), ['pingpong (plain)', 'pingpong (forcegc)']);
  // By their flags where these are known and differ.
  const flagged = runs.map((run, i) => ({ ...run, flags: ['', '--forcegc'][i] }));
  t.deepEqual(legendOf(makeChartSpec('disk', flagged)), ['pingpong', 'pingpong --forcegc']);
  const alike = runs.map(run => ({ ...run, flags: '--forcegc' }));
  t.deepEqual(legendOf(makeChartSpec('disk', alike)), ['pingpong (plain)', 'pingpong (forcegc)']);
});

test('the flags of a run are those of the report beside its stats file, if it is of that run', t => {
  const folder = temporaryDirectory(t);
  const file = join(folder, 'stats.tsv');
  const steps = Float64Array.of(7, 7);
  const report = (/** @type {object} */ more) =>
    writeFileSync(
      join(folder, 'report.json'),
      JSON.stringify({ profile: 'current', totalCranks: 12, controlCranks: 2, ...more }),
    );
  t.is(readRunFlags(file, steps), undefined);
  report({});
  t.is(readRunFlags(file, steps), '');
  report({ profile: '2020-09', forcedCollections: { count: 1, ns: 1 }, workers: [{}, {}] });
  t.is(readRunFlags(file, steps), '--profile 2020-09 --forcegc --workers 2');
  report({ totalCranks: 13 });
  t.is(readRunFlags(file, steps), undefined);
  writeFileSync(join(folder, 'report.json'), 'null');
  t.is(readRunFlags(file, steps), undefined);
});

test("a chart's note is in its subtitle", t => {
  for (const kind of chartKinds) {
    const note = 'Garbage collection forced after each crank.';
    t.true(subtitleOf(makeChartSpec(kind, [makeUpRun(20)], { note })).includes(note));
  }
});

test('counters that do not change say whether they are held or counted per crank', t => {
  const run = makeUpRun(20);
  let sum = 0;
  run.rows.dispatches = run.rows.steps.map(cranks => (sum += cranks));
  t.regex(
    subtitleOf(makeChartSpec('stats', [run])),
    /Constant: kernelDevices 1\. Constant per crank: dispatches 1\./,
  );
});

test('counters with an Up column are held, the others counted per crank, idle ones left out', t => {
  const run = makeUpRun(20);
  t.deepEqual(findCounters(run.columns), {
    held: ['kernelObjects', 'kernelDevices', 'kpRejected', 'runQueueLength'],
    counted: ['syscalls', 'dispatches'],
  });
  const spec = makeChartSpec('stats', [run]);
  const panels = spec.vconcat.map((/** @type {Spec} */ { concat }) =>
    concat.map((/** @type {Spec} */ { title }) => title.text),
  );
  t.deepEqual(panels, [
    ['kernelObjects', 'runQueueLength'],
    ['syscalls', 'dispatches'],
  ]);
  t.regex(subtitleOf(spec), /Constant: kernelDevices 1\. Always 0: kpRejected\./);
  const rates = layersOf(spec.vconcat[1].concat[0])[0].data.values;
  t.deepEqual(rates[0], { x: 2, y: 1.57143, line: run.label });
});

test('counts per crank leave out gaps between rows', t => {
  const whole = makeUpRun(20);
  const isKept = (/** @type {number} */ i) => i < 8 || i >= 13;
  const rows = Object.fromEntries(
    Object.entries(whole.rows).map(([name, values]) => [name, values.filter((_, i) => isKept(i))]),
  );
  const ratesOf = (/** @type {typeof whole} */ run) =>
    layersOf(makeChartSpec('stats', [run]).vconcat[1].concat[0])[0].data.values;
  const kept = ratesOf(whole).filter((/** @type {{ x: number }} */ { x }) => x <= 8 || x >= 15);
  t.deepEqual(ratesOf({ ...whole, rows, length: 15 }), kept);
});

test('runs with different counters share the panels that both have', async t => {
  const old = makeUpRun(20, { label: 'old' });
  old.columns = old.columns.filter(name => name !== 'dispatches');
  delete old.rows.dispatches;
  const spec = makeChartSpec('stats', [makeUpRun(20), old]);
  const panel = spec.vconcat[1].concat[1];
  t.is(panel.title.text, 'dispatches');
  t.deepEqual(
    layersOf(panel).map(({ data }) => data.values.length),
    [19, 0],
  );
  await t.notThrowsAsync(compileChart(spec));
});

test("a run without a chart's columns is named with the remedy", t => {
  const run = { ...makeUpRun(20, { label: 'x' }), columns: ['block', 'steps', 'rss'] };
  const message = (/** @type {import('../index.js').ChartKind} */ kind) =>
    t.throws(() => makeChartSpec(kind, [run]), { name: 'UserError' }).message;
  t.is(message('time'), 'x.tsv: has no column "btime", "ctime"; run again with --logtimes');
  t.is(
    message('memory'),
    'x.tsv: has no column "heapTotal", "heapUsed", "external"; run again with --logmem',
  );
  t.is(message('disk'), 'x.tsv: has no column "disk"; run again with --logdisk');
  t.is(message('stats'), 'x.tsv: has no column of a counter; run again with --logstats');
  const empty = makeUpRun(20);
  empty.rows.disk.fill(NaN);
  t.throws(() => makeChartSpec('disk', [empty]), { message: /column "disk" has no values/ });
  t.throws(() => makeChartSpec('disk', []), { message: 'a graph needs one stats file at least' });
  const unknown = /** @type {any} */ ('cpu');
  t.throws(() => makeChartSpec(unknown, [run]), {
    message: 'no graph of "cpu"; there are time, cycles, memory, disk, stats',
  });
});

test('a size that was measured in some blocks only is drawn from those', t => {
  const run = makeUpRun(100);
  run.rows.disk.forEach((_, i) => {
    if (i % 10) run.rows.disk[i] = NaN;
  });
  t.is(layersOf(makeChartSpec('disk', [run]))[0].data.values.length, 10);
});

test('the bytes in use of a run are stacked, those of several runs are summed', async t => {
  const withUse = (/** @type {string} */ label) => {
    const run = makeUpRun(30, { label });
    const { disk } = run.rows;
    run.rows.diskTables = disk.map(() => 3000);
    run.rows.diskStreams = disk.map(() => 2000);
    run.rows.diskLog = disk.map((_, i) => 100 * i);
    return { ...run, columns: [...run.columns, 'diskTables', 'diskStreams', 'diskLog'] };
  };
  const one = makeChartSpec('disk', [withUse('a')]);
  t.deepEqual(legendOf(one), [
    'tables',
    'transcripts and other streams',
    'log of the latest blocks',
  ]);
  const [area] = layersOf(one);
  t.is(area.mark.type, 'area');
  const last = area.data.values.slice(-3);
  t.deepEqual(
    last.map((/** @type {Spec} */ { low, y, own }) => [low, y, own]),
    [
      [0, 3, 3],
      [3, 5, 2],
      [5, 7.9, 2.9],
    ],
  );
  const young = withUse('a');
  young.rows.diskTables = young.rows.diskTables.map(() => 0);
  const some = makeChartSpec('disk', [young]);
  t.deepEqual(legendOf(some), ['transcripts and other streams', 'log of the latest blocks']);
  t.true(subtitleOf(some).includes('Nothing yet: tables.'));
  const two = makeChartSpec('disk', [withUse('a'), withUse('b')]);
  t.deepEqual(legendOf(two), ['a', 'b']);
  t.is(layersOf(two)[0].data.values.at(-1).y, 7.9);
  // A file without these columns, as of an older version or of a run in memory.
  const old = makeUpRun(30, { label: 'a' });
  t.deepEqual(legendOf(makeChartSpec('disk', [old])), ['a']);
  await t.notThrowsAsync(
    compileChart(makeChartSpec('disk', [withUse('a')], { interactive: true })),
  );
});

test('coinciding runs get alternating dashes, so that none hides another', t => {
  const runs = Array.from({ length: 6 }, (_, i) => makeUpRun(200, { label: `run ${i}` }));
  // Dashes of counters are those of a panel (below).
  for (const kind of chartKinds.filter(each => each !== 'stats')) {
    const dashed = layersOf(makeChartSpec(kind, runs)).find(({ encoding }) => encoding.strokeDash);
    const { domain, range } = dashed?.encoding.strokeDash.scale ?? { range: [] };
    t.is(new Set(range.map(String)).size, 6, kind);
    // The gaps of a line are longer the later it is drawn, within one period.
    const stretches = range.map((/** @type {number[]} */ [on, off]) => (off === 0 ? 42 : on));
    t.deepEqual(stretches, [42, 35, 28, 21, 14, 7], kind);
    t.is(domain.length, 6);
  }
  const apart = [makeUpRun(200, { label: 'a' }), makeUpRun(200, { label: 'b', baseNs: 3e6 })];
  t.true(makeLines(apart, ['btime'], { remedy: '' }).every(({ dash }) => dash[1] === 0));
});

test('the horizontal axis counts blocks, time or the share of a run', async t => {
  const [short, long] = [makeUpRun(31, { label: 'short' }), makeUpRun(501, { label: 'long' })];
  const lastOf = (/** @type {Parameters<typeof makeLines>[0]} */ runs, /** @type {any} */ x) =>
    makeLines(runs, ['rss'], { remedy: '', x }).map(({ xs }) => xs.at(-1));
  t.deepEqual(lastOf([short, long], 'block'), [31, 501]);
  t.deepEqual(lastOf([short, long], undefined), [100, 100]);
  t.deepEqual(lastOf([makeUpRun(150), long], undefined), [150, 501]);
  const seconds = short.rows.btime.reduce((sum, ns) => sum + ns, 0) / 1e9;
  t.deepEqual(lastOf([short], 'time'), [seconds]);
  t.regex(subtitleOf(makeChartSpec('disk', [short, long])), /compared by the share/);
  t.throws(() => lastOf([short], 'day'), {
    message: 'no axis of "day"; there are block, time, share',
  });
  for (const kind of chartKinds) {
    for (const x of /** @type {const} */ (['time', 'share'])) {
      await t.notThrowsAsync(compileChart(makeChartSpec(kind, [short, long], { x })));
    }
  }
});

test('points of single blocks have enough contrast, on a light and a dark page', t => {
  for (let run = 0; run < hueCount; run += 1) {
    for (const field of [0, 1]) {
      const shade = fieldShade(run, field, 2);
      t.true(contrastToWhite(paleTone(shade)) >= 3, `${shade} of run ${run}`);
      t.true(contrastToDark(toneForDark(shade)) >= 3, `${shade} of run ${run} in the dark`);
    }
  }
  const [points] = layersOf(makeChartSpec('time', [makeUpRun(100)]));
  for (const { tone } of points.data.values) t.true(contrastToWhite(tone) >= 3);
});

test('every colour of a dark page has enough contrast', t => {
  for (let run = 0; run < hueCount; run += 1) {
    t.true(contrastToDark(forDark(runHue(run))) >= 3);
  }
});

test('files without times of commits, as of SwingSet’s own runner, show the times of their blocks', t => {
  const without = (/** @type {Dataset} */ run) => ({
    ...run,
    columns: run.columns.filter(name => name !== 'ctime'),
  });
  const alone = makeChartSpec('time', [without(makeUpRun(50))]);
  t.deepEqual(legendOf(alone), ['run of 50']);
  t.regex(
    subtitleOf(alone),
    /Not drawn: times of commits, which a file lacks\. .*Time per block: median/,
  );
  const [first, ...others] = manyRuns(5);
  const many = makeChartSpec('time', [without(first), ...others]);
  t.is(many.vconcat, undefined, 'one panel');
  t.is(legendOf(many).length, 5);
  t.regex(subtitleOf(makeChartSpec('time', others)), /the commit's part has a panel of its own/);
  const page = makePageModel('time', [without(first), ...others], {});
  t.deepEqual(
    page.panels.map(({ title }) => title),
    ['Time'],
  );
});

test('lines of counters have dashes only in panels where they coincide, so none has gaps', t => {
  const same = makeUpRun(50, { label: 'a' });
  const twin = { ...same, label: 'b' };
  const other = makeUpRun(50, { label: 'c' });
  // The third run coincides with the others in one counter only.
  other.rows.kernelObjects = other.rows.kernelObjects.map(value => 3 * value);
  const spec = makeChartSpec('stats', [same, twin, other]);
  const panels = spec.vconcat.flatMap((/** @type {Spec} */ { concat }) => concat);
  const dashesOf = (/** @type {string} */ counter) =>
    panels
      .find((/** @type {Spec} */ { title }) => title.text === counter)
      .layer.map((/** @type {Spec} */ { mark }) => mark.strokeDash);
  t.deepEqual(dashesOf('kernelObjects'), [undefined, [7, 7], undefined]);
  t.deepEqual(dashesOf('syscalls'), [undefined, [14, 7], [7, 14]]);
});

test('a long title has several lines, and words that are longer than a line are cut', t => {
  const label = `${'word '.repeat(30)}${'x'.repeat(200)}`;
  for (const spec of [
    makeChartSpec('disk', [makeUpRun(5)], { title: label }),
    makeChartSpec('time', [makeUpRun(5, { label })]),
  ]) {
    const { text, subtitle } = spec.title;
    t.true(text.length >= 4);
    for (const line of [...text, ...subtitle]) t.true(line.length <= 138, line);
    for (const line of text) t.true(line.length <= 84, line);
  }
  t.is(makeChartSpec('disk', [makeUpRun(5)], { title: 'short' }).title.text, 'short');
});
