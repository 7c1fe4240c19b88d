// The commands and how arguments become their flags.

import { createRequire } from 'node:module';
import yargs from 'yargs';
import { UserError } from '#model';
import * as audit from './commands/audit.js';
import * as batch from './commands/batch.js';
import * as bench from './commands/bench.js';
import * as compare from './commands/compare.js';
import * as demoReports from './commands/demo-reports.js';
import * as diagram from './commands/diagram.js';
import * as dump from './commands/dump.js';
import * as exportCommand from './commands/export.js';
import * as graph from './commands/graph.js';
import * as importCommand from './commands/import.js';
import * as init from './commands/init.js';
import * as replay from './commands/replay.js';
import * as report from './commands/report.js';
import * as run from './commands/run.js';
import * as shell from './commands/shell.js';
import * as step from './commands/step.js';
import { arrangeArguments, findPositional } from './arguments.js';
import { flagNames } from './flags.js';
import { explainDirectory, explainUsage, insistOnce, insistToggles } from './explain-usage.js';

const commands = {
  ...{ init, run, batch, step, shell, graph, report, dump, audit, replay, compare, bench, diagram },
  export: exportCommand,
  import: importCommand,
  'demo-reports': demoReports,
};

/** @typedef {Record<string, any>} Flags  by the names they have on the command line; `_` and `--` as in yargs */

/** @param {string[]} given  arguments, without `node` and the script */
export const runCli = async given => {
  // As a word it is a command elsewhere.
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  insistToggles(args);
  const names = Object.keys(commands);
  const { command, isCommand, rest } = arrangeArguments(args, names);
  const first = isCommand ? undefined : rest[findPositional(rest)];
  const { version } = createRequire(import.meta.url)('../package.json');
  const parser = yargs(command === undefined ? rest : [command, ...rest])
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
      // yargs has an error class of its own for mistakes, also where it passes on one of ours.
      if (error && error.name !== 'YError') throw error;
      throw new UserError(explainUsage(error?.message ?? message, { first, commands: names }));
    });
  // Yargs formats its help text at every command, shown or not: 40 ms, unless there is nothing to tell.
  const helps = args.includes('--help');
  for (const { handler: _, builder, describe, ...each } of Object.values(commands)) {
    const build = (/** @type {import('yargs').Argv} */ inner) => {
      const built = builder(inner);
      if (!helps) for (const name of [...flagNames, 'help', 'version']) built.hide(name);
      return built;
    };
    const module = { ...each, describe: helps ? describe : false, builder: build };
    parser.command(/** @type {any} */ (module));
  }
  const flags = await parser.parseAsync();
  if (flags.help || flags.version) return;
  const { handler } = commands[/** @type {keyof typeof commands} */ (command)];
  try {
    await handler(flags);
  } catch (error) {
    throw isCommand
      ? error
      : explainDirectory(error, { isNamed: flags.basedir !== undefined, commands: names });
  }
};
