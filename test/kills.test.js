// Runs that are killed at any moment, resumed with other threads and blocks, and killed again, against the run that nobody
// killed: the same activity hash, tables and counters, and the files of slog and vats' lines are continued as their pages say.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { makeRandom } from '#testkit';

const root = join(import.meta.dirname, '..');

/** So many kills; another seed kills at other moments: `SWINGSET_RUNNER_KILLS=10000 npx ava test/kills.test.js`. */
const kills = Number(process.env.SWINGSET_RUNNER_KILLS ?? 3);
const seed = process.env.SWINGSET_RUNNER_KILLS_SEED ?? '1';

/** @type {Record<string, (random: Random) => string[]>} */
const programs = {
  pingpong: () => ['demos/pingpong', '--benchmark', '300'],
  exchange: () => ['demos/exchange', '--benchmark', '12'],
  reactors: () => ['demos/reactors/account'],
  lives: random => [
    ...['--config', 'test/fixtures/random-lives/wide.json', '--benchmark', '6', '--'],
    ...[String(random.below(1000)), 'config', 'ports', 'raw', 'sorts', 'mail'],
  ],
  random: random => [
    ...['test/fixtures/random-vats', '--benchmark', '60', '--'],
    String(random.below(1000)),
  ],
};
/** Blocks are small, so that there are many moments between two. @type {Record<string, number>} */
const blockSizes = { pingpong: 5, exchange: 40, reactors: 1, lives: 9, random: 7 };
const durabilities = ['commit', 'group', 'none'];

/** @typedef {ReturnType<typeof makeRandom>} Random */
/** @typedef {{ code: number | null, stdout: string, stderr: string, ms: number }} Ran */

/**
 * @param {string[]} args
 * @param {number} [killAfterMs]
 * @returns {Promise<Ran>}  `code` null: it was killed
 */
const run = (args, killAfterMs) =>
  new Promise((resolve, reject) => {
    const begun = Date.now();
    const child = spawn(process.execPath, ['runner/main.js', ...args], { cwd: root });
    const out = { stdout: '', stderr: '' };
    child.stdout.on('data', text => {
      out.stdout += text;
    });
    child.stderr.on('data', text => {
      out.stderr += text;
    });
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('error', reject).on('close', code => {
      clearTimeout(timer);
      resolve({ code, ...out, ms: Date.now() - begun });
    });
  });

/** @param {string[]} program @param {string} mode @param {string[]} flags */
const command = (program, mode, flags) => {
  const end = program.includes('--') ? program.indexOf('--') : program.length;
  const all = [mode, '--no-graphs', '--activityhash', ...flags];
  return [...program.slice(0, end), ...all, ...program.slice(end)];
};

/**
 * The output of a run, without times.
 *
 * @param {Ran} ran
 * @param {string} dir
 */
const resultOf = async ({ stdout }, dir) => {
  const { counters, benchmark, cranks, controlCranks, bootstrapResult } = JSON.parse(
    readFileSync(join(dir, 'report.json'), 'utf8'),
  );
  const { delta, results } = benchmark ?? {};
  const dump = await run(['dump', dir, '--raw']);
  const audit = await run(['audit', dir]);
  return {
    hash: /^activity hash: (.*)$/m.exec(stdout)?.[1],
    report: JSON.stringify({ counters, delta, results, cranks, controlCranks, bootstrapResult }),
    dump: dump.stdout,
    isSound: dump.code === 0 && audit.code === 0,
  };
};

/** @param {string} file @returns {any[]} the lines of a slog, without one that was cut */
const readSlog = file =>
  readFileSync(file, 'utf8')
    .split(/(?<=\n)/)
    .filter(line => line.endsWith('\n'))
    .map(line => JSON.parse(line));

/**
 * The parts of a slog, each of one process, without the cranks that a later one ran again.
 *
 * @param {any[]} lines
 * @returns {any[][]}
 */
const partsOf = lines => {
  /** @type {any[][]} */
  const parts = [];
  for (const line of lines) {
    if (line.type === 'slog') {
      for (const part of parts) part.splice(0, Infinity, ...part.filter(isUpTo(line.crankNum)));
      parts.push([]);
    } else if (line.type === 'crank') parts.at(-1)?.push(line);
  }
  return parts;
};

/** @param {number} last */
const isUpTo =
  last =>
  (/** @type {{ crankNum: number }} */ { crankNum }) =>
    crankNum <= last;

/** A crank without times, and without the name of a vat that only the first line of it has. @param {any} crank */
const plain = ({ ns: _ns, vatNs: _vatNs, name: _name, ...crank }) => JSON.stringify(crank);

/**
 * The first crank of a slog that differs from that of a whole run, or is missing within what one process wrote.
 *
 * @param {string} file  of a run that was killed
 * @param {string} wholeFile
 */
const findSlogProblem = (file, wholeFile) => {
  const whole = readSlog(wholeFile).filter(({ type }) => type === 'crank');
  const at = new Map(whole.map((crank, i) => [crank.crankNum, i]));
  const parts = partsOf(readSlog(file));
  for (const part of parts) {
    for (const [i, crank] of part.entries()) {
      const should = whole[(at.get(part[0].crankNum) ?? NaN) + i];
      if (should === undefined || plain(crank) !== plain(should))
        return `${plain(crank)}, should be ${should && plain(should)}`;
    }
  }
  const last = parts.at(-1)?.at(-1);
  return last === undefined || plain(last) === plain(whole.at(-1))
    ? undefined
    : 'the end is missing';
};

/**
 * A line of vats that a whole run has not, or has later.
 *
 * @param {string} file  of a run that was killed, which may miss the lines of a block
 * @param {string} wholeFile
 */
const findLogProblem = (file, wholeFile) => {
  const [lines, whole] = [file, wholeFile].map(it => readFileSync(it, 'utf8').split('\n'));
  let from = 0;
  return lines.find(line => {
    const found = whole.indexOf(line, from);
    from = found + 1;
    return found < 0;
  });
};

test('a repeatedly killed run ends like an uninterrupted one', async t => {
  const random = makeRandom(seed);
  const parent = mkdtempSync(join(tmpdir(), 'swingset-kills-'));
  t.teardown(() => rmSync(parent, { recursive: true, force: true }));
  let done = 0;
  let runs = 0;
  for (let number = 0; done < kills; number += 1) {
    const names = Object.keys(programs);
    const name = names[number % names.length];
    const program = programs[name](random);
    const durability = durabilities[Math.floor(number / names.length) % 3];
    const dirs = { whole: join(parent, 'whole'), killed: join(parent, 'killed') };
    const filesOf = (/** @type {string} */ dir) => [`${dir}.slog`, `${dir}.log`];
    const flagsOf = (/** @type {string} */ dir) => {
      const [slog, log] = filesOf(dir);
      return [
        ...['--durability', durability, '--outdir', dir, '--slog', slog, '--vatlog', log],
        ...['--blocksize', String(1 + random.below(2 * blockSizes[name]))],
        ...['--workers', String(random.below(3))],
      ];
    };
    const whole = await run(command(program, '--init', flagsOf(dirs.whole)));
    t.is(whole.code, 0, whole.stderr);
    const expected = await resultOf(whole, dirs.whole);

    const label = `${name}, ${durability}, number ${number} of seed ${seed}`;
    /** @type {Ran | undefined} */
    let last;
    for (let attempt = 0; last === undefined || last.code !== 0; attempt += 1) {
      // Time does not help to say when a run begins to write; the later half of it is likelier.
      const after = attempt > 6 ? undefined : whole.ms * (0.15 + random.below(1000) / 1000);
      const hasState = existsSync(join(dirs.killed, 'state/data.mdb'));
      const ran = await run(
        command(program, hasState ? '--resume' : '--init', flagsOf(dirs.killed)),
        after,
      );
      if (ran.code === null) {
        done += 1;
      } else if (ran.code !== 0) {
        // Killed before its first block.
        t.regex(ran.stderr, /no saved state here|no state to resume|only the beginning of/, label);
        rmSync(dirs.killed, { recursive: true, force: true });
      }
      last = ran;
    }
    runs += 1;
    const found = await resultOf(/** @type {Ran} */ (last), dirs.killed);
    t.deepEqual(found, expected, label);
    const [[slog, log], [wholeSlog, wholeLog]] = [dirs.killed, dirs.whole].map(filesOf);
    t.is(findSlogProblem(slog, wholeSlog), undefined, label);
    t.is(findLogProblem(log, wholeLog), undefined, label);
    for (const file of [slog, log, wholeSlog, wholeLog]) rmSync(file, { force: true });
    for (const dir of Object.values(dirs)) rmSync(dir, { recursive: true, force: true });
  }
  t.log(`${done} kills in ${runs} runs`);
});
