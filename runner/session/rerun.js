// `--watch`: runs again whenever a source of the directory changes. Each run is a process of its
// own, so that it begins like any other; this process watches the directory and starts the runs.
// Ctrl-C ends both, the run at the end of its block.

import { spawn } from 'node:child_process';
import { readdirSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { insistStateKind, loadConfig } from '#host/session.js';
import { UserError } from '#model';
import { demosDir } from '../demos-dir.js';
import { makeOutput } from '../output.js';
import { chooseStart, insistFlags, watchVariable } from './settings.js';
import { onEndSignals, signalExitCodes } from './signal-codes.js';
import { insistWatchFlags } from './watch.js';

/** @import { Flags } from '../cli.js' */
/** @import { EndSignal } from './signal-codes.js' */

const mainFile = fileURLToPath(new URL('../main.js', import.meta.url));

/** The delay after a change, since editors write a file in several steps. */
const restMs = 150;

/** The time after which a run that ignores the signal is killed. */
const leaveMs = 5_000;

/** The largest number of directories to watch. */
const mostFolders = 1_000;

/** Flags that name outputs of a run; changes of these must not start another run. */
const writtenBy = ['outdir', 'dbdir', 'dumpdir', 'statsfile', 'vatlog', 'slog', 'trace'].concat([
  ...['cpu-profile-output', 'heap-profile-output'],
]);

/** @param {string} name */
const isIgnored = name =>
  name.startsWith('.') || name === 'node_modules' || name === 'swingset-out';

/** @param {string} path @param {string} folder */
const isIn = (path, folder) => path === folder || path.startsWith(folder + sep);

/**
 * List the directories that may contain sources.
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
      // The directory was removed meanwhile.
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
 * Report changed, new and removed files below a directory.
 *
 * @param {string} folder  absolute
 * @param {string[]} written  absolute; changes of these are not reported
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
        // The directory was removed, or the system cannot watch more directories.
      }
    }
  };
  update();
  if (watchers.size === 0)
    throw new UserError(`--watch: the system cannot watch ${folder}; run without it`);
};

/** The arguments of a run: those given without --watch, and others. @param {string[]} args @param {string[]} more */
const runArguments = (args, more) => {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, end).filter(arg => !/^--watch(=true)?$/.test(arg));
  return [...own, ...more, ...args.slice(end)];
};

/** @param {string[]} args */
const startRun = args => {
  const child = spawn(process.execPath, [...process.execArgv, mainFile, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [watchVariable]: '1' },
  });
  let isOpen = false;
  let isOver = false;
  child.once('message', () => {
    isOpen = true;
  });
  /** @type {Promise<void>} */
  const ended = new Promise(done => {
    const end = () => {
      isOver = true;
      done();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  return {
    ended,
    /** Whether it is at work on a state that it has begun, or was allowed to discard. */
    isAtWork: () => isOpen && !isOver,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), leaveMs);
      await ended;
      clearTimeout(timer);
    },
  };
};

/**
 * Run now and after each change of a source, until a signal comes.
 *
 * @param {Flags} flags  of `run`
 * @param {string[]} args  of the process
 * @throws {UserError} if the directory does not exist or --json is given
 */
export const runAgainAndAgain = async (flags, args) => {
  if (flags.json)
    throw new UserError('--watch and --json exclude each other: one run prints one value of JSON');
  // No change of a source mends these.
  insistFlags(flags);
  insistWatchFlags(flags);
  insistStateKind({ kind: flags.memdb ? 'memory' : 'lmdb', asked: chooseStart(flags) });
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
  const keepsNothing = Boolean(flags.memdb || flags.resume || flags.init);
  let run = startRun(runArguments(args, []));
  let isEnding = false;
  let isRestarting = false;
  /** Whether the state is that of a run that was stopped here, which the next one discards. */
  let isLeftOver = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  const restart = async (/** @type {string} */ file) => {
    if (isEnding) return;
    isRestarting = true;
    isLeftOver ||= run.isAtWork();
    await run.stop();
    if (!isEnding) {
      note(`\n${file} has changed; running again`);
      run = startRun(runArguments(args, isLeftOver && !keepsNothing ? ['--init'] : []));
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

  /** @type {EndSignal} */
  const signal = await new Promise(done => {
    const unlisten = onEndSignals(first => {
      unlisten();
      done(first);
    });
  });
  isEnding = true;
  clearTimeout(timer);
  // Without a handler a second signal would end this process alone, and leave the run behind.
  onEndSignals(() => run.kill());
  // On a terminal the run has received the same signal; a second one would end it at once.
  if (signal === 'SIGINT' && process.stdin.isTTY) await run.ended;
  else await run.stop();
  process.exit(signalExitCodes[signal]);
};
