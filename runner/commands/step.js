// `swingset-runner step [BASEDIR]`: one crank, from where the state is.

import { runningFlags } from '../flags.js';

export const command = 'step [basedir]';
export const describe = 'run one crank, of a new state or the one that is there';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('basedir', { type: 'string', describe: 'the directory of the vats' })
    .options(runningFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { openSession } = await import('../session/index.js');
  const session = await openSession(flags, { usually: 'continue' });
  try {
    const ran = await session.runSome(1);
    await session.conclude({ ran });
  } finally {
    await session.close();
  }
};
