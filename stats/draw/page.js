// Writes a chart with a user's specification as one self-contained HTML file, with Vega's script
// and the compiled chart.

import { escapeHtml } from '#model';
import { readLibrary } from '#vendored';
import { writeFontStyle } from './fonts.js';
import { compileChart } from './picture.js';

/** @import { Spec } from '../charts/frame.js' */

const style = `
  :root { color-scheme: light dark; }
  body { margin: 0; font: 14px/1.5 Inter, "Helvetica Neue", Arial, sans-serif; color: #222; background: #fff; }
  header { margin: 18px; }
  h1 { margin: 0; font-size: 20px; font-weight: 600; }
  header p { margin: 4px 0 0; max-width: 80ch; color: #5b5b5b; }
  #chart { overflow-x: auto; background: #fff; }
  #chart canvas { display: block; }
  #help { margin: 0 18px 18px; color: #5b5b5b; }
  #tip { position: fixed; display: none; padding: 6px 9px; border: 1px solid #bbb; border-radius: 4px; color: #222;
         background: #fffffff2; box-shadow: 0 2px 8px #0003; pointer-events: none; white-space: nowrap; }
  #tip b { font-weight: 600; padding-right: 8px; }
  /* The chart's own colours are for white paper. */
  @media (prefers-color-scheme: dark) {
    body { background: #16191d; }
    #chart { margin: 18px; border-radius: 6px; }
    h1 { color: #e8eaed; }
    #help, header p { color: #a9adb3; }
  }
`;

/** Runs in the browser. A tooltip's value is a record of strings, shown as text, never as HTML. */
const script = `
  const tip = document.getElementById('tip');
  const showTip = (handler, event, item, value) => {
    tip.replaceChildren();
    if (value === null || value === undefined || value === '') { tip.style.display = 'none'; return; }
    const entries = typeof value === 'object' ? Object.entries(value) : [['', value]];
    for (const [name, text] of entries) {
      const line = document.createElement('div');
      const label = document.createElement('b');
      label.textContent = name;
      line.append(label, String(text));
      tip.append(line);
    }
    tip.style.display = 'block';
    const left = event.clientX + 14;
    const fits = left + tip.offsetWidth + 8 < window.innerWidth;
    tip.style.left = (fits ? left : event.clientX - tip.offsetWidth - 14) + 'px';
    tip.style.top = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8) + 'px';
  };
  const charts = JSON.parse(document.getElementById('spec').textContent);
  const box = document.getElementById('chart');
  let view, shown;
  // The widest one that fits, or the narrowest.
  const show = async () => {
    for (const chart of charts) {
      if (chart === shown && box.scrollWidth <= box.clientWidth) return;
      view?.finalize();
      box.replaceChildren();
      shown = chart;
      view = new vega.View(vega.parse(chart), { container: box, renderer: 'canvas', hover: true, tooltip: showTip });
      await view.runAsync();
      if (box.scrollWidth <= box.clientWidth) return;
    }
  };
  let ready = document.fonts.ready.then(show);
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== width) ready = ready.then(show);
    width = innerWidth;
  });
`;

/** The title of a specification in one line. @param {any} title */
const textOf = title => [title?.text ?? title ?? 'Chart'].flat().join(' ');

/**
 * The specification with as many columns of panels as it asks for, and with fewer, for narrow windows. The page shows title
 * and notes as text, which wraps.
 *
 * @param {Spec} spec
 * @returns {Spec[]}
 */
const makeWidths = ({ title, ...rest }) => {
  // The name of the picture for a screen reader.
  /** @type {Spec} */
  const spec = { description: textOf(title), ...rest };
  const { columns: most = 1, config = {} } = spec;
  const narrower = Array.from({ length: most - 1 }, (_each, i) => {
    const columns = most - 1 - i;
    // An entry of a legend is narrower than a panel.
    return {
      ...spec,
      columns,
      config: { ...config, legend: { ...config.legend, columns: columns + 1 } },
    };
  });
  return [spec, ...narrower];
};

/** Whether a specification binds its scales to the pointer. @param {Spec} spec */
const canZoom = spec => JSON.stringify(spec).includes('"bind":"scales"');

/**
 * @param {Spec} spec  made with `interactive`, otherwise the page shows a static picture
 * @returns {Promise<string>}
 */
export const drawPage = async spec => {
  const title = escapeHtml(textOf(spec.title));
  const notes = [spec.title?.subtitle ?? []].flat().map(line => escapeHtml(String(line)));
  // Inside a script element only a less-than sign could end the element.
  const charts = await Promise.all(makeWidths(spec).map(compileChart));
  const data = JSON.stringify(charts).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${writeFontStyle()}${style}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
${notes.length === 0 ? '' : `<p>${notes.join(' ')}</p>`}
</header>
<div id="chart"></div>
<p id="help">${canZoom(spec) ? 'Wheel: zoom. Drag: pan. Double-click: everything again. ' : ''}Pointer: values.</p>
<div id="tip"></div>
</main>
<script type="application/json" id="spec">${data}</script>
<script>
/* Vega, Copyright (c) 2015-2023 University of Washington Interactive Data Lab, BSD 3-Clause; https://vega.github.io/vega/ */
${(await readLibrary('vega')).replaceAll('</script', '<\\/script')}
</script>
<script>${script}</script>
</body>
</html>
`;
};
