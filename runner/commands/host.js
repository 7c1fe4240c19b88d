// `swingset-runner host --cluster URL --run NAME`: runs vats of a run whose leader is another
// process.

import { clusterFlags, hostFlags } from '../flags.js';

export const command = 'host';
export const describe = 'run vats for the leader of a run over several machines';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.options(clusterFlags).options(hostFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { hostRun } = await import('../session/cluster.js');
  await hostRun(flags);
};
