// `npm run site`: the documentation site, from the Markdown files of the repository by Eleventy and from the types of the
// public entries by TypeDoc, in the folder `site`. Both are installed beside this file (package.json says why). The links
// of all pages are checked at the end.

import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPages } from './pages.js';
import { buildReference } from './reference.js';
import { checkSite } from './check-site.js';

const here = import.meta.dirname;
const root = join(here, '../..');
const out = join(root, 'site');

const install = () => {
  if (existsSync(join(here, 'node_modules/typedoc'))) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};

rmSync(out, { recursive: true, force: true });
install();
const pages = await buildPages({ root, out });
await buildReference({ root, out: join(out, 'api') });
const { files, links, problems } = checkSite(out);
for (const problem of problems) console.error(problem);
console.log(`site: ${pages} pages and the reference, ${files} files, ${links} links`);
if (problems.length > 0) {
  console.error(`${problems.length} links lead nowhere`);
  process.exitCode = 1;
}
