// The page of a diagram in a browser: it breaks no rule of accessibility, and a part opens its source. It needs Chromium or
// Chrome (scripts/prepare-chromium.sh).

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { htmlDiagram } from '../packages/diagram/index.js';
import { browser } from './browser/chromium.js';
import { inPage, violations } from './browser/in-page.js';

const ifBrowser = browser === undefined ? test.skip : test.serial;

/** @type {import('../packages/diagram/index.js').ObjectsOutline} */
const outline = {
  objects: [
    { name: 'bank', deliveries: 4, isBuiltIn: false },
    { name: '</script><b>ann', deliveries: 3, isBuiltIn: false },
  ],
  held: [{ holder: '</script><b>ann', owner: 'bank', iface: 'account', count: 2 }],
  messages: [{ from: '</script><b>ann', to: 'bank', method: 'pay', count: 4 }],
  ...{ cranks: 7, isOver: true },
};

const source = `// </script> is no end here\nexport const buildRootObject = () =>\n  Far('account', {});\n`;

ifBrowser('the page of a diagram breaks no rule of accessibility, light or dark', async t => {
  t.timeout(120_000);
  const root = temporaryDirectory(t);
  const file = join(root, 'vat-bank.js');
  fs.writeFileSync(file, source);
  const html = await htmlDiagram(outline, {
    title: 'bank',
    entries: new Map([['bank', file]]),
    root,
  });
  const found = await inPage(
    t,
    html,
    `${violations}
    const before = await violations();
    const [vat, item] = document.querySelectorAll('[data-open]');
    item.focus();
    item.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const byKey = [document.getElementById('where').textContent, document.querySelector('.here').textContent];
    vat.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const byClick = document.getElementById('where').textContent;
    const width = document.querySelector('.picture svg').getBoundingClientRect().width;
    document.getElementById('in').click();
    return {
      ...{ before, byKey, byClick, open: await violations() },
      grows: document.querySelector('.picture svg').getBoundingClientRect().width > width,
      fits: document.documentElement.scrollWidth <= innerWidth,
      bold: document.querySelectorAll('b').length,
    };`,
  );
  t.deepEqual(found, {
    ...{ before: [], open: [] },
    byKey: ['vat-bank.js:3', "  Far('account', {});"],
    byClick: 'vat-bank.js:2',
    ...{ grows: true, fits: true, bold: 0 },
  });
});
