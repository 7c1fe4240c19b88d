// The interactive pages of charts in a browser: they open in time, are accessible (axe-core's rules, WCAG 2.2 A and AA), and
// their controls do what they say. It needs Chromium or Chrome (scripts/prepare-chromium.sh).

import test from 'ava';
import { makeUpRun } from '../stats/test/made-up-run.js';
import { makePageModel } from '../stats/charts/page-model.js';
import { makeSavinaChart } from '../stats/charts/savina.js';
import { drawPage } from '../stats/draw/page.js';
import { drawRunsPage } from '../stats/draw/runs-page.js';
import { browser } from './browser/chromium.js';
import { inPage } from './browser/in-page.js';

const ifBrowser = browser === undefined ? test.skip : test.serial;

const twoRuns = () => [
  makeUpRun(300, { label: 'memory' }),
  makeUpRun(300, { label: '</script><b>disk', seed: 2 }),
];

for (const kind of /** @type {const} */ (['time', 'memory', 'stats'])) {
  ifBrowser(`the page of ${kind} breaks no rule of accessibility, light or dark`, async t => {
    t.timeout(120_000);
    const found = await inPage(
      t,
      await drawRunsPage(makePageModel(kind, twoRuns(), {})),
      `
      const check = async () => (await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }))
        .violations.map(({ id, nodes }) => id + ': ' + nodes[0].html);
      const light = await check();
      const dark = document.getElementById('dark');
      const look = () => getComputedStyle(dark).boxShadow;
      const before = look();
      dark.click();
      if (look() === before) throw Error('a pressed button looks like one that is not');
      document.querySelector('details').open = true;
      return { light, dark: await check(), theme: document.documentElement.dataset.theme };
      `,
    );
    t.deepEqual(found, { light: [], dark: [], theme: 'dark' });
  });
}

ifBrowser(
  'the legend hides and shows lines, the axis moves, and what is saved is what is shown',
  async t => {
    t.timeout(120_000);
    const found = await inPage(
      t,
      await drawRunsPage(makePageModel('time', twoRuns(), {})),
      `
    const legend = [...document.querySelectorAll('#legend button')];
    const shown = () => drawn.map(({ plot }) => plot.series.slice(1).map(each => each.show));
    const before = shown();
    legend[0].click();
    const hidden = shown();
    const csv = toCsv().split('\\n');
    const svg = new DOMParser().parseFromString(toSvg(), 'image/svg+xml');
    const chooser = document.getElementById('axis');
    chooser.value = 'share';
    chooser.dispatchEvent(new Event('change'));
    await new Promise(resolve => setTimeout(resolve, 50));
    const { min, max } = drawn[0].plot.scales.x;
    drawn[0].plot.setScale('x', { min: 20, max: 40 });
    await new Promise(resolve => setTimeout(resolve, 50));
    const zoomed = drawn.map(({ plot }) => [plot.scales.x.min, plot.scales.x.max]);
    return {
      before: before.flat().every(Boolean),
      hidden: hidden[0],
      pressed: legend.map(each => each.getAttribute('aria-pressed')),
      names: legend.map(each => each.textContent),
      rows: new Set(csv.slice(1).map(row => /,(memory|<.script><b>disk),/.exec(row)[1])).size,
      head: csv[0],
      svgError: svg.querySelector('parsererror') !== null,
      lines: svg.querySelectorAll('polyline').length,
      range: [min, max],
      zoomed,
      canvases: document.querySelectorAll('canvas').length,
      wide: document.documentElement.scrollWidth <= innerWidth,
    };
    `,
    );
    t.deepEqual(found, {
      before: true,
      hidden: [false, false, true, true],
      pressed: ['false', 'true'],
      names: ['memory', '</script><b>disk'],
      rows: 1,
      head: 'panel,unit,line,block,value',
      svgError: false,
      lines: 2,
      range: [0, 100],
      zoomed: [
        [20, 40],
        [20, 40],
      ],
      canvases: 2,
      wide: true,
    });
  },
);

ifBrowser(
  'the page of a specification puts fewer panels in a row where there is no room',
  async t => {
    t.timeout(120_000);
    const points = ['one', 'two', 'three'].flatMap(program =>
      ['this one, library', 'a', 'b', 'c', 'd'].map(series => {
        const times = { mean: 2, low: 1, high: 3 };
        return { program, series, threads: 1, ...times };
      }),
    );
    const found = await inPage(
      t,
      await drawPage(makeSavinaChart(points, { title: '<b>', notes: ['A note.'] })),
      `
    await ready;
    const { width: wide } = document.querySelector('canvas').getBoundingClientRect();
    box.style.width = '380px';
    await show();
    const { width: narrow } = document.querySelector('canvas').getBoundingClientRect();
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
    return {
      isWide: wide > 500,
      fits: narrow <= 380,
      title: document.querySelector('h1').textContent,
      notes: document.querySelector('header p').textContent,
      broken: violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
    };
    `,
    );
    const text = { title: '<b>', notes: 'A note. Milliseconds by number of threads.' };
    t.deepEqual(found, { isWide: true, fits: true, ...text, broken: [] });
  },
);

test('a page of 100,000 blocks has few points, including the maxima and minima', t => {
  const run = makeUpRun(100_000);
  const { panels } = makePageModel('time', [run], {});
  t.is(panels.length, 1);
  for (const { ys, figures } of panels[0].lines) {
    t.true(ys.length <= 20_000);
    t.is(Math.max(...ys), figures.high);
    t.is(Math.min(...ys), figures.low);
    t.is(figures.points, 100_000);
  }
});

test('a page needs no other file', async t => {
  const html = await drawRunsPage(makePageModel('time', twoRuns(), {}));
  t.notRegex(html, /<(script|link|img)[^>]*(src|href)="(?!data:)/);
  t.notRegex(html, /url\((?!data:)/);
  t.true(html.includes('font-family: Inter'));
  t.false(html.includes('</script><b>disk'));
});

test('a page tells what it does not draw: counters that stay, empty parts of the database, values above the scale', t => {
  const run = makeUpRun(300);
  const { rows, columns } = run;
  for (const name of ['kernelDevices', 'syscallExit'])
    if (!columns.includes(name)) columns.push(name);
  rows.kernelDevices = rows.block.map(() => 4);
  rows.syscallExit = rows.block.map(() => 0);
  const { notes } = makePageModel('stats', [run], {});
  t.true(notes.some(note => /^Constant: (.*, )?kernelDevices 4[,.]/.test(note)));
  t.true(notes.some(note => /^Always 0: (.*, )?syscallExit[,.]/.test(note)));
  t.false(notes.some(note => /per crank \d/.test(note)));

  for (const name of ['diskTables', 'diskStreams', 'diskLog'])
    if (!columns.includes(name)) columns.push(name);
  rows.diskTables = rows.block.map(() => 0);
  rows.diskStreams = rows.block.map(() => 0);
  rows.diskLog = rows.block.map(block => 100 * block);
  const disk = makePageModel('disk', [run], {});
  t.deepEqual(
    disk.panels[0].lines.map(({ name }) => name),
    ['log of the latest blocks'],
  );
  t.true(disk.notes.includes('Nothing yet: tables; transcripts and other streams.'));

  rows.btime[100] *= 1000;
  const { notes: ofTime, panels } = makePageModel('time', [run], {});
  t.true(panels[0].above > 0);
  t.true(ofTime.some(note => /above the scale: "All outliers" shows/.test(note)));
});

test('a line that hardly changes has no points of its own, which would hide others', t => {
  const run = makeUpRun(300);
  if (!run.columns.includes('kernelDevices')) run.columns.push('kernelDevices');
  run.rows.kernelDevices = run.rows.block.map(block => (block === 1 ? 3 : 4));
  const panel = makePageModel('stats', [run], {}).panels.find(
    ({ title }) => title === 'kernelDevices',
  );
  t.is(panel?.lines[0].median, null);
  t.true(panel?.isWhole);
});
