// The page of a matrix: tables, and for each run its graphs, report and files. It refers to the files beside it, and
// needs nothing else.

import { readFileSync } from 'node:fs';
import { escapeHtml } from '#model';
import { runFiles, summaryFiles } from './files.js';
import { curveOf, drawOverlays, drawSparkline } from './overlay.js';

/** @import { Folder } from './folder.js' */
/** @import { Row } from './summary.js' */
/** @import { Table } from './tables.js' */

const style = `
  :root { color-scheme: light dark; --ink: #222; --faded: #5b5b5b; --paper: #fff; --shade: #f6f6f6; --rule: #e6e6e6; --link: #0b5cad; --ours: #0072b2; --theirs: #9a3b00; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8e8ea; --faded: #a9adb3; --paper: #16191d; --shade: #23272d; --rule: #3a3f46; --link: #7cb8ff; --ours: #5eb0e5; --theirs: #f0986a; }
  }
  body { margin: 0 auto; padding: 24px; max-width: 1500px; font: 15px/1.5 Inter, "Helvetica Neue", Arial, sans-serif; color: var(--ink); background: var(--paper); }
  h1 { font-size: 26px; margin: 0 0 8px; } h2 { font-size: 20px; margin: 36px 0 8px; } h3 { font-size: 17px; margin: 28px 0 4px; }
  ul { margin: 0; padding-left: 20px; } .faded { color: var(--faded); } .warning { color: var(--theirs); margin-top: 16px; }
  .notes { margin-top: 8px; font-size: 14px; } code { font-size: 13px; background: var(--shade); padding: 1px 4px; }
  .wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: 3px 12px 3px 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
  th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); }
  th { font-weight: 600; vertical-align: bottom; } .text { text-align: left; } td.theirs, th.theirs { color: var(--faded); }
  td.text:not(:first-child) { white-space: normal; min-width: 220px; }
  .graphs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr)); gap: 12px; margin: 8px 0; }
  .overlays { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); gap: 20px; }
  .overlays svg { width: 100%; max-width: 860px; height: auto; fill: var(--faded); } .overlays figcaption { font-weight: 600; }
  path { fill: none; stroke: var(--rule); } path.ours { stroke: var(--ours); } path.theirs { stroke: var(--theirs); }
  text.ours { fill: var(--ours); } text.theirs { fill: var(--theirs); }
  .graphs img { width: 100%; height: auto; border: 1px solid var(--rule); } a { color: var(--link); }
  figure { margin: 0; } figcaption { font-size: 13px; } pre { font-size: 12px; overflow-x: auto; background: var(--shade); padding: 12px; }
`;

/** Marks text between backticks as code. @param {string} html */
const markCode = html => html.replace(/`([^`]*)`/g, '<code>$1</code>');

/** @param {string} file @param {string} [text] */
const link = (file, text = file) => `<a href="${encodeURIComponent(file)}">${escapeHtml(text)}</a>`;

/** The section of a run. @param {string} what  its name */
const anchor = what => `run-${what.replace(/[^\w-]/g, '-')}`;

/**
 * @param {Table} table
 * @param {Map<string, number[]>} curves  of runs, by name; each has a section
 * @param {boolean} hasSparklines
 */
const drawTable = ({ title, columns, rows, notes }, curves, hasSparklines) => {
  const classes = columns.map(({ head, isText }) => {
    const words = [...(isText ? ['text'] : []), ...(head === '2020' ? ['theirs'] : [])];
    return words.length === 0 ? '' : ` class="${words.join(' ')}"`;
  });
  const cell = (/** @type {string} */ content, /** @type {number} */ i) =>
    i === 0 && curves.has(content)
      ? `<a href="#${anchor(content)}">${escapeHtml(content)}</a>`
      : escapeHtml(content);
  return `<h2>${escapeHtml(title)}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(title)}"><table>
<thead><tr>${columns.map(({ head }, i) => `<th${classes[i]}>${escapeHtml(head)}</th>`).join('')}${hasSparklines ? '<th>time of a crank</th>' : ''}</tr></thead>
<tbody>
${rows.map(row => `<tr>${row.map((content, i) => `<td${classes[i]}>${cell(content, i)}</td>`).join('')}${hasSparklines ? `<td>${drawSparkline(row[0], curves.get(row[0]) ?? [])}</td>` : ''}</tr>`).join('\n')}
</tbody></table></div>
<div class="faded notes">
${notes.map(note => `<div>${markCode(escapeHtml(note))}</div>`).join('\n')}
</div>`;
};

/** @param {Row} row @param {Folder} folder */
const drawRun = ({ name, madeAt, activityHash }, folder) => {
  const { stats, report, json, log, graphs } = runFiles(name);
  const pictures = graphs.map(
    ({
      kind,
      png,
      pdf,
    }) => `<figure><a href="${encodeURIComponent(png)}"><img loading="lazy" src="${encodeURIComponent(png)}"
alt="${escapeHtml(`${name}: ${kind} by block`)}"></a><figcaption>${link(pdf)}</figcaption></figure>`,
  );
  return `<h3 id="${anchor(name)}">${escapeHtml(name)}</h3>
<div class="faded">${[stats, report, json, log].map(file => link(file)).join(' · ')} · ${escapeHtml(madeAt)} · ${activityHash.slice(0, 16)}…</div>
<div class="graphs">${pictures.join('\n')}</div>
<details><summary>Report</summary><pre>${escapeHtml(readFileSync(folder.at(report), 'utf8'))}</pre></details>`;
};

/**
 * @param {object} content
 * @param {string} content.title
 * @param {string[]} content.facts
 * @param {string[]} content.warnings
 * @param {Table[]} content.tables
 * @param {Row[]} content.rows
 * @param {boolean} content.hasReports  whether there is a file with all reports
 * @param {Folder} content.folder
 * @returns {string}
 */
export const drawPage = ({ title, facts, warnings, tables, rows, hasReports, folder }) => {
  const curves = new Map(rows.map(row => [row.name, curveOf(row, folder)]));
  const overlays = drawOverlays(rows, curves);
  const item = (/** @type {string} */ line) => `<li>${escapeHtml(line)}</li>`;
  const { text, json, markdown, reports } = summaryFiles;
  const files = [text, markdown, json, ...(hasReports ? [reports] : [])];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<ul class="faded">
${facts.map(item).join('\n')}
<li>These tables as files: ${files.map(file => link(file)).join(', ')}</li>
</ul>
${warnings.length === 0 ? '' : `<ul class="warning">\n${warnings.map(item).join('\n')}\n</ul>`}
${tables.map((table, i) => drawTable(table, curves, i === 0)).join('\n')}
${overlays.length === 0 ? '' : `<h2>Time of a crank over the run</h2>\n<div class="overlays">\n${overlays.join('\n')}\n</div>`}
<h2>Runs</h2>
${rows.map(row => drawRun(row, folder)).join('\n')}
</main>
</body>
</html>
`;
};
