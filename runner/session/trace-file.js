// Opens the file of a trace before the run, and completes it however the run ends.

import { openTrace } from '#host/session.js';
import { writeToFile } from '#observe/perfetto';

/** @import { Clock, Trace } from '#host' */

/**
 * @param {string} file  overwritten if it exists; gets Perfetto's packets if its name ends in
 *   .pftrace, else trace events as JSON
 * @param {Clock} clock
 * @returns {Promise<Trace>}
 * @throws {UserError} if it cannot be written
 */
export const openTraceFile = async (file, clock) => {
  const format = file.toLowerCase().endsWith('.pftrace') ? 'pftrace' : 'json';
  const trace = await openTrace({ write: writeToFile(file), format, clock });
  // A second Ctrl-C ends the process at once.
  const onExit = () => {
    try {
      trace.close();
    } catch {
      // There is no way to report it any more.
    }
  };
  process.on('exit', onExit);
  return Object.freeze({
    ...trace,
    close() {
      process.off('exit', onExit);
      trace.close();
    },
  });
};
