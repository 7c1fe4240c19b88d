// `swingset-runner host --cluster URL --run NAME`: a place for vats of a run that is led elsewhere.

import { clusterFlags, hostFlags } from '../flags.js';

export const command = 'host';
export const describe = 'offer this machine to a run that is led elsewhere';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs.options(clusterFlags).options(hostFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { hostRun } = await import('../session/cluster.js');
  await hostRun(flags);
};
