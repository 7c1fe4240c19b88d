// `swingset-runner shell [BASEDIR]`: an interactive shell to run cranks and inspect the state.

import { runningFlags } from '../flags.js';

export const command = 'shell [basedir]';
export const describe = 'run cranks and inspect the state interactively';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('basedir', { type: 'string', describe: 'the directory of the vats' })
    .options(runningFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { openSession } = await import('../session/index.js');
  const { runShell } = await import('../session/shell.js');
  const session = await openSession(flags, { usually: 'continue', answersLines: true });
  try {
    await runShell(session);
    await session.conclude();
  } finally {
    await session.close();
  }
};
