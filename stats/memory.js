// How much memory the process holds, measured once a block and therefore cheaply. Node's `process.memoryUsage()`
// opens, reads and closes a file of /proc at every call; here that file stays open and the rest comes from V8.

import fs from 'node:fs';
import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';

/**
 * Bytes. `rss` is the whole process with all its threads; the others are this thread's JavaScript heap.
 *
 * @typedef {object} MemoryReading
 * @property {number} rss
 * @property {number} heapTotal
 * @property {number} heapUsed
 * @property {number} external
 */

/** The file holds sizes in pages; Node does not tell their size, but its own reading in bytes does. */
const pageSizes = [4096, 16384, 65536];

const statmBuffer = Buffer.alloc(64);

/** @param {number} fd  of /proc/self/statm: total and resident pages, then what is of no interest here */
const readResidentPages = fd => {
  const length = fs.readSync(fd, statmBuffer, 0, 64, 0);
  let at = statmBuffer.indexOf(32) + 1;
  let pages = 0;
  for (; at < length && statmBuffer[at] !== 32; at += 1)
    pages = pages * 10 + (statmBuffer[at] - 48);
  return pages;
};

/**
 * A quick way to the resident size, or undefined where the system has none (macOS, Windows, a closed /proc).
 *
 * @returns {(() => number) | undefined}
 */
const findResidentReader = () => {
  try {
    const fd = fs.openSync('/proc/self/statm', 'r');
    const pages = readResidentPages(fd);
    const bytes = process.memoryUsage.rss();
    const pageSize = pageSizes.find(size => Math.abs(pages * size - bytes) < bytes / 4);
    if (pageSize !== undefined) return () => readResidentPages(fd) * pageSize;
    fs.closeSync(fd);
  } catch {
    // No such file: the portable way below serves.
  }
  return undefined;
};

/** @type {(() => number) | undefined} */
let readResident;

/**
 * The shortest time between two questions to the system for the resident size: a call is slow beside a short block, whose
 * measured time would include it.
 */
const residentEveryMs = 1;

/**
 * The memory of the process as it is now; `rss` may be 1 ms old. The object returned is filled anew by the next call:
 * copy what you keep.
 *
 * @type {() => MemoryReading}
 */
export const readMemory = (() => {
  const reading = { rss: 0, heapTotal: 0, heapUsed: 0, external: 0 };
  let residentAtMs = -Infinity;
  return () => {
    readResident ??= findResidentReader() ?? process.memoryUsage.rss;
    const heap = v8.getHeapStatistics();
    const nowMs = performance.now();
    if (nowMs - residentAtMs >= residentEveryMs) {
      residentAtMs = nowMs;
      reading.rss = readResident();
    }
    reading.heapTotal = heap.total_heap_size;
    reading.heapUsed = heap.used_heap_size;
    reading.external = heap.external_memory;
    return reading;
  };
})();
