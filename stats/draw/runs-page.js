// Writes an interactive page of runs as one self-contained HTML file, with data, script, uPlot and
// the font.

import fs from 'node:fs';
import { escapeHtml } from '#model';
import { readLibrary } from '#vendored';
import { writeFontStyle } from './fonts.js';

/** @import { PageModel, PagePanel } from '../charts/page-model.js' */

/** @param {string} name */
const readOwn = name => fs.readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');

/** Escapes a script's text for a script element. @param {string} text */
const inScript = text => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

/** The CSS rules that uPlot's plots need; its legend is not used. */
const plotStyle = `
.uplot, .uplot *, .uplot *::before, .uplot *::after { box-sizing: border-box; }
.uplot { line-height: 1.5; width: min-content; }
.u-wrap { position: relative; user-select: none; }
.u-over, .u-under { position: absolute; }
.u-under { overflow: hidden; }
.uplot canvas { display: block; position: relative; width: 100%; height: 100%; }
.u-axis, .u-cursor-x, .u-cursor-y, .u-cursor-pt { position: absolute; }
.u-select { background: #80808040; position: absolute; pointer-events: none; }
.u-cursor-x, .u-cursor-y { left: 0; top: 0; pointer-events: none; will-change: transform; }
.u-hz .u-cursor-x { height: 100%; border-right: 1px dashed var(--faded); }
.u-hz .u-cursor-y { width: 100%; border-bottom: 1px dashed var(--faded); }
.u-cursor-pt { top: 0; left: 0; border-radius: 50%; border: 0 solid; pointer-events: none; will-change: transform; background-clip: padding-box; }
.u-axis.u-off, .u-select.u-off, .u-cursor-x.u-off, .u-cursor-y.u-off, .u-cursor-pt.u-off { display: none; }
`;

/** @param {PagePanel} panel @param {number} number */
const panelHtml = (
  { title, unit },
  number,
) => `<section class="panel" aria-labelledby="panel${number}">
<h2 id="panel${number}">${escapeHtml(title)}${unit === '' ? '' : ` (${escapeHtml(unit)})`}</h2>
<div class="plot" tabindex="0" role="application" aria-label="${escapeHtml(title)}: chart; the table of figures below has its values" aria-describedby="help"></div>
</section>`;

/** The figures of the charts as a table, for readers who cannot see the charts. @param {PageModel} model */
const figuresHtml = ({ panels }) => {
  const rows = panels.flatMap(({ title, unit, lines }) =>
    lines.map(({ name, figures: { points, low, median, high } }) => {
      const cells = [name, unit, points, low, median, high].map(
        each => `<td>${escapeHtml(String(each))}</td>`,
      );
      return `<tr><th scope="row">${escapeHtml(title)}</th>${cells.join('')}</tr>`;
    }),
  );
  const heads = ['Panel', 'Line', 'Unit', 'Blocks', 'Lowest', 'Median', 'Highest'].map(
    name => `<th scope="col">${name}</th>`,
  );
  return `<details><summary>Figures</summary><div tabindex="0" role="region" aria-label="Table of figures"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`;
};

/**
 * @param {PageModel} model
 * @returns {Promise<string>}
 */
export const drawRunsPage = async model => {
  const data = JSON.stringify(model).replaceAll('<', '\\u003c');
  const notes = model.notes.map(note => `<p>${escapeHtml(note)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(model.notes[0])}">
<link rel="icon" href="data:,">
<title>${escapeHtml(model.title)}</title>
<style>${writeFontStyle()}
${plotStyle}${readOwn('runs.css')}</style>
</head>
<body>
<main>
<h1>${escapeHtml(model.title)}</h1>
<div id="notes">${notes}</div>
<div id="bar" role="group" aria-label="View">
<label for="axis">Horizontal axis</label> <select id="axis"></select>
<button type="button" id="reset">Whole run</button>
<button type="button" id="whole" aria-pressed="false">All outliers</button>
<button type="button" id="log" aria-pressed="false">Log scale</button>
<button type="button" id="dark" aria-pressed="false">Dark</button>
<button type="button" id="svg">Save SVG</button>
<button type="button" id="png">Save PNG</button>
<button type="button" id="csv">Save CSV</button>
</div>
<div id="legend" role="group" aria-label="Lines: press to hide or show"></div>
<div id="panels">${model.panels.map(panelHtml).join('\n')}</div>
${figuresHtml(model)}
<p id="help">Drag along or across a chart: zoom. Double-click or Escape: the whole run. Arrow keys: move; + and -: zoom. Pointer: values of all lines.</p>
</main>
<div id="tip" aria-hidden="true"></div>
<script type="application/json" id="model">${data}</script>
<script>
/* uPlot, Copyright (c) Leon Sorokin, MIT; https://github.com/leeoniya/uPlot */
${inScript(await readLibrary('uplot'))}
</script>
<script>
${inScript(readOwn('runs.js'))}
</script>
</body>
</html>
`;
};
