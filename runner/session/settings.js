// Turns flags into settings: exclusive flags, output paths, recorded columns.

import { statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { findOutputFolder, nameRun } from '#host/session.js';
import { quote, UserError } from '#model';
import { parseLogFlags } from '#stats/columns.js';
import { quoteForShell } from './shell-text.js';

/** @typedef {import('../cli.js').Flags} Flags */

/** @type {[string, string, string][]} */
const exclusive = [
  ['init', 'resume', 'one starts afresh, the other continues'],
  ['lmdb', 'memdb', 'a state is kept in one of them'],
  ['memdb', 'dbdir', 'a state in memory has no directory'],
  ['initonly', 'resume', 'an existing state was already made'],
  ['initonly', 'memdb', 'a state in memory would be gone at once'],
  ['init', 'end-diverging', 'a new state has nothing that could be done otherwise'],
  ['memdb', 'end-diverging', 'a new state has nothing that could be done otherwise'],
];

/** Flags that name a file, and never standard output. */
const fileFlags = ['slog', 'trace', 'cpu-profile-output', 'heap-profile-output'];

/** @param {Flags} flags */
export const insistFlags = flags => {
  for (const [left, right, why] of exclusive) {
    if (flags[left] && flags[right]) {
      throw new UserError(`--${left} and --${right} exclude each other: ${why}; give one of them`);
    }
  }
  const onOutput = ['statsfile', 'vatlog'].find(name => flags[name] === '-');
  if (flags.json && onOutput !== undefined)
    throw new UserError(
      `--json and --${onOutput} - exclude each other: both write to standard output; give --${onOutput} a file`,
    );
  const { statsfile } = flags;
  const onFile = fileFlags.find(name => flags[name] === '-');
  if (onFile !== undefined)
    throw new UserError(
      `--${onFile} writes a file, got "-"; only --statsfile and --vatlog write to standard output`,
    );
  if (statsfile !== undefined && statSync(statsfile, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`--statsfile needs the name of a file; ${quote(statsfile)} is a directory`);
  if (/[/\\]/.test(flags.logtag ?? '')) {
    throw new UserError(
      `--logtag is a part of a file's name, got ${quote(flags.logtag)}; choose the directory with --outdir`,
    );
  }
};

/**
 * Refuses a file that two flags name, or that the run writes anyway: one would overwrite the other.
 *
 * @param {Flags} flags
 * @param {Places} places
 */
export const insistOwnFiles = (flags, { statsFile, reportText, reportJson, graph }) => {
  const graphs = ['time', 'cycles', 'memory', 'disk'].map(graph);
  /** @type {Map<string, string | undefined>} the flag that names a file; none for a file of the run */
  const writers = new Map(
    [statsFile, reportText, reportJson, ...graphs].map(file => [resolve(file), undefined]),
  );
  for (const name of [...fileFlags, 'vatlog', 'statsfile']) {
    const file = flags[name];
    // Several may write to a device or a pipe.
    if (file === undefined || file === '-' || !isPlain(file)) continue;
    const path = resolve(file);
    // Both writers have one text.
    if (name === 'statsfile' && path === resolve(reportJson)) continue;
    const other = writers.get(path);
    if (other !== undefined)
      throw new UserError(
        `--${other} and --${name} both write ${quote(file)}; give each a file of its own`,
      );
    if (writers.has(path))
      throw new UserError(
        `--${name} ${quote(file)}: the run writes this file itself; name another file`,
      );
    writers.set(path, name);
  }
};

/** Whether a path is that of a file, or of none yet; whoever opens it reports other errors. @param {string} path */
const isPlain = path => {
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
};

/** @param {Flags} flags @returns {'init' | 'resume' | undefined} */
export const chooseStart = ({ init, resume }) => (init ? 'init' : resume ? 'resume' : undefined);

/** Set by `--watch` for its runs: each tells when it has its state, since it may have been refused. */
export const watchVariable = 'SWINGSET_RUNNER_WATCHED';

/**
 * The groups of columns of the stats file; `undefined` for no stats file.
 *
 * @param {Flags} flags
 * @param {boolean} logsAll the default if no flag chooses columns
 */
export const chooseGroups = (flags, logsAll) => {
  const names = ['logtimes', 'logmem', 'logdisk', 'logstats', 'logall'];
  const isSilent = names.every(name => flags[name] === undefined);
  const { logcycles } = flags;
  const groups = parseLogFlags(isSilent ? { logall: logsAll || logcycles, logcycles } : flags);
  return Object.values(groups).some(Boolean) ? groups : undefined;
};

/**
 * The paths of everything that a run writes.
 *
 * @param {{ baseDir: string, configFile?: string }} config
 * @param {Flags} flags
 */
export const choosePlaces = (config, { outdir, dbdir, logtag }) => {
  const { name, folder: outDir, notices } = chooseFolder(config, outdir);
  return {
    name,
    outDir,
    notices,
    stateDir: dbdir ?? join(outDir, 'state'),
    statsFile: join(outDir, `stats-${logtag ?? name}.tsv`),
    reportText: join(outDir, 'report.txt'),
    reportJson: join(outDir, 'report.json'),
    graph: (/** @type {string} */ kind) => join(outDir, `${kind}.png`),
  };
};

/**
 * @param {{ baseDir: string, configFile?: string }} config
 * @param {string | undefined} outdir  the value of --outdir
 * @returns {{ name: string, folder: string, notices: string[] }}
 */
const chooseFolder = (config, outdir) =>
  outdir === undefined
    ? findOutputFolder(config)
    : { name: nameRun(config), folder: outdir, notices: [] };

/** @typedef {ReturnType<typeof choosePlaces>} Places */

/**
 * The command that continues a run, as the user can type it.
 *
 * @param {string[]} argv  of the process
 * @param {NodeJS.ProcessEnv} [env]
 */
export const resumeCommand = ([, script, ...args], env = process.env) => {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const kept = args
    .slice(0, end)
    .filter(
      arg => !['--init', '--resume', '--end-diverging', '--initonly', '--no-init'].includes(arg),
    );
  const program = showProgram(script, env);
  return [program, ...kept.map(quoteForShell), '--resume'].join(' ');
};

/**
 * The program as the user can type it: its name, if the shell finds it by name.
 *
 * @param {string} script
 * @param {NodeJS.ProcessEnv} env
 */
const showProgram = (script, env) => {
  const name = basename(script);
  const path = quoteForShell(showScript(script));
  if (name === 'main.js') return `node ${path}`;
  // npx adds the program's folder to PATH for this process only.
  if (env.npm_command === 'exec') return `npx ${name}`;
  return (env.PATH ?? '').split(delimiter).includes(dirname(script)) ? name : path;
};

/** @param {string} script */
const showScript = script => {
  const here = `${resolve('.')}/`;
  return script.startsWith(here) ? script.slice(here.length) : script;
};
