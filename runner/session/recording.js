// Fills the rows of the stats file from the host's figures of a block and from measurements after
// it.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { freezeWithGetters } from '#model';
import { readMemory } from '#stats/memory.js';
import { makeStatsRecorder } from '#stats/recorder.js';
import { provideFolder } from './folder.js';

/** @import { BlockTaken, Progress, Simulation } from '#host' */
/** @import { StatsGroups } from '#stats' */

/**
 * @param {Simulation} simulation
 * @param {object} options
 * @param {string} options.path
 * @param {StatsGroups} options.groups
 * @param {number | undefined} options.resumeAfterBlock
 */
export const startRecording = (simulation, { path, groups, resumeAfterBlock }) => {
  provideFolder(dirname(path));
  const { counters } = simulation;
  const recorder = makeStatsRecorder({
    path,
    groups,
    columns: counters.columns(),
    positions: counters.columnPositions(),
    ...(resumeAfterBlock !== undefined && existsSync(path) && { resumeAfterBlock }),
  });
  /** One object for all rows, since a block may take only microseconds. */
  const row = {
    block: 0,
    steps: 0,
    btimeNs: 0,
    ctimeNs: 0,
    cycles: /** @type {number | undefined} */ (undefined),
    instructions: /** @type {number | undefined} */ (undefined),
    diskBytes: 0,
    tableBytes: 0,
    streamBytes: 0,
    logBytes: 0,
    memory: readMemory(),
    counters: counters.numbers,
  };

  return freezeWithGetters({
    /** @param {BlockTaken} taken @param {Progress} progress */
    row({ steps, btimeNs, ctimeNs, cycles, instructions }, { blocks }) {
      row.block = blocks;
      row.steps = steps;
      row.btimeNs = btimeNs;
      row.ctimeNs = ctimeNs;
      row.cycles = cycles;
      row.instructions = instructions;
      if (groups.disk) {
        row.diskBytes = simulation.diskBytes();
        row.tableBytes = simulation.tableBytes();
        row.streamBytes = simulation.streamBytes();
        row.logBytes = simulation.logBytes();
      }
      row.counters = counters.numbers;
      if (groups.memory) row.memory = readMemory();
      recorder.row(row);
    },
    get rows() {
      return recorder.rows;
    },
    close: recorder.close,
  });
};
