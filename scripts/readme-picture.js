// Makes the picture of the README, docs/pingpong.png: the demo's 10,000 rounds with all stats logged and one commit a
// round, in memory and in LMDB. To be run on a machine that does nothing else: `node scripts/readme-picture.js`.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

const root = join(import.meta.dirname, '..');
const runner = join(root, 'runner/main.js');
const fonts = ['Regular', 'SemiBold'].map(name => join(root, `stats/fonts/Inter-${name}.ttf`));

/** Wide enough to read on a page, small enough to keep in the repository. */
const widthPx = 1100;

const runs = [
  { label: 'memory', flags: ['--memdb'] },
  { label: 'LMDB, --durability=group', flags: ['--durability=group'] },
];

const work = mkdtempSync(join(tmpdir(), 'readme-picture-'));
const files = runs.map(({ flags }, i) => {
  const outdir = join(work, String(i));
  const args = ['demos/pingpong', '--benchmark', '10000', '--no-graphs', '--outdir', outdir];
  execFileSync(process.execPath, [runner, ...args, ...flags], { cwd: root });
  return join(outdir, 'stats-pingpong.tsv');
});
const labels = runs.flatMap(({ label }) => ['--label', label]);
const svg = join(work, 'time.svg');
const title = ['--title', 'PingPong, 10,000 rounds: time per block of one round'];
execFileSync(process.execPath, [runner, 'graph', 'time', ...files, '-o', svg, ...labels, ...title]);

const picture = new Resvg(readFileSync(svg, 'utf8'), {
  fitTo: { mode: 'width', value: widthPx },
  font: { loadSystemFonts: false, fontFiles: fonts, defaultFontFamily: 'Inter' },
});
mkdirSync(join(root, 'docs'), { recursive: true });
writeFileSync(join(root, 'docs/pingpong.png'), picture.render().asPng());
rmSync(work, { recursive: true });
