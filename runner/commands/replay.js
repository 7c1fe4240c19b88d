// `swingset-runner replay DATABASE`: repeats a recorded run with the same inputs at the same tags.

import { demosDir } from '../demos-dir.js';
import { tellLoss } from '../tell-failure.js';
import { databasePositional } from '../flags.js';
import { makeOutput } from '../output.js';

export const command = 'replay <path>';
export const describe = 'run a recorded run again, and name the first difference if there is one';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs.positional('path', databasePositional).option('sources', {
    type: 'string',
    requiresArg: true,
    describe: 'run the current sources of this directory instead of the recorded ones',
  });

/** @param {number} count @param {string} what */
const showCount = (count, what) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** @param {import('../cli.js').Flags} flags */
export const handler = async flags => {
  const { path, sources } = flags;
  const output = makeOutput(flags);
  const { defaultCacheDir, openKernel, replayRecording } = await import('#host');
  const { store, dir, close } = await openKernel(path, { demosDir, onLoss: tellLoss });
  try {
    const options = { cacheDir: defaultCacheDir(), demosDir };
    const replayed = await replayRecording(store, {
      ...options,
      ...(sources !== undefined && { sources }),
    });
    const { cranks, inputs, activityHash, changed, overruled, difference } = replayed;
    for (const what of changed) output.print(`${what} has another source than the recorded one\n`);
    for (const what of overruled) output.print(`${what}; what the recording has is used\n`);
    const result = {
      ...{ state: dir, cranks, inputs, activityHash },
      ...{ changed: [...changed], overruled: [...overruled], difference: difference ?? null },
    };
    if (difference !== undefined) {
      output.fail(result, `${dir} does not replay: ${difference}`);
      return;
    }
    output.give(
      result,
      `${dir}: ${showCount(cranks, 'crank')}, ${showCount(inputs, 'input')}: the same again (hash ${activityHash})\n`,
    );
  } finally {
    await close();
  }
};
