// The process in which one attack runs in all ways: whatever it does to the realm, no other attack sees.

import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { UserError } from '#model';
import { runWays } from './run-ways.js';

const [directory] = process.argv.slice(2);
const send = (/** @type {object} */ message) => process.send?.(message, () => process.disconnect());

try {
  const { default: attack } = await import(pathToFileURL(path.join(directory, 'attack.js')).href);
  send({ outcomes: await runWays(directory, attack) });
} catch (error) {
  if (error instanceof UserError) send({ refusal: error.message });
  else send({ failure: error instanceof Error ? String(error.stack) : String(error) });
}
