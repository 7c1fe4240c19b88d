// Runs a script within a page that is one HTML file, with axe-core beside it as `axe`.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { openPage } from './chromium.js';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A script's text: what breaks a rule of WCAG 2.2, A and AA, or of good practice; `violations()` gives lines. */
export const violations = `
  const violations = async () => (await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }))
    .violations.map(({ id, nodes }) => id + ': ' + nodes[0].html);`;

/**
 * @param {import('ava').ExecutionContext} t
 * @param {string} html
 * @param {string} script  the body of an async function; what it returns is the result
 */
export const inPage = async (t, html, script) => {
  const probe = `<script>${axe.replaceAll('</script', '<\\/script')}</script>
<script>(async () => {
  const tell = what => fetch('/result', { method: 'POST', body: JSON.stringify(what) });
  try { await document.fonts.ready; tell({ result: await (async () => { ${script} })() }); }
  catch (error) { tell({ error: String(error.stack) }); }
})();</script></body>`;
  const body = html.replace('</body>', () => probe);
  const { error, result } = await openPage(
    t,
    url => (url === '/' ? { type: 'text/html', body } : undefined),
    ['--window-size=1280,900'],
  );
  t.is(error, undefined);
  return result;
};
