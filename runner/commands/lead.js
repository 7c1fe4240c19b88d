// `swingset-runner lead BASEDIR --cluster URL --run NAME`: runs the kernel of a run over several
// machines.

import { clusterFlags, leadFlags } from '../flags.js';

export const command = 'lead [basedir]';
export const describe = 'lead a run over several machines, with a NATS server';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('basedir', { type: 'string', describe: 'the directory of the vats' })
    .options(clusterFlags)
    .options(leadFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { leadRun } = await import('../session/cluster.js');
  await leadRun(flags);
};
