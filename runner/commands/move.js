// `swingset-runner move VAT HOST --cluster URL --run NAME`: moves a vat to another host during the
// run.

import { clusterFlags } from '../flags.js';

export const command = 'move <vat> <host>';
export const describe = 'move a vat of a run over several machines to another host';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs
    .positional('vat', { type: 'string', describe: 'the name or the id of the vat' })
    .positional('host', { type: 'string', describe: 'the name of the host' })
    .options(clusterFlags);

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { moveVat } = await import('../session/cluster.js');
  await moveVat(flags);
};
