// The disk's own time, which every store on it needs at least.

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const pageBytes = 4096;

/**
 * Opens a file of one page that has been forced to disk, so that writing it again changes nothing but its content.
 *
 * @param {string} file
 */
export const openPage = file => {
  const page = Buffer.alloc(pageBytes, 1);
  fs.writeFileSync(file, page);
  const fd = fs.openSync(file, 'r+');
  fs.fsyncSync(fd);
  return {
    /** Write the page, and return once it is on the disk. */
    write() {
      fs.writeSync(fd, page, 0, pageBytes, 0);
      fs.fdatasyncSync(fd);
    },
    close: () => fs.closeSync(fd),
  };
};

/**
 * @param {string} dir
 * @param {number} times
 * @returns {number[]} nanoseconds of each write with its fdatasync
 */
export const timePageWrites = (dir, times) => {
  const page = openPage(path.join(dir, 'page'));
  const took = Array.from({ length: times }, () => {
    const start = process.hrtime.bigint();
    page.write();
    return Number(process.hrtime.bigint() - start);
  });
  page.close();
  return took;
};

/**
 * Write like a log: records one after another in an existing file, with work in between.
 *
 * @param {string} dir
 * @param {object} options
 * @param {number} options.times
 * @param {number} options.bytes  of a record
 * @param {number} options.workMs  this thread works for that long between two records
 * @param {() => void} [options.beforeWait]  called before each write
 * @returns {number[]} nanoseconds of each write with its fdatasync
 */
export const timeRecordWrites = (dir, { times, bytes, workMs, beforeWait = () => {} }) => {
  const record = Buffer.alloc(bytes, 1);
  const file = path.join(dir, 'records');
  fs.writeFileSync(file, Buffer.alloc(bytes * times));
  const fd = fs.openSync(file, 'r+');
  fs.fsyncSync(fd);
  const took = Array.from({ length: times }, (_, i) => {
    const workedMs = performance.now() + workMs;
    while (performance.now() < workedMs);
    const start = process.hrtime.bigint();
    beforeWait();
    fs.writeSync(fd, record, 0, bytes, i * bytes);
    fs.fdatasyncSync(fd);
    return Number(process.hrtime.bigint() - start);
  });
  fs.closeSync(fd);
  return took;
};
