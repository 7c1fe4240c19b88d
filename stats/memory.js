// Measures the memory of the process cheaply, once a block. Node's `process.memoryUsage()` opens,
// reads and closes a file of /proc at every call; here that file stays open, and the other figures
// come from V8.

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

/** Possible page sizes. The file has sizes in pages; Node's own reading in bytes shows which page size holds. */
const pageSizes = [4096, 16384, 65536];

const statmBuffer = Buffer.alloc(64);

/** @param {number} fd  of /proc/self/statm: total and resident pages, then further fields */
const readResidentPages = fd => {
  const length = fs.readSync(fd, statmBuffer, 0, 64, 0);
  let at = statmBuffer.indexOf(32) + 1;
  let pages = 0;
  for (; at < length && statmBuffer[at] !== 32; at += 1)
    pages = pages * 10 + (statmBuffer[at] - 48);
  return pages;
};

/**
 * Find a fast reader of the resident size; undefined where the system has no /proc/self/statm
 * (macOS, Windows).
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
    // There is no such file; readMemory uses process.memoryUsage.rss.
  }
  return undefined;
};

/** @type {(() => number) | undefined} */
let readResident;

/**
 * The shortest time between two readings of the resident size: a system call is slow compared with
 * a short block, whose measured time would include it.
 */
const residentEveryMs = 1;

/**
 * Read the current memory of the process; `rss` may be 1 ms old. The next call overwrites the
 * returned object: copy the values that you keep.
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
