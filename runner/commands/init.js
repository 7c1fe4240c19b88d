// `swingset-runner init [NAME]`: a new directory with a program to begin from.

import { print } from '../print.js';
import { initFlags } from '../flags.js';

export const command = 'init [name]';
export const describe = 'make a directory with a program to begin from';

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
export const handler = async ({ name, template }) => {
  const { writeTemplate } = await import('../session/templates.js');
  print(writeTemplate(name, template));
};
