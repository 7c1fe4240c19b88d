// The file of a trace: opened before anything runs, and written to its end however the run ends.

import { openTrace } from '#host/session.js';
import { writeToFile } from '#observe/perfetto';

/** @import { Clock, Trace } from '#host' */

/**
 * @param {string} file  one that is there is overwritten; if its name ends in .pftrace, it gets Perfetto's packets, else trace
 *   events as JSON
 * @param {Clock} clock
 * @returns {Promise<Trace>}
 * @throws {UserError} if it cannot be written
 */
export const openTraceFile = async (file, clock) => {
  const format = file.toLowerCase().endsWith('.pftrace') ? 'pftrace' : 'json';
  const trace = await openTrace({ write: writeToFile(file), format, clock });
  // A second Ctrl-C ends the process where it stands.
  const onExit = () => {
    try {
      trace.close();
    } catch {
      // Nobody is left to tell.
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
