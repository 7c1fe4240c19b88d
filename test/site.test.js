// The documentation site (scripts/site): a link that leads nowhere is found, and pages break no rule of accessibility. The
// latter needs a site that was built (npm run site), and Chromium.

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { checkSite } from '../scripts/site/check-site.js';
import { browser } from './browser/chromium.js';
import { inPage, violations } from './browser/in-page.js';

const site = join(import.meta.dirname, '../site');

test('only links to missing files or headings are reported', t => {
  const out = temporaryDirectory(t);
  fs.mkdirSync(join(out, 'guide'));
  fs.writeFileSync(
    join(out, 'index.html'),
    '<h1 id="top">A</h1><a href="guide/">b</a><a href="guide/index.html#two">c</a><a href="https://example.org/no">d</a>',
  );
  fs.writeFileSync(
    join(out, 'guide/index.html'),
    '<h2 id="one">B</h2><a class="x" href="../index.html#top">a</a><img alt="" src="no.png"><a href="#three">e</a>',
  );
  const { files, links, problems } = checkSite(out);
  t.is(files, 2);
  t.is(links, 5);
  t.deepEqual(problems.toSorted(), [
    'guide/index.html: guide/index.html has no part #three',
    'guide/index.html: there is no guide/no.png (link "no.png")',
    'index.html: guide/index.html has no part #two',
  ]);
});

const built = fs.existsSync(join(site, 'index.html'));

for (const page of [
  'index',
  'docs/tutorial',
  'docs/reference/commands',
  'packages/reactor/index',
]) {
  const run = browser !== undefined && built ? test.serial : test.skip;
  run(`the page ${page} of a built site breaks no rule of accessibility`, async t => {
    t.timeout(120_000);
    const html = fs.readFileSync(join(site, `${page}.html`), 'utf8');
    t.deepEqual(await inPage(t, html, `${violations} return violations();`), []);
  });
}
