// `swingset-runner init [NAME]`: makes a directory with a small program.

import { makeOutput } from '../output.js';
import { initFlags } from '../flags.js';

export const command = 'init [name]';
export const describe = 'make a directory with a small program';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('name', {
      type: 'string',
      default: 'my-vats',
      describe: 'the directory to make; "." for this one, if it is empty',
    })
    .options(initFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { writeTemplate } = await import('../session/templates.js');
  const { text, ...made } = writeTemplate(flags.name, flags.template);
  makeOutput(flags).give(made, text);
};
