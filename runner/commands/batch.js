// `swingset-runner batch [BASEDIR]`: some cranks, from where the state is.

import { batchFlag, runningFlags } from '../flags.js';

export const command = 'batch [basedir]';
export const describe = 'run --batchsize cranks, of a new state or the one that is there';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('basedir', { type: 'string', describe: 'the directory of the vats' })
    .option('batchsize', { group: 'Running:', ...batchFlag })
    .options(runningFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { openSession } = await import('../session/index.js');
  const session = await openSession(flags, { usually: 'continue' });
  try {
    const ran = await session.runSome(flags.batchsize);
    await session.conclude({ ran });
  } finally {
    await session.close();
  }
};
