// A process in which attacks run, each when the parent names its directory, one after the other. A name without letters
// ends it.

import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { UserError } from '#model';
import { runWays } from './run-ways.js';

/** @param {string} directory */
const runAttack = async directory => {
  try {
    const { default: attack } = await import(pathToFileURL(path.join(directory, 'attack.js')).href);
    return { outcomes: await runWays(directory, attack) };
  } catch (error) {
    if (error instanceof UserError) return { refusal: error.message };
    return { failure: error instanceof Error ? String(error.stack) : String(error) };
  }
};

process.on('message', async directory => {
  if (directory === '') process.disconnect();
  else process.send?.(await runAttack(String(directory)));
});
