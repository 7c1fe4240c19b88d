// Writes a diagram as a self-contained HTML file: the picture, its legend, and the sources. A click on a part opens its
// source line.

import fs from 'node:fs';
import { insistOptions } from '#model';
import { legendOf } from './legend.js';
import { makeScene } from './scene.js';
import { findSources } from './sources.js';
import { escapeText } from './svg-text.js';
import { writeSvg } from './svg.js';

/** @import { Outline } from '#reactor' */
/** @import { ObjectsOutline } from './scene-objects.js' */
/** @import { VatsOutline } from './scene.js' */

/**
 * @typedef {object} PageOptions
 * @property {string} [title]
 * @property {string} [note]  a sentence under the title
 * @property {ReadonlyMap<string, string>} [entries]  the entry file of each vat, by the vat's name; the name is '' for a
 *   program outside of vats. Default: no source is shown
 * @property {string} [root]  shown paths are relative to it; default: the working directory
 */

/** @type {Readonly<Record<keyof PageOptions, import('#model').OptionRule>>} */
const pageRules = Object.freeze({
  title: 'string',
  note: 'string',
  entries: 'object',
  root: 'string',
});

/** @param {string} name */
const readOwn = name => fs.readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');

/** @param {string} name */
const readFont = name =>
  fs.readFileSync(new URL(`../../stats/fonts/${name}`, import.meta.url)).toString('base64');

/** @param {string} name @param {number} weight */
const fontFace = (name, weight) =>
  `@font-face { font-family: Inter; font-weight: ${weight}; src: url(data:font/ttf;base64,${readFont(name)}) format('truetype'); }`;

/** JSON within a script element. @param {unknown} value */
const inScript = value => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Draw a diagram as a self-contained page of HTML: a click on a part opens its source.
 *
 * @param {Outline | VatsOutline | ObjectsOutline} outline
 * @param {PageOptions} [options]
 * @returns {Promise<string>} the page
 * @throws {UserError} a connection names an unknown vat or port
 * @throws {TypeError} an option has an unknown name or a wrong type
 */
export const htmlDiagram = async (outline, options = {}) => {
  insistOptions('htmlDiagram()', options, pageRules);
  const { title = 'Diagram', note = '', entries = new Map(), root = process.cwd() } = options;
  const scene = makeScene(outline);
  const { places, files } = findSources(scene, entries, root);
  const svg = await writeSvg(scene, { title, isOpenable: id => places.has(id) });
  const legend = legendOf(scene).map(({ sign, name }) => `<li>${sign}${escapeText(name)}</li>`);
  const hint = files.length === 0 ? '' : ' Click a part, or press Enter on it, to see its source.';
  const data = {
    files: Object.fromEntries(files.map(({ file, text }) => [file, text])),
    places: Object.fromEntries([...places].map(([id, { file, line }]) => [id, [file, line]])),
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>
${fontFace('Inter-Regular.ttf', 400)}
${fontFace('Inter-SemiBold.ttf', 600)}
${readOwn('page.css')}</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
<p>${escapeText(`${note}${hint}`.trim())}</p>
<div class="tools">
<button id="out" aria-label="Smaller">−</button><button id="in" aria-label="Larger">+</button><button id="fit">Fit</button>
</div>
<div class="picture" tabindex="0" role="region" aria-label="Picture">
${svg}</div>
<div class="below">
<section hidden aria-live="polite"><h2 id="where">Source</h2><pre id="source" tabindex="0" role="region" aria-labelledby="where"></pre></section>
<section><h2>Legend</h2><ul>
${legend.join('\n')}
</ul></section>
</div>
</main>
<script type="application/json" id="data">${inScript(data)}</script>
<script type="module">
${readOwn('page.js')}</script>
</body>
</html>
`;
};
