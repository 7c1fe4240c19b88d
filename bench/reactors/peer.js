// reactor-ts, for comparison. It is not a dependency, since it comes with 140 MB of compilers that
// nothing else needs. It is installed into its own folder for the measurement, in the versions of
// peer/package-lock.json.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('peer/', import.meta.url));

/** Marks a compiled peer. It must be compiled first: the output that its package ships is older than its sources. */
const built = `${folder}node_modules/.built`;

/**
 * Whether the peer can be measured.
 *
 * @param {boolean} mayInstall
 */
export const providePeer = async mayInstall => {
  if (fs.existsSync(built)) return true;
  if (!mayInstall) return false;
  const npm = (/** @type {string[]} */ ...args) =>
    promisify(execFile)('npm', args, { cwd: folder });
  try {
    await npm('ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
    await npm('run', 'build');
    fs.writeFileSync(built, '');
    return true;
  } catch (error) {
    const { stderr, message } = /** @type {{ stderr?: string, message: string }} */ (error);
    const reason = (stderr || message).trim().split('\n').at(-1);
    console.error(`reactor-ts cannot be installed, so it is not measured: ${reason}`);
    return false;
  }
};
