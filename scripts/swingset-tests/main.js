// Runs the tests of packages of agoric-sdk on this package: `node scripts/swingset-tests/main.js --sdk DIR` with a checkout that has
// its packages installed. Its test files run unmodified under its own test runner, and lock the realm down as they do there;
// what they import of SwingSet and its store leads here. `--write FILE` keeps the rows.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { testFiles } from './files.js';
import { endless, judge } from './judge.js';
import { readTap } from './read-tap.js';

const usage =
  'usage: node scripts/swingset-tests/main.js --sdk DIR [--package NAME]... [--only TEXT] [--write FILE] [--show] [--timeout SECONDS]';

const { values } = parseArgs({
  options: {
    sdk: { type: 'string' },
    package: { type: 'string', multiple: true, default: Object.keys(testFiles) },
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
for (const name of values.package) {
  if (!Object.hasOwn(testFiles, name))
    fail(
      `there is no list of test files for ${name}; there is one for ${Object.keys(testFiles).join(', ')}`,
    );
  if (!existsSync(join(sdk, 'packages', name, 'test')))
    fail(`${join(sdk, 'packages', name)} has no tests; --sdk names a checkout of agoric-sdk`);
}

/** @returns {string} the program of the checkout's test runner */
const findRunner = () => {
  const folder = join(sdk, 'node_modules/ava');
  if (!existsSync(folder))
    fail(`${folder} is not there; install the checkout's packages (yarn install)`);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, bin.ava);
};

const ava = findRunner();
const register = new URL('register.js', import.meta.url).href;

/**
 * @typedef {object} TestFile
 * @property {string} name  of a package
 * @property {string} file  in its folder `test`, without the ending
 * @property {string} label  in rows
 */

/**
 * @param {TestFile} testFile
 * @returns {Promise<string>} what the test runner says
 */
const runFile = ({ name, file, label }) =>
  new Promise(settle => {
    const folder = join(sdk, 'packages', name);
    const path = `test/${file}.test`;
    const ending = existsSync(join(folder, `${path}.ts`)) ? 'ts' : 'js';
    const left = Object.keys(endless[label] ?? {}).map(title => `--match=!${title}`);
    const options = ['--tap', `--node-arguments=--import=${register}`, ...left];
    const args = [ava, ...options, `${path}.${ending}`];
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

const files = values.package.flatMap(name =>
  testFiles[name].map(file => ({
    name,
    file,
    label: name === 'SwingSet' ? file : `${name}/${file}`,
  })),
);

/** @type {{ name: string, result: string, reason?: string }[]} */
const rows = [];

/** @param {{ name: string, result: string, reason?: string }} row */
const keep = row => {
  rows.push(row);
  const { name, result, reason = '' } = row;
  console.log(`${result.padEnd(9)} ${name}${reason === '' ? '' : ` -- ${reason}`}`);
};

for (const testFile of files.filter(({ label }) => label.includes(values.only ?? ''))) {
  const { label } = testFile;
  const said = await runFile(testFile);
  const outcomes = readTap(said.replaceAll(sdk, '')).filter(({ isSkipped }) => !isSkipped);
  if (outcomes.length === 0) {
    const reason = `the test runner told of no test in ${values.timeout} s`;
    keep({ name: `${label}: its tests`, result: 'differs', reason });
    console.log(said.slice(-2000));
  } else if (!/^1\.\.\d+$/m.test(said)) {
    // The plan comes last. Without it the test runner was ended, and there are more tests than it told of.
    const reason = `the test runner did not end in ${values.timeout} s`;
    keep({ name: `${label}: its other tests`, result: 'differs', reason });
  }
  // The test runner tells of tests in the order in which they end.
  outcomes.sort((left, right) => (left.title < right.title ? -1 : 1));
  for (const { title, isOk, detail } of outcomes) {
    keep({ name: `${label}: ${title}`, ...judge(label, title, isOk, detail) });
    if (values.show && !isOk) console.log(detail.replace(/^/gm, '    '));
  }
  for (const [title, reason] of Object.entries(endless[label] ?? {}))
    keep({ name: `${label}: ${title}`, result: 'exception', reason });
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
