// `--watch`: a run again whenever a source of its directory changes. Each run is a process of its own, so that it begins as any
// other; this one looks at the directory and starts them. Ctrl-C ends both, the run at the end of its block.

import { spawn } from 'node:child_process';
import { readdirSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '#host/session.js';
import { UserError } from '#model';
import { demosDir } from '../demos-dir.js';
import { makeOutput } from '../output.js';

/** @import { Flags } from '../cli.js' */

const mainFile = fileURLToPath(new URL('../main.js', import.meta.url));

/** An editor writes a file in several steps. */
const restMs = 150;

/** A run that does not end at a signal is ended. */
const leaveMs = 5_000;

/** More directories are not looked at. */
const mostFolders = 1_000;

/** By custom, 128 and the signal's number. @type {Record<string, number>} */
const exitCodes = { SIGINT: 130, SIGTERM: 143 };

/** The flags that name files and directories that a run writes: these must not start another run. */
const writtenBy = ['outdir', 'dbdir', 'dumpdir', 'statsfile', 'vatlog', 'slog', 'trace'].concat([
  ...['cpu-profile-output', 'heap-profile-output'],
]);

/** @param {string} name */
const isIgnored = name =>
  name.startsWith('.') || name === 'node_modules' || name === 'swingset-out';

/** @param {string} path @param {string} folder */
const isIn = (path, folder) => path === folder || path.startsWith(folder + sep);

/**
 * The directories in which sources may lie.
 *
 * @param {string} folder  absolute
 * @param {string[]} written  absolute
 * @returns {string[]}
 */
const listFolders = (folder, written) => {
  const found = [folder];
  for (let i = 0; i < found.length && found.length < mostFolders; i += 1) {
    /** @type {import('node:fs').Dirent[]} */
    let entries = [];
    try {
      entries = readdirSync(found[i], { withFileTypes: true });
    } catch {
      // It is gone again.
    }
    for (const entry of entries) {
      const path = join(found[i], entry.name);
      if (!entry.isDirectory() || isIgnored(entry.name)) continue;
      if (!written.some(each => isIn(path, each))) found.push(path);
    }
  }
  return found;
};

/**
 * Tell of changed files below a directory, those made and removed included.
 *
 * @param {string} folder  absolute
 * @param {string[]} written  absolute; not told of
 * @param {(file: string) => void} onChange  relative to the directory
 */
const watchFolder = (folder, written, onChange) => {
  /** @type {Map<string, import('node:fs').FSWatcher>} */
  const watchers = new Map();
  const update = () => {
    const wanted = new Set(listFolders(folder, written));
    for (const [path, watcher] of watchers) {
      if (wanted.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const path of wanted) {
      if (watchers.has(path)) continue;
      try {
        const watcher = watch(path, (_event, name) => {
          const file = join(path, name ?? '');
          if (isIgnored(basename(file)) || written.some(each => isIn(file, each))) return;
          update();
          onChange(relative(folder, file));
        });
        watcher.on('error', () => watcher.close());
        watchers.set(path, watcher);
      } catch {
        // It is gone again, or the system watches no more.
      }
    }
  };
  update();
  if (watchers.size === 0)
    throw new UserError(`--watch: the system cannot watch ${folder}; run without it`);
};

/** The arguments of a single run. @param {string[]} args */
const withoutWatch = args => {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, end).filter(arg => !/^--watch(=true)?$/.test(arg));
  return [...own, ...args.slice(end)];
};

/** @param {string[]} args */
const startRun = args => {
  const child = spawn(process.execPath, [...process.execArgv, mainFile, ...args], {
    stdio: 'inherit',
  });
  /** @type {Promise<void>} */
  const ended = new Promise(done => {
    child.once('exit', () => done());
    child.once('error', () => done());
  });
  return {
    ended,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), leaveMs);
      await ended;
      clearTimeout(timer);
    },
  };
};

/**
 * Run, and again whenever a source changes, until a signal comes.
 *
 * @param {Flags} flags  of `run`
 * @param {string[]} args  of the process
 * @throws {UserError} there is no such directory, or --json is given
 */
export const runAgainAndAgain = async (flags, args) => {
  if (flags.json)
    throw new UserError('--watch and --json exclude each other: one run prints one value of JSON');
  const { note } = makeOutput(flags);
  const { baseDir, configFile } = loadConfig({
    ...(flags.basedir !== undefined && { baseDir: flags.basedir }),
    ...(flags.config !== undefined && { configFile: flags.config }),
    demosDir,
  });
  const folder = resolve(
    statSync(baseDir).isDirectory() ? baseDir : dirname(configFile ?? baseDir),
  );
  const written = writtenBy.flatMap(flag =>
    flags[flag] === undefined || flags[flag] === '-' ? [] : [resolve(flags[flag])],
  );
  const own = withoutWatch(args);
  let run = startRun(own);
  let isEnding = false;
  let isRestarting = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  const restart = async (/** @type {string} */ file) => {
    if (isEnding) return;
    isRestarting = true;
    await run.stop();
    if (!isEnding) {
      note(`\n${file} has changed; running again`);
      run = startRun(own);
    }
    isRestarting = false;
  };
  watchFolder(folder, written, file => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isRestarting) void restart(file);
    }, restMs);
  });
  note(`watching ${folder}; Ctrl-C ends`);

  /** @type {NodeJS.Signals} */
  const signal = await new Promise(done => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });
  isEnding = true;
  clearTimeout(timer);
  // On a terminal the run has had the same signal, and ends at once if it gets a second one.
  if (signal === 'SIGINT' && process.stdin.isTTY) await run.ended;
  else await run.stop();
  process.exit(exitCodes[signal]);
};
