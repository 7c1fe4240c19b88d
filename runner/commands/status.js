// `swingset-runner status --cluster URL --run NAME`: prints leader, hosts, vats, lag and epoch of a
// run.

import { clusterFlags, statusFlags } from '../flags.js';

export const command = 'status';
export const describe = 'show leader, hosts and vats of a run over several machines';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.options(clusterFlags).options(statusFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { showStatus } = await import('../session/cluster.js');
  await showStatus(flags);
};
