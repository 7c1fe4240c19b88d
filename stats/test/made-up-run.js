// A run as the charts meet it, made up from a seed: warm-up, small collections of garbage, a long pause now and then.

/** @import { StatsData } from '../read.js' */

/** @param {number} seed  the generator of Park and Miller */
const makeRandom = seed => {
  let state = seed + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
};

/**
 * @param {number} blocks
 * @param {{ label?: string, seed?: number, baseNs?: number, commitNs?: number, pauseNs?: number }} [options]
 * @returns {StatsData}
 */
export const makeUpRun = (
  blocks,
  {
    label = `run of ${blocks}`,
    seed = 1,
    baseNs = 300_000,
    commitNs = 110_000,
    pauseNs = 3e7,
  } = {},
) => {
  const random = makeRandom(seed);
  const columns = [
    ...[
      'block',
      'steps',
      'btime',
      'ctime',
      'cycles',
      'instructions',
      'rss',
      'heapTotal',
      'heapUsed',
      'external',
      'disk',
    ],
    ...['kernelObjects', 'kernelObjectsUp', 'kernelObjectsDown', 'kernelObjectsMax'],
    ...['kernelDevices', 'kernelDevicesUp', 'kernelDevicesDown', 'kernelDevicesMax'],
    ...['kpRejected', 'kpRejectedUp', 'kpRejectedDown', 'kpRejectedMax'],
    ...['runQueueLength', 'runQueueLengthUp', 'runQueueLengthMax', 'syscalls', 'dispatches'],
  ];
  /** @type {StatsData['rows']} */
  const rows = {};
  for (const name of columns) rows[name] = new Float64Array(blocks);
  for (let i = 0; i < blocks; i += 1) {
    const pause = i > 0 && i % 977 === 0 ? pauseNs : i % 60 === 59 ? 4 * baseNs : 0;
    rows.block[i] = i + 1;
    rows.steps[i] = i === 0 ? 11 : 7;
    rows.ctime[i] = Math.round(commitNs * (0.8 + 0.4 * random()));
    rows.btime[i] = Math.round(
      rows.ctime[i] + baseNs * (0.9 + 0.2 * random() + 5 * Math.exp(-i / 20)) + pause,
    );
    rows.cycles[i] = Math.round(rows.btime[i] * 2.6);
    rows.instructions[i] = Math.round(rows.btime[i] * 4);
    rows.heapUsed[i] = 24e6 + (i % 60) * 1.2e5;
    rows.heapTotal[i] = 34e6;
    rows.rss[i] = 9e7 + 1e4 * i;
    rows.external[i] = 2.4e6;
    rows.disk[i] = 16384 * Math.floor(4 + i / 11);
    rows.kernelObjects[i] = 9 + Math.floor(i / 10);
    rows.kernelObjectsUp[i] = rows.kernelObjects[i];
    rows.kernelDevices[i] = 1;
    rows.kernelDevicesUp[i] = 1;
    rows.runQueueLength[i] = i % 3;
    rows.syscalls[i] = 17 + 11 * (i + 1) + Math.floor(i / 5);
    rows.dispatches[i] = 11 + 7 * i + Math.floor(i / 7);
  }
  return { file: `${label}.tsv`, label, columns, rows, length: blocks };
};
