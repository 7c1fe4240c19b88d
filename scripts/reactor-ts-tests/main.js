// Runs the tests of reactor-ts on this package and on reactor-ts itself: `node scripts/reactor-ts-tests/main.js --reactor-ts DIR`
// with a checkout of reactor-ts that has its packages installed and is built (npm install, npm run build). It prints a
// table in Markdown; `--write FILE` keeps it.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reasons } from './reasons.js';

const usage =
  'usage: node scripts/reactor-ts-tests/main.js --reactor-ts DIR [--only TEXT] [--write FILE] [--show]';

const { values } = parseArgs({
  options: {
    'reactor-ts': { type: 'string' },
    only: { type: 'string', default: '' },
    write: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});

/** @param {string} text @returns {never} */
const fail = text => {
  console.error(text);
  process.exit(2);
};

const given = values['reactor-ts'] ?? fail(usage);
const folder = resolve(given);
if (!existsSync(join(folder, '__tests__')))
  fail(`${folder} has no __tests__; --reactor-ts names a checkout of reactor-ts`);
for (const needed of ['lib/index.js', 'node_modules/expect', 'node_modules/jest-mock'])
  if (!existsSync(join(folder, needed)))
    fail(`${folder} has no ${needed}; run npm install and npm run build there`);

/** @typedef {{ title: string, error?: string }} Result */

/**
 * @param {string} file
 * @param {'ours' | 'theirs'} which
 * @returns {Promise<Result[]>}
 */
const runFile = (file, which) =>
  new Promise(settle => {
    const script = fileURLToPath(new URL('run-file.js', import.meta.url));
    const child = spawn(process.execPath, [script, folder, file, which], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    /** @type {Result[]} */
    const results = [];
    /** @type {Buffer[]} */
    const said = [];
    child.stderr?.on('data', chunk => said.push(chunk));
    child.on('message', result => results.push(/** @type {Result} */ (result)));
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    child.on('close', code => {
      clearTimeout(timer);
      if (code !== 0)
        results.push({ title: '(the file)', error: Buffer.concat(said).toString().slice(0, 400) });
      settle(results);
    });
  });

const files = readdirSync(join(folder, '__tests__'))
  .filter(file => file.endsWith('.ts') && file.includes(values.only))
  .sort();

const lines = [
  '| file | tests | hold with reactor-ts 0.6.2 | hold here | what does not, and why |',
  '| --- | ---: | ---: | ---: | --- |',
];
const sums = [0, 0, 0];
let unexplained = 0;
for (const file of files) {
  const [theirs, ours] = [await runFile(file, 'theirs'), await runFile(file, 'ours')];
  /** @type {(results: Result[]) => number} */
  const held = results => results.filter(({ error }) => error === undefined).length;
  const counts = [Math.max(theirs.length, ours.length), held(theirs), held(ours)];
  counts.forEach((count, i) => (sums[i] += count));
  const broken = ours.filter(({ error }) => error !== undefined);
  const notes = broken.map(({ title, error }) => {
    if (values.show) console.error(`${file}: ${title}\n  ${error}`);
    const alsoTheirs = theirs.some(each => each.title === title && each.error !== undefined);
    const reason = reasons[`${file}: ${title}`] ?? (alsoTheirs ? 'nor there' : undefined);
    if (reason === undefined) unexplained += 1;
    return `${title}: ${reason ?? 'no reason known'}`;
  });
  lines.push(`| ${file.replace(/\.ts$/, '')} | ${counts.join(' | ')} | ${notes.join('<br>')} |`);
}
lines.push(`| all | ${sums.join(' | ')} | |`);
const table = lines.join('\n');
if (values.write === undefined) console.log(table);
else writeFileSync(values.write, `${table}\n`);
process.exitCode = unexplained === 0 ? 0 : 1;
