// Makes everything that was published on 2020-09-30 anew: the sixteen benchmark runs and the demo reports, each into a
// folder of its own. To be run on a machine that does nothing else: `node scripts/snapshot.js [FOLDER]`. An interrupted
// one goes on where it was; arguments behind `--` go to both commands: `node scripts/snapshot.js out -- --profile 2020-09`.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const mainFile = join(import.meta.dirname, '../runner/main.js');
const args = process.argv.slice(2);
const end = args.includes('--') ? args.indexOf('--') : args.length;
const [folder = 'swingset-out', ...surplus] = args.slice(0, end);

/** @param {string[]} command @param {string} name  of its folder */
const run = (command, name) => {
  const all = [mainFile, ...command, '--outdir', join(folder, name), ...args.slice(end + 1)];
  const { status } = spawnSync(process.execPath, all, { stdio: 'inherit' });
  // Stopped by a signal, or by Ctrl-C: then the other is not wanted either.
  if (status === null || status > 128) process.exit(status ?? 1);
  return status;
};

if (surplus.length > 0) {
  console.error(`one folder at most, got ${[folder, ...surplus].join(' ')}`);
  process.exit(2);
}
const statuses = [
  run(['bench', 'snapshot'], 'bench-snapshot'),
  run(['demo-reports'], 'demo-reports'),
];
process.exitCode = Math.max(...statuses);
