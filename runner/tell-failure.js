// The last words of a command that failed.

import { UserError } from '#model';
import { tell } from './print.js';

/**
 * @param {unknown} error
 * @returns {Promise<number>} exit code: 2 for wrong usage, 1 for a run that failed or a bug
 */
export const tellFailure = async error => {
  if (error instanceof UserError) {
    tell(`swingset-runner: ${error.message}`);
    return error.exitCode;
  }
  const { getStackFrames } = await import('#host');
  const { name, message } = error instanceof Error ? error : Error(String(error));
  tell(
    [
      `swingset-runner: this is a bug of swingset-runner: ${name}: ${message}`,
      getStackFrames(error),
      `Please report it, with this output and the command: swingset-runner ${process.argv.slice(2).join(' ')}`,
    ].join('\n'),
  );
  return 1;
};

/** Tells what a damaged state has lost. The state was read only. @param {string} what */
export const tellLoss = what => tell(what);
