// `swingset-runner step [BASEDIR]`: runs one crank of a new or existing state.

import { runningFlags } from '../flags.js';

export const command = 'step [basedir]';
export const describe = 'run one crank of a new or existing state';

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
