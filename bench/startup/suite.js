// The time from the start of the runner's process to the start of the first crank, and to the end
// of the process, with packed modules (packages/packed) and from the sources.

import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { spreadOf } from '#measure';
import { withTemporaryFolder } from '../process.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */

const probe = new URL('first-crank.js', import.meta.url).href;
const runner = fileURLToPath(new URL('../../runner/main.js', import.meta.url));
const packer = fileURLToPath(new URL('../../scripts/pack/main.js', import.meta.url));
const demo = fileURLToPath(new URL('../../demos/pingpong', import.meta.url));

const nowMs = () => performance.timeOrigin + performance.now();

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 * @returns {Promise<{ startMs: number, endMs: number, output: string }>}
 */
const runNode = (args, env, cwd) =>
  new Promise((resolve, reject) => {
    const startMs = nowMs();
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', data => (output += data));
    child.stderr.on('data', data => (errors += data));
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve({ startMs, endMs: nowMs(), output });
      else reject(Error(`node ${args.join(' ')} ended with ${code}: ${errors}`));
    });
  });

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {string[]} flags
 * @property {boolean} isCold  with empty caches of bundles and compiled code each time
 * @property {boolean} [runsSources]  not the pack
 */

/** @type {Way[]} */
const ways = [
  { name: 'memory, warm cache', flags: ['--memdb'], isCold: false },
  { name: 'LMDB, warm cache', flags: [], isCold: false },
  {
    name: 'memory, warm cache, vats on one thread',
    flags: ['--memdb', '--workers', '1'],
    isCold: false,
  },
  {
    name: 'memory, warm cache, vats on two threads',
    flags: ['--memdb', '--workers', '2'],
    isCold: false,
  },
  { name: 'memory, cold cache', flags: ['--memdb'], isCold: true },
  {
    name: 'memory, warm cache, from sources',
    flags: ['--memdb'],
    isCold: false,
    runsSources: true,
  },
];

/** @type {Suite} */
export default {
  about: 'from the start of the process to the first crank of demos/pingpong',
  run: ({ small }) =>
    withTemporaryFolder('startup', async dir => {
      const times = small ? 1 : 10;
      const warmCache = path.join(dir, 'warm');
      const mark = path.join(dir, 'first-crank');
      let number = 0;
      let digest = '';

      /** @param {Way} way @param {boolean} isProbed */
      const start = async ({ flags, isCold, runsSources = false }, isProbed) => {
        number += 1;
        const out = path.join(dir, String(number));
        fs.mkdirSync(out);
        const { startMs, endMs, output } = await runNode(
          [
            ...(isProbed ? ['--import', probe] : []),
            runner,
            demo,
            ...flags,
            ...['--benchmark', '0', '--no-graphs', '--activityhash', '--no-stats'],
            ...['--outdir', path.join(out, 'out')],
          ],
          {
            SWINGSET_RUNNER_CACHE_DIR: '',
            XDG_CACHE_HOME: isCold ? path.join(out, 'cache') : warmCache,
            BENCH_FIRST_CRANK: mark,
            SWINGSET_RUNNER_SOURCES: runsSources ? '1' : '',
          },
          out,
        );
        const hash = /activity hash: (\w+)/.exec(output)?.[1] ?? '';
        if (hash === '' || (digest !== '' && hash !== digest)) {
          throw Error(`two starts gave the activity hashes "${digest}" and "${hash}"`);
        }
        digest = hash;
        const firstMs = isProbed ? Number(fs.readFileSync(mark, 'utf8')) - startMs : NaN;
        fs.rmSync(out, { recursive: true });
        return { firstMs, allMs: endMs - startMs };
      };

      await promisify(execFile)(process.execPath, [packer]);
      for (const way of ways) await start(way, false);
      const empty = path.join(dir, 'empty.mjs');
      fs.writeFileSync(empty, '');
      /** @type {number[]} */
      const nodeMs = [];
      const samples = ways.map(way => ({
        way,
        firstMs: /** @type {number[]} */ ([]),
        allMs: /** @type {number[]} */ ([]),
      }));
      for (let turn = 0; turn < times; turn += 1) {
        const { startMs, endMs } = await runNode([empty], {}, dir);
        nodeMs.push(endMs - startMs);
        for (const { way, firstMs, allMs } of samples) {
          // The time of the whole process must not include the hook.
          firstMs.push((await start(way, true)).firstMs);
          allMs.push((await start(way, false)).allMs);
        }
      }
      /** @type {(name: string, values: number[], flags: string[]) => Figure} */
      const figure = (name, values, flags) => ({
        name,
        unit: 'ms',
        ...spreadOf(values),
        params: { flags },
      });
      return {
        figures: [
          ...samples.map(({ way, firstMs }) =>
            figure(`to the first crank: ${way.name}`, firstMs, way.flags),
          ),
          ...samples.map(({ way, allMs }) =>
            figure(`to the end of a run without rounds: ${way.name}`, allMs, way.flags),
          ),
          figure('node itself: an empty module', nodeMs, []),
        ],
        digest,
      };
    }),
};
