// Reports why a command failed: a line on standard error, and with --json `{ "error": … }` on
// standard output.

import { explainFileError, UserError } from '#model';
import { formatJson } from './output.js';
import { print, tell, tellError } from './print.js';

/** Whether --json was given, even to a command line with errors. @param {string[]} args */
const asksForJson = args =>
  args.slice(0, args.includes('--') ? args.indexOf('--') : args.length).includes('--json');

/** @param {string} message @param {number} exitCode */
const tellInJson = (message, exitCode) => {
  if (asksForJson(process.argv.slice(2))) print(formatJson({ error: { message, exitCode } }));
};

/**
 * @param {unknown} thrown
 * @returns {Promise<number>} exit code: 2 for wrong usage, 1 for a run that failed or a bug
 */
export const tellFailure = async thrown => {
  const error = explainFileError(thrown);
  if (error instanceof UserError) {
    tellError(error.message);
    tellInJson(error.message, error.exitCode);
    return error.exitCode;
  }
  const { getStackFrames } = await import('#host');
  const { name, message } = error instanceof Error ? error : Error(String(error));
  tellInJson(`this is a bug of swingset-runner: ${name}: ${message}`, 1);
  tell(
    [
      `swingset-runner: this is a bug of swingset-runner: ${name}: ${message}`,
      getStackFrames(error),
      `Please report it, with this output and the command: swingset-runner ${process.argv.slice(2).join(' ')}`,
    ].join('\n'),
  );
  return 1;
};

/** Reports the lost data of a damaged state that was opened for reading. @param {string} what */
export const tellLoss = what => tell(what);
