// `swingset-runner batch [BASEDIR]`: runs a number of cranks of a new or existing state.

import { batchFlag, runningFlags } from '../flags.js';

export const command = 'batch [basedir]';
export const describe = 'run --batchsize cranks of a new or existing state';

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
