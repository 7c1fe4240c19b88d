// The process that asks for pictures is locked down, as the runner's is.
import '#testkit/lockdown.js';
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import test from 'ava';
import {
  drawGraph,
  makeChartSpec,
  makeStatsRecorder,
  renderChart,
  renderCharts,
} from '../index.js';
import { startRenderer } from '../render.js';
import { makeUpRun } from './made-up-run.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stats-render-'));
test.after.always(() => fs.rmSync(folder, { recursive: true }));
const at = (/** @type {string} */ name) => path.join(folder, name);

const file = at('stats-pingpong.tsv');
const { rows, length } = makeUpRun(300);
const recorder = makeStatsRecorder({ path: file, columns: ['syscalls'] });
for (let i = 0; i < length; i += 1) {
  recorder.row({
    block: rows.block[i],
    steps: rows.steps[i],
    btimeNs: rows.btime[i],
    ctimeNs: rows.ctime[i],
    memory: {
      rss: rows.rss[i],
      heapTotal: rows.heapTotal[i],
      heapUsed: rows.heapUsed[i],
      external: rows.external[i],
    },
    diskBytes: rows.disk[i],
    counters: [rows.syscalls[i]],
  });
}
recorder.close();
const start = (/** @type {string} */ name) =>
  fs.readFileSync(at(name)).subarray(0, 8).toString('latin1');

const small = at('small');
fs.mkdirSync(small);
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', small]).status === 0;

(canMount ? test : test.skip)('a picture on a full disk is not left in parts', async t => {
  t.teardown(() => spawnSync('umount', ['-l', small]));
  fs.writeFileSync(path.join(small, 'old.svg'), 'an old one');
  for (const name of ['old.svg', 'new.png'])
    await t.throwsAsync(
      renderCharts([{ kind: 'time', files: [file], out: path.join(small, name) }]),
      {
        message: /cannot be written \(ENOSPC\)/,
      },
    );
  t.deepEqual(fs.readdirSync(small), ['old.svg']);
  t.is(fs.readFileSync(path.join(small, 'old.svg'), 'utf8'), 'an old one');
});

test('a picture is written in place where there can be no draft beside it', async t => {
  // The longest name that a folder takes.
  const name = `${'n'.repeat(251)}.svg`;
  for (const kind of /** @type {const} */ (['time', 'memory'])) {
    await renderCharts([{ kind, files: [file], out: at(name) }]);
    t.is(start(name), '<svg xml');
  }
  fs.rmSync(at(name));
});

test('every format is drawn, and the same input gives the same bytes', async t => {
  const endings = ['png', 'pdf', 'svg', 'html', 'vl.json'];
  const files = ['stats-pingpong.tsv', 'stats-pingpong.tsv'].map(at);
  /** @param {string} name */
  const job = name => ({
    kind: /** @type {const} */ ('time'),
    files,
    labels: ['one & <two>', 'b'],
    out: at(name),
  });
  // The second time in another order and process: what was drawn before must leave no trace.
  await renderCharts(endings.map(ending => job(`a.${ending}`)));
  await renderCharts(endings.toReversed().map(ending => job(`b.${ending}`)));
  for (const ending of endings) {
    t.true(fs.readFileSync(at(`a.${ending}`)).equals(fs.readFileSync(at(`b.${ending}`))), ending);
  }
  t.is(start('a.png'), '\x89PNG\r\n\x1a\n');
  t.regex(start('a.pdf'), /^%PDF-1/);
  t.is(
    JSON.parse(fs.readFileSync(at('a.vl.json'), 'utf8')).$schema,
    'https://vega.github.io/schema/vega-lite/v6.json',
  );
  const svg = fs.readFileSync(at('a.svg'), 'utf8');
  t.true(svg.includes('one &amp; &lt;two>: block') || svg.includes('one &amp; &lt;two&gt;: block'));
  t.true(svg.includes('font-family="Inter, '));
});

test('a long label is not cut off', async t => {
  const label =
    'a run with a label as long as a sentence, which nobody should have to guess the end of, whatever its length';
  await drawGraph({
    kind: 'memory',
    files: [file, file],
    labels: [label, 'b'],
    out: at('long.svg'),
  });
  const svg = fs.readFileSync(at('long.svg'), 'utf8');
  t.true(svg.includes(label));
  t.false(svg.includes('…'));
});

test('a page of runs and one of a specification hold all they need', async t => {
  await drawGraph({ kind: 'stats', files: [file], labels: ['</script><b>'], out: at('page.html') });
  await renderChart(makeChartSpec('disk', [makeUpRun(5)]), at('own.html'));
  for (const name of ['page.html', 'own.html']) {
    const html = fs.readFileSync(at(name), 'utf8');
    t.notRegex(html, /<(script|link|img)[^>]*(src|href)="(?!data:)/);
    const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
      ([, text]) => text,
    );
    t.is(scripts.length, 3);
    const [data, ...code] = scripts;
    t.notThrows(() => JSON.parse(data));
    for (const text of code) t.notThrows(() => new vm.Script(text));
  }
  const html = fs.readFileSync(at('page.html'), 'utf8');
  t.true(html.includes('<title>Kernel counters: &lt;/script&gt;&lt;b&gt;</title>'));
});

test("a user's specification is drawn", async t => {
  await renderChart(makeChartSpec('disk', [makeUpRun(5)]), at('own.svg'));
  t.regex(fs.readFileSync(at('own.svg'), 'utf8'), /Database on disk: run of 5/);
});

test('an unknown ending is refused before anything is drawn', async t => {
  await t.throwsAsync(drawGraph({ kind: 'time', files: [file], out: at('x.jpg') }), {
    name: 'UserError',
    message:
      /x\.jpg": its name says no format; end it in \.png, \.pdf, \.svg, \.html \(interactive\) or \.vl\.json/,
  });
});

test('wrong arguments are named', async t => {
  const out = at('x.svg');
  for (const nothing of [undefined, {}, { kind: 'time', files: [file] }])
    await t.throwsAsync(drawGraph(/** @type {any} */ (nothing)), {
      name: 'UserError',
      message: /^a chart needs the file to write, got undefined; give \{ kind/,
    });
  await t.throwsAsync(drawGraph({ kind: 'time', files: [], out }), {
    message: /needs one stats file/,
  });
  await t.throwsAsync(drawGraph({ kind: 'time', files: [file], labels: ['a', 'b'], out }), {
    message: /^2 labels for 1 stats file;/,
  });
  const unknown = /** @type {any} */ ('cpu');
  await t.throwsAsync(drawGraph({ kind: unknown, files: [file], out }), {
    message: /^no graph of "cpu"/,
  });
  await t.notThrowsAsync(renderCharts([]));
});

test('a chart that fails is reported in one line, and the others are drawn', async t => {
  fs.writeFileSync(at('short.tsv'), 'block\tsteps\n1\t7\n');
  const error = await t.throwsAsync(
    renderCharts([
      { kind: 'disk', files: [at('short.tsv')], out: at('no.svg') },
      { kind: 'disk', files: [at('none.tsv')], out: at('no.svg') },
      { kind: 'disk', files: [file], out: at('yes.svg') },
      { kind: 'disk', files: [file], out: at('no/folder.svg') },
    ]),
    { name: 'UserError' },
  );
  t.regex(
    error.message,
    /^\S*short\.tsv: has no column "disk"; run again with --logdisk; no stats file "\S*none\.tsv"; .*; graph "\S*folder\.svg" cannot be written \(ENOENT\); [^\n]*$/,
  );
  t.true(fs.existsSync(at('yes.svg')));
  t.false(fs.existsSync(at('no.svg')));
});

test('a faulty specification is an error in one line that names the file', async t => {
  await t.throwsAsync(renderChart({ mark: 'no such mark', encoding: {} }, at('bad.svg')), {
    message: /^graph "\S*bad\.svg": [^\n]+$/,
  });
});

test('the example of the README runs', async t => {
  const readme = fs.readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? t.fail('no example');
  const script = at('example.mjs');
  fs.writeFileSync(
    script,
    example.replace('swingset-runner/stats', new URL('../index.js', import.meta.url).href),
  );
  const { execFileSync } = await import('node:child_process');
  const output = execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  t.regex(output, /^(100|99\.99\d*|100\.00\d*) ns more in each block\n$/);
  t.true(fs.existsSync(at('time.svg')));
});

const drawEarly = (/** @type {string} */ name) => [
  { kind: /** @type {const} */ ('time'), files: [file], out: at(name) },
];

test('a drawing process that was started early draws the same, and one that was ended is replaced', async t => {
  await renderCharts(drawEarly('late.png'));
  await startRenderer().render(drawEarly('early.png'));
  const ended = startRenderer();
  ended.end();
  await new Promise(resolve => setTimeout(resolve, 50));
  await ended.render(drawEarly('again.png'));
  const bytes = fs.readFileSync(at('late.png'));
  for (const name of ['early.png', 'again.png']) t.true(fs.readFileSync(at(name)).equals(bytes));
});

test('a drawing process without work lets its parent end', async t => {
  const script = `import { startRenderer } from ${JSON.stringify(new URL('../render.js', import.meta.url).href)};
    startRenderer();`;
  const child = execFile(process.execPath, ['--input-type=module', '-e', script]);
  const code = await new Promise(resolve => child.once('close', resolve));
  t.is(code, 0);
});
