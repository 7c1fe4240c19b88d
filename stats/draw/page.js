// Writes a chart with a user's specification as one self-contained HTML file, with Vega's script
// and the compiled chart.

import { escapeHtml } from '#model';
import { readLibrary } from '#vendored';
import { compileChart } from './picture.js';

/** @import { Spec } from '../charts/frame.js' */

const style = `
  :root { color-scheme: light dark; }
  body { margin: 0; font: 14px/1.5 Inter, "Helvetica Neue", Arial, sans-serif; color: #222; background: #fff; }
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
    #help { color: #a9adb3; }
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
  const chart = JSON.parse(document.getElementById('spec').textContent);
  const view = new vega.View(vega.parse(chart), { container: '#chart', renderer: 'canvas', hover: true, tooltip: showTip });
  view.runAsync();
`;

/** Whether a specification binds its scales to the pointer. @param {Spec} spec */
const canZoom = spec => JSON.stringify(spec).includes('"bind":"scales"');

/**
 * @param {Spec} spec  made with `interactive`, otherwise the page shows a static picture
 * @returns {Promise<string>}
 */
export const drawPage = async spec => {
  const title = escapeHtml(String(spec.title?.text ?? spec.title ?? 'Chart'));
  // Inside a script element only a less-than sign could end the element.
  const data = JSON.stringify(await compileChart(spec)).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="chart"></div>
<p id="help">${canZoom(spec) ? 'Wheel: zoom. Drag: pan. Double-click: everything again. ' : ''}Pointer: values.</p>
<div id="tip"></div>
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
