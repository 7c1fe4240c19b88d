// The table of commands, and parsing of arguments to flags.

import { createRequire } from 'node:module';
import { UserError } from '#model';
import { arrangeArguments, findPositional } from './arguments.js';
import { commonFlags, flagNames } from './flags.js';
import { explainDirectory, explainUsage } from './explain-usage.js';
import { insistArguments, insistCommand, insistOnce } from './explain-usage.js';

export { handleClosedStreams } from './print.js';

const require = createRequire(import.meta.url);

/**
 * Yargs 17 as one CommonJS file: the modules of yargs 18 take three times as long to load, at every command
 * (`npm run bench -- startup`).
 *
 * @type {typeof import('yargs/yargs')}
 */
const makeParser = require('yargs/yargs');

/**
 * @typedef {object} Command
 * @property {string | string[]} command  as yargs has it
 * @property {string} describe
 * @property {(yargs: import('yargs').Argv) => import('yargs').Argv} builder
 * @property {(flags: Flags) => void | Promise<void>} handler
 */

/** The module of each command, loaded when it is needed. @type {Record<string, () => Promise<Command>>} */
const commands = {
  init: () => import('./commands/init.js'),
  run: () => import('./commands/run.js'),
  batch: () => import('./commands/batch.js'),
  step: () => import('./commands/step.js'),
  shell: () => import('./commands/shell.js'),
  graph: () => import('./commands/graph.js'),
  report: () => import('./commands/report.js'),
  dump: () => import('./commands/dump.js'),
  audit: () => import('./commands/audit.js'),
  replay: () => import('./commands/replay.js'),
  slog: () => import('./commands/slog.js'),
  compare: () => import('./commands/compare.js'),
  bench: () => import('./commands/bench.js'),
  diagram: () => import('./commands/diagram.js'),
  export: () => import('./commands/export.js'),
  import: () => import('./commands/import.js'),
  lead: () => import('./commands/lead.js'),
  host: () => import('./commands/host.js'),
  status: () => import('./commands/status.js'),
  move: () => import('./commands/move.js'),
  cluster: () => import('./commands/cluster.js'),
  completion: () => import('./commands/completion.js'),
  'demo-reports': () => import('./commands/demo-reports.js'),
};

/** @returns {Promise<Record<string, Command>>} all commands, by name */
export const loadCommands = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(commands).map(
        async ([name, load]) => /** @type {const} */ ([name, await load()]),
      ),
    ),
  );

/** @typedef {Record<string, any>} Flags  values by the flags' names on the command line; `_` and `--` as in yargs */

/** @param {string[]} given  arguments, without `node` and the script */
export const runCli = async given => {
  const names = Object.keys(commands);
  // In other programs `help` is a command.
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  if (given[0] === 'help') insistCommand(given[1], names);
  insistArguments(args);
  const { command, isCommand, rest } = arrangeArguments(args, names);
  const first = isCommand ? undefined : rest[findPositional(rest)];
  const { version } = require('../package.json');
  const parser = makeParser(command === undefined ? rest : [command, ...rest])
    .scriptName('swingset-runner')
    .usage('$0 [command] [arguments] [flags] [-- arguments of the vats]')
    .locale('en')
    .version(version)
    .parserConfiguration({
      'populate--': true,
      'camel-case-expansion': false,
      'parse-positional-numbers': false,
    })
    .middleware(insistOnce)
    .exitProcess(false)
    .strict()
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .fail((message, error) => {
      if (error instanceof UserError) throw error;
      // Yargs reports usage errors as YError, also when it forwards one of ours.
      if (error && error.name !== 'YError') throw error;
      throw new UserError(explainUsage(error?.message ?? message, { first, commands: names }));
    });
  // Yargs formats its help text at every command, shown or not, which is slow: commands and flags
  // are hidden from it unless help was requested.
  const helps = args.includes('--help');
  // Only the help shows the other commands.
  const needed = command === undefined || helps ? names : [command];
  const loaded = await Promise.all(needed.map(name => commands[name]()));
  for (const { handler: _, builder, describe, ...each } of loaded) {
    const build = (/** @type {import('yargs').Argv} */ inner) => {
      const built = builder(inner).options(commonFlags);
      if (!helps) for (const name of [...flagNames, 'help', 'version']) built.hide(name);
      return built;
    };
    const module = { ...each, describe: helps ? describe : false, builder: build };
    parser.command(/** @type {any} */ (module));
  }
  const flags = await parser.parseAsync();
  if (flags.help || flags.version) return;
  const { handler } = await commands[/** @type {string} */ (command)]();
  try {
    await handler(flags);
  } catch (error) {
    throw isCommand
      ? error
      : explainDirectory(error, { isNamed: flags.basedir !== undefined, commands: names });
  }
};
