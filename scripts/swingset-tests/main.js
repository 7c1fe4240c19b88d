// Runs SwingSet's own tests on this package: `node scripts/swingset-tests/main.js --sdk DIR` with a checkout of agoric-sdk that
// has its packages installed. Its test files run unmodified under its own test runner; what they import of SwingSet leads
// here. `--write FILE` keeps the rows.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { files } from './files.js';
import { judge } from './judge.js';
import { readTap } from './read-tap.js';

const usage =
  'usage: node scripts/swingset-tests/main.js --sdk DIR [--only TEXT] [--write FILE] [--show] [--timeout SECONDS]';

const { values } = parseArgs({
  options: {
    sdk: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'string' },
    show: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '300' },
  },
});

/** @param {string} text @returns {never} */
const fail = text => {
  console.error(text);
  process.exit(2);
};

const sdk = values.sdk === undefined ? fail(usage) : resolve(values.sdk);
const folder = join(sdk, 'packages/SwingSet');
const ava = join(sdk, 'node_modules/ava/entrypoints/cli.mjs');
if (!existsSync(join(folder, 'test')))
  fail(`${folder} has no tests; --sdk names a checkout of agoric-sdk`);
if (!existsSync(ava)) fail(`${ava} is not there; install the checkout's packages (yarn install)`);

const register = new URL('register.js', import.meta.url).href;

/** @param {string} file @returns {Promise<string>} what the test runner says */
const runFile = file =>
  new Promise(settle => {
    const args = [ava, '--tap', `--node-arguments=--import=${register}`, `test/${file}.test.js`];
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, SWINGSET_SDK: sdk },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that the processes of the test runner end with it.
      detached: true,
    });
    /** @type {Buffer[]} */
    const said = [];
    child.stdout.on('data', chunk => said.push(chunk));
    child.stderr.on('data', chunk => said.push(chunk));
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(end, Number(values.timeout) * 1000);
    child.on('close', () => {
      clearTimeout(timer);
      settle(Buffer.concat(said).toString());
    });
  });

/** @returns {string | undefined} of the checkout, if it is one of git's */
const commitOf = () => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: sdk, stdio: 'pipe' })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
};

/** @type {{ name: string, result: string, reason?: string }[]} */
const rows = [];
for (const file of files.filter(name => name.includes(values.only ?? ''))) {
  const said = await runFile(file);
  const outcomes = readTap(said.replaceAll(sdk, '')).filter(({ isSkipped }) => !isSkipped);
  if (outcomes.length === 0)
    console.log(`${file}: the test runner told of no test\n${said.slice(-2000)}`);
  for (const { title, isOk, detail } of outcomes) {
    const judged = judge(file, title, isOk, detail);
    rows.push({ name: `${file}: ${title}`, ...judged });
    const { result, reason = '' } = judged;
    console.log(`${result.padEnd(8)} ${file}: ${title}${reason === '' ? '' : ` -- ${reason}`}`);
    if (values.show && !isOk) console.log(detail.replace(/^/gm, '    '));
  }
}
const count = (/** @type {string} */ result) => rows.filter(row => row.result === result).length;
console.log(
  `${rows.length} tests: ${count('equal')} pass, ${count('differs')} differ, ${count('exception')} as documented, ${count('refused')} refused`,
);
if (values.write !== undefined) {
  const commit = commitOf();
  const kept = { ...(commit !== undefined && { commit }), rows };
  writeFileSync(
    fileURLToPath(new URL(values.write, `file://${process.cwd()}/`)),
    `${JSON.stringify(kept, null, 1)}\n`,
  );
}
