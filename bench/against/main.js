// npm run bench:against -- REV [--turns 20] [--only NAME]... [--dir CHECKOUT]
//
// Runs this checkout and another commit alternately, as a user would (`swingset-runner DEMO
// --memdb`). For each demo it prints the ratio after / before with its 95 % interval: of the warm
// round's median and mean, and of the time and processor time of the whole process, including the
// cold start; of `start`, which has no rounds, only the last two. Both have their modules packed,
// if they can (scripts/pack). The other commit is checked out into a temporary worktree, which
// shares this checkout's node_modules; `--dir` takes an existing checkout with modules of its own.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  describeCommit,
  describeMachine,
  describeNoise,
  formatMachine,
  watchNoise,
} from '#measure';
import { quote, UserError } from '#model';
import { copyVaried, varied } from './copy-varied.js';
import { compareInPairs } from './ratio.js';

/** @typedef {{ meanUs: number, medianUs: number, processorMs: number, wallMs: number }} Turn */

const here = fileURLToPath(new URL('../../', import.meta.url));

/** Enough rounds for the second half to run in code that V8 has optimised. */
const demos = /** @type {Record<string, { program: string, rounds: number }>} */ ({
  start: { program: 'demos/pingpong', rounds: 0 },
  pingpong: { program: 'demos/pingpong', rounds: 10_000 },
  'pingpong-varied': { program: `${varied}/pingpong`, rounds: 10_000 },
  exchange: { program: 'demos/exchange', rounds: 300 },
  'exchange-varied': { program: `${varied}/exchange`, rounds: 300 },
});

/** Loaded before the runner; writes the processor time of the process at its exit. */
const probe = `data:text/javascript,${encodeURIComponent(
  `import fs from 'node:fs';
   process.on('exit', () => {
     const { user, system } = process.cpuUsage();
     fs.writeFileSync(process.env.BENCH_PROCESSOR_US, String(user + system));
   });`,
)}`;

/** @param {string} checkout @param {string[]} args @param {string} outDir @returns {Turn} */
const runOnce = (checkout, args, outDir) => {
  fs.rmSync(outDir, { recursive: true, force: true });
  const processorFile = `${outDir}.us`;
  const startMs = performance.now();
  const flags = ['--memdb', '--no-graphs', '--logtimes', '--outdir', outDir];
  execFileSync(
    process.execPath,
    ['--import', probe, path.join(checkout, 'runner/main.js'), ...args, ...flags],
    {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, BENCH_PROCESSOR_US: processorFile },
    },
  );
  const wallMs = performance.now() - startMs;
  const [file] = fs.readdirSync(outDir).filter(name => name.endsWith('.tsv'));
  const [header, ...rows] = fs.readFileSync(path.join(outDir, file), 'utf8').trim().split('\n');
  const column = header.split('\t').indexOf('btime');
  const us = rows.slice(rows.length >> 1).map(row => Number(row.split('\t')[column]) / 1_000);
  const sorted = Float64Array.from(us).sort();
  return {
    medianUs: sorted[sorted.length >> 1],
    meanUs: us.reduce((total, one) => total + one, 0) / us.length,
    processorMs: Number(fs.readFileSync(processorFile, 'utf8')) / 1_000,
    wallMs,
  };
};

const usage = 'npm run bench:against -- REV [--turns N] [--only NAME]... [--dir CHECKOUT]';

const readArguments = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      turns: { type: 'string', default: '20' },
      only: { type: 'string', multiple: true, default: Object.keys(demos) },
      dir: { type: 'string' },
    },
  });
  const turns = Number(values.turns);
  if (!Number.isInteger(turns) || turns < 2) {
    throw new UserError(
      `--turns is ${quote(values.turns)}; it is a whole number from 2 on: ${usage}`,
    );
  }
  const strange = values.only.find(name => !Object.hasOwn(demos, name));
  if (strange !== undefined) {
    throw new UserError(`--only ${quote(strange)}: it is one of ${Object.keys(demos).join(', ')}`);
  }
  if (positionals.length !== (values.dir === undefined ? 1 : 0)) {
    throw new UserError(`it takes one commit, or --dir: ${usage}`);
  }
  return { turns, only: values.only, dir: values.dir, revision: positionals[0] };
};

/** @param {string} revision @param {string} dir  where it goes */
const checkOut = (revision, dir) => {
  const git = ['-C', here, 'worktree', 'add', '--quiet', '--detach', dir, revision];
  try {
    execFileSync('git', git, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { stderr } = /** @type {{ stderr?: Buffer }} */ (error);
    const reason = String(stderr ?? error)
      .trim()
      .split('\n')
      .at(-1);
    throw new UserError(
      `cannot check out ${quote(revision)}: ${reason}; name a commit of this repository`,
    );
  }
  fs.symlinkSync(path.join(here, 'node_modules'), path.join(dir, 'node_modules'));
};

/** Later runs use the pack, where a version has one. @param {string} checkout */
const packModules = checkout => {
  const program = path.join(checkout, 'scripts/pack/main.js');
  if (fs.existsSync(program)) execFileSync(process.execPath, [program]);
};

/** @type {[what: string, key: keyof Turn][]} */
const figures = [
  ['a warm round, median, us', 'medianUs'],
  ['a warm round, mean, us', 'meanUs'],
  ['the process, processor time, ms', 'processorMs'],
  ['the process, ms', 'wallMs'],
];

/** @param {string} before @param {string} name @param {number} turns @param {string} temporary */
const compareDemo = (before, name, turns, temporary) => {
  const out = path.join(temporary, 'out');
  const { program, rounds } = demos[name];
  const copy = path.join(temporary, name);
  const isVaried = program.startsWith(varied);
  if (isVaried) copyVaried(program, copy);
  const args = [isVaried ? copy : program, '--benchmark', String(rounds)];
  /** @type {{ before: Turn, after: Turn }[]} */
  const pairs = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const run = (/** @type {string} */ checkout) => runOnce(checkout, args, out);
    // Alternate the first of the pair, so that a machine that slows down favours neither.
    if (turn % 2 === 0) {
      const first = run(before);
      pairs.push({ before: first, after: run(here) });
    } else {
      const first = run(here);
      pairs.push({ before: run(before), after: first });
    }
  }
  return pairs;
};

/** Four digits, and no exponent. @param {number} value */
const formatValue = value => (value < 1_000 ? value.toPrecision(4) : value.toFixed(0));

/** @param {string} name @param {string} what @param {ReturnType<typeof compareInPairs>} figures */
const formatLine = (name, what, { before, after, ratio, low, high }) =>
  [
    `${name}: ${what}`.padEnd(48),
    ...[before, after].map(value => formatValue(value).padStart(9)),
    ...[ratio, low, high].map(value => value.toFixed(3).padStart(8)),
  ].join('');

const main = async () => {
  const { turns, only, dir, revision } = readArguments();
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-against-'));
  const before = dir ?? path.join(temporary, 'before');
  try {
    if (dir === undefined) checkOut(revision, before);
    for (const checkout of new Set([before, here].map(each => path.resolve(each))))
      packModules(checkout);
    const machine = describeMachine();
    console.log(`${formatMachine(machine)}; node ${machine.node}`);
    console.log(`before ${dir ?? revision}, after ${describeCommit()}; ${turns} pairs`);
    console.log(`${''.padEnd(48)}   before    after   ratio     low    high`);
    const endWatch = await watchNoise();
    for (const name of only) {
      const pairs = compareDemo(before, name, turns, temporary);
      for (const [what, key] of name === 'start' ? figures.slice(2) : figures) {
        const one = pairs.map(pair => ({ before: pair.before[key], after: pair.after[key] }));
        console.log(formatLine(name, what, compareInPairs(one)));
      }
    }
    console.log(describeNoise(await endWatch()));
  } finally {
    if (dir === undefined && fs.existsSync(before)) {
      execFileSync('git', ['-C', here, 'worktree', 'remove', '--force', before]);
    }
    fs.rmSync(temporary, { recursive: true, force: true });
  }
};

try {
  await main();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
