// `swingset-runner cluster BASEDIR --hosts 2`: runs a whole run with a server, a leader and hosts
// on this machine.

import { localClusterFlags } from '../flags.js';

export const command = 'cluster [basedir]';
export const describe =
  'run over several processes of this machine, with a NATS server of their own';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('basedir', { type: 'string', describe: 'the directory of the vats' })
    .options(localClusterFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { runLocalCluster } = await import('../session/local-cluster.js');
  await runLocalCluster(flags);
};
