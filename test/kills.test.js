// Runs that are killed at any moment, resumed, and killed again, against the run that nobody killed: the same activity hash,
// tables and counters.

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

/** Blocks are small, so that there are many moments between two. @type {Record<string, (random: Random) => string[]>} */
const programs = {
  pingpong: () => ['demos/pingpong', '--benchmark', '300', '--blocksize', '5'],
  exchange: () => ['demos/exchange', '--benchmark', '12', '--blocksize', '40'],
  reactors: () => ['demos/reactors/account', '--blocksize', '1'],
  lives: random => [
    ...['--config', 'test/fixtures/random-lives/wide.json', '--benchmark', '6'],
    ...['--blocksize', '9', '--workers', String(random.below(3))],
    ...['--', String(random.below(1000)), 'config', 'ports', 'raw', 'sorts', 'mail'],
  ],
  random: random => [
    ...['test/fixtures/random-vats', '--benchmark', '60', '--blocksize', '7'],
    ...['--', String(random.below(1000))],
  ],
};
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
    const flagsOf = (/** @type {string} */ dir) => ['--durability', durability, '--outdir', dir];
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
    for (const dir of Object.values(dirs)) rmSync(dir, { recursive: true, force: true });
  }
  t.log(`${done} kills in ${runs} runs`);
});
