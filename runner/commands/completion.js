// `swingset-runner completion SHELL`: prints a script that completes commands and flags, for the
// shell's startup file.

import { makeOutput } from '../output.js';

export const command = 'completion <shell>';
export const describe = 'print a script that completes commands and flags: for bash, zsh or fish';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs.positional('shell', { type: 'string', describe: 'bash, zsh or fish' });

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { describeCommands, writeCompletion } = await import('../session/completion.js');
  const script = writeCompletion(flags.shell, await describeCommands());
  makeOutput(flags).give({ shell: flags.shell, script }, script);
};
