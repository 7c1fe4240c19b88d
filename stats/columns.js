// The columns of a stats file, and the flags that record them. People, spreadsheets and graphs read
// the file, so names, order and units are fixed: times in nanoseconds, sizes in bytes.

import { insistArgument } from '#model';

/** Columns of every file: the block's number, and its number of cranks. */
export const blockColumns = Object.freeze(['block', 'steps']);

/** From block start to commit end, and the commit's part of it; nanoseconds. */
export const timeColumns = Object.freeze(['btime', 'ctime']);

/** Over the same time, for the thread that runs the kernel: cycles of its core, and instructions that it retired. */
export const cycleColumns = Object.freeze(['cycles', 'instructions']);

/** Memory of the process after the block, in bytes. */
export const memoryColumns = Object.freeze(['rss', 'heapTotal', 'heapUsed', 'external']);

/**
 * Bytes of the database's files, and the bytes in use among them: by tables, by transcripts and
 * other streams (both in whole pages), and by blocks in the log that no checkpoint has moved yet.
 * The rest of the files is allocated in advance.
 */
export const diskColumns = Object.freeze(['disk', 'diskTables', 'diskStreams', 'diskLog']);

/** The columns of bytes in use. */
export const usedDiskColumns = Object.freeze(['diskTables', 'diskStreams', 'diskLog']);

/**
 * The groups of columns of a stats file. Block and steps are in every file.
 *
 * @typedef {object} StatsGroups
 * @property {boolean} times
 * @property {boolean} [cycles]
 * @property {boolean} memory
 * @property {boolean} disk
 * @property {boolean} counters
 */

/**
 * The groups of columns that flags of the command line request.
 *
 * @param {{ logtimes?: boolean, logcycles?: boolean, logmem?: boolean, logdisk?: boolean, logstats?: boolean, logall?: boolean }} flags
 * @returns {StatsGroups}
 * @throws {TypeError} for anything but an object
 */
export const parseLogFlags = flags => {
  insistArgument('parseLogFlags()', flags, 'object', 'an object of flags, as { logtimes: true }');
  const {
    logtimes = false,
    logcycles = false,
    logmem = false,
    logdisk = false,
    logstats = false,
    logall = false,
  } = flags;
  return {
    times: logtimes || logall,
    // Not every machine counts cycles, so --logall does not include them.
    ...(logcycles && { cycles: true }),
    memory: logmem || logall,
    disk: logdisk || logall,
    counters: logstats || logall,
  };
};

/**
 * The columns of a counter: its value, then those of `Up`, `Down` and `Max` that it has.
 *
 * @param {string} name
 * @param {{ up?: boolean, down?: boolean, max?: boolean }} figures
 * @returns {string[]} names of columns, the value first
 */
export const counterColumns = (name, { up = false, down = false, max = false }) => [
  name,
  ...(up ? [`${name}Up`] : []),
  ...(down ? [`${name}Down`] : []),
  ...(max ? [`${name}Max`] : []),
];

/**
 * The header of a stats file.
 *
 * @param {StatsGroups} groups
 * @param {readonly string[]} counters  names of the counters' columns, in the order of their values
 * @returns {string[]} names of all columns, in the order of a row
 */
export const statsHeader = (groups, counters) => [
  ...blockColumns,
  ...(groups.times ? timeColumns : []),
  ...(groups.cycles ? cycleColumns : []),
  ...(groups.memory ? memoryColumns : []),
  ...(groups.disk ? diskColumns : []),
  ...(groups.counters ? counters : []),
];
