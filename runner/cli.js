// The commands and how arguments become their flags.

import { createRequire } from 'node:module';
import yargs from 'yargs';
import { UserError } from '#model';
import * as batch from './commands/batch.js';
import * as graph from './commands/graph.js';
import * as report from './commands/report.js';
import * as run from './commands/run.js';
import * as shell from './commands/shell.js';
import * as step from './commands/step.js';
import { arrangeArguments } from './arguments.js';
import { explainDirectory, explainUsage, insistOnce } from './explain-usage.js';

const commands = { run, batch, step, shell, graph, report };

/** @typedef {Record<string, any>} Flags  by the names they have on the command line; `_` and `--` as in yargs */

/** @param {string[]} args  without `node` and the script */
export const runCli = async args => {
  const { command, isCommand, rest } = arrangeArguments(args, Object.keys(commands));
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
      // What yargs makes of a mistake has its own kind of error, also where it passes on one of ours.
      if (error && error.name !== 'YError') throw error;
      throw new UserError(explainUsage(error?.message ?? message));
    });
  for (const each of Object.values(commands)) parser.command(/** @type {any} */ (each));
  try {
    await parser.parseAsync();
  } catch (error) {
    throw isCommand ? error : explainDirectory(error, Object.keys(commands));
  }
};
