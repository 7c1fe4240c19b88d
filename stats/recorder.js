// Writes the stats file: one header row, then one row for each block, tab-separated. A block may
// have only a few cranks, so a row is digits written into a buffer, and the file is written in
// large chunks. Only whole rows are written, so a reader never sees half of one. Rows of an earlier
// run stay until the first write, so a run that fails before it (another one is using the database)
// destroys nothing.

import fs from 'node:fs';
import { performance } from 'node:perf_hooks';
import { insistOptions, isDiskFull, freezeWithGetters, quote, UserError } from '#model';
import { statsHeader } from './columns.js';
import { longestNumber } from './digits.js';
import { RowText } from './row-text.js';

/** @import { StatsGroups } from './columns.js' */
/** @import { MemoryReading } from './memory.js' */

/** Rows are written to the file when they take this many bytes. */
const chunkBytes = 64 * 1024;

/** Rows are also written when this time has passed since the last write, so that observers see progress. */
const flushEveryMs = 1_000;

/**
 * The figures of one block. A group that the file does not record is ignored; a figure that was not
 * measured for this block (`undefined`) gives an empty cell, which readers treat as unknown.
 *
 * @typedef {object} StatsRow
 * @property {number} block
 * @property {number} steps  cranks in this block
 * @property {number} [btimeNs]  from block start to commit end
 * @property {number} [ctimeNs]  the commit's part of `btimeNs`
 * @property {number} [cycles]
 * @property {number} [instructions]
 * @property {MemoryReading} [memory]  read at once, so the object may be reused
 * @property {number} [diskBytes]  of the database's files
 * @property {number} [tableBytes]  of these, used by tables
 * @property {number} [streamBytes]  of these, used by transcripts and other streams
 * @property {number} [logBytes]  of these, used by blocks in the log
 * @property {ArrayLike<number>} [counters]  parallel to the recorder's `columns`, or at its
 *   `positions`
 */

/**
 * @param {string} place  the name of the file in messages
 * @param {() => T} action
 * @template T
 */
const orUserError = (place, action) => {
  try {
    return action();
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `stats file ${place}: cannot write it (${code ?? message}); ${isDiskFull(error) ? 'make room, or ' : ''}choose another place with --outdir`,
      { exitCode: 1, cause: error },
    );
  }
};

/**
 * Find the position after the row of the last committed block, where a resumed run continues. Rows
 * after it, and a row that a crash cut off, belong to cranks that will run again.
 *
 * @param {string} path
 * @param {string} header
 * @param {number} afterBlock
 */
const findContinuation = (path, header, afterBlock) => {
  const text = fs.readFileSync(path, 'latin1');
  if (text === '') return 0;
  const headerEnd = text.indexOf('\n');
  if (text.slice(0, headerEnd + 1) !== header) {
    throw new UserError(
      `stats file ${path}: its columns are not those of this run; give the --log flags it was begun with, or another file`,
    );
  }
  let start = headerEnd + 1;
  for (;;) {
    const end = text.indexOf('\n', start);
    if (end < 0 || Number.parseInt(text.slice(start, start + 16), 10) > afterBlock) return start;
    start = end + 1;
  }
};

/** @type {Readonly<Record<string, import('#model').OptionRule>>} */
const recorderOptions = Object.freeze({
  path: 'string',
  fd: 'number',
  columns: 'array',
  positions: 'array',
  groups: 'object',
  resumeAfterBlock: 'number',
});

/**
 * Open a stats file and write its header. The file is complete after `close`.
 *
 * @param {object} options
 * @param {string} [options.path]  file to write; an existing one is overwritten unless
 *   `resumeAfterBlock` is given
 * @param {number} [options.fd]  an open file to write to instead; it stays open after `close`
 * @param {readonly string[]} [options.columns]  names of the counters' columns, in the order of a row's `counters`
 * @param {readonly number[]} [options.positions]  the index in a row's `counters` of each column's
 *   value, if they are not parallel to the columns; avoids a copy for each row
 * @param {StatsGroups} [options.groups]  the groups of columns to record; all by default
 * @param {number} [options.resumeAfterBlock]  continue the file at `path` after the row of this
 *   block
 * @returns `row` records a block, `flush` writes the recorded rows, `close` does too and closes the
 *   file; `rows` is their number
 * @throws {UserError} if the file cannot be opened or written, or has other columns
 * @throws {TypeError} if an option is unknown or has a wrong type
 */
export const makeStatsRecorder = options => {
  insistOptions('makeStatsRecorder()', options, recorderOptions);
  const {
    path,
    fd: givenFd,
    columns = [],
    positions,
    groups = { times: true, memory: true, disk: true, counters: true },
    resumeAfterBlock,
  } = options;
  if ((path === undefined) === (givenFd === undefined)) {
    throw TypeError('a stats recorder takes a path or an fd, one of the two');
  }
  const place = path ?? `on descriptor ${givenFd}`;
  const { times, cycles, memory: recordMemory, disk, counters: recordCounters } = groups;
  const names = statsHeader(groups, columns);
  const header = `${names.join('\t')}\n`;
  if (positions !== undefined && positions.length !== columns.length) {
    throw TypeError(`${positions.length} positions for ${columns.length} columns of counters`);
  }
  const counterPositions = recordCounters ? (positions ?? columns.map((_, i) => i)) : [];
  const countersWanted = Math.max(-1, ...counterPositions) + 1;
  const longestRow = names.length * (longestNumber + 1);

  const bytes = new Uint8Array(Math.max(chunkBytes, header.length) + longestRow);
  let used = 0;
  let rows = 0;
  let flushedAtMs = performance.now();

  const wasThere = path !== undefined && fs.existsSync(path);
  const fd = givenFd ?? orUserError(place, () => fs.openSync(/** @type {string} */ (path), 'a+'));
  const continued =
    path !== undefined && resumeAfterBlock !== undefined
      ? findContinuation(path, header, resumeAfterBlock)
      : 0;
  if (continued === 0) {
    bytes.set(Buffer.from(header, 'utf8'));
    used = Buffer.byteLength(header, 'utf8');
  }

  let isBegun = givenFd !== undefined;
  /** Truncate the file to the part that is continued. */
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    orUserError(place, () => {
      if (fs.fstatSync(fd).size > continued) fs.ftruncateSync(fd, continued);
    });
  };

  /** Write all rows so far to the file, without a sync, since a stats file is not state. */
  const flush = () => {
    begin();
    flushedAtMs = performance.now();
    let at = 0;
    const end = used;
    // Discard the rows that a full disk refused, so that closing the recorder does not fail a second time.
    used = 0;
    orUserError(place, () => {
      while (at < end) at += fs.writeSync(fd, bytes, at, end - at);
    });
  };

  const text = new RowText(bytes, names.length);

  /** @param {StatsRow} blockRow */
  const row = blockRow => {
    const { counters } = blockRow;
    const given = counters?.length ?? 0;
    if (
      given < countersWanted ||
      (positions === undefined && recordCounters && given !== countersWanted)
    ) {
      throw TypeError(
        `block ${quote(blockRow.block)} has ${quote(counters?.length)} counters, the stats file has ${quote(countersWanted)} columns for them`,
      );
    }
    text.begin(used);
    text.cell(blockRow.block);
    text.cell(blockRow.steps);
    if (times) {
      text.cell(blockRow.btimeNs);
      text.cell(blockRow.ctimeNs);
    }
    if (cycles) {
      text.cell(blockRow.cycles);
      text.cell(blockRow.instructions);
    }
    if (recordMemory) {
      const { memory } = blockRow;
      text.cell(memory?.rss);
      text.cell(memory?.heapTotal);
      text.cell(memory?.heapUsed);
      text.cell(memory?.external);
    }
    if (disk) {
      text.cell(blockRow.diskBytes);
      text.cell(blockRow.tableBytes);
      text.cell(blockRow.streamBytes);
      text.cell(blockRow.logBytes);
    }
    if (counters !== undefined) text.cells(counters, counterPositions);
    used = text.end();
    rows += 1;
    if (used >= chunkBytes || performance.now() - flushedAtMs >= flushEveryMs) flush();
  };

  let open = true;
  /** Write the remaining rows and close the file. A second call does nothing. */
  const close = () => {
    if (!open) return;
    open = false;
    try {
      if (rows > 0 || isBegun || !wasThere) flush();
    } finally {
      if (givenFd === undefined) fs.closeSync(fd);
    }
  };

  return freezeWithGetters({
    row,
    flush,
    close,
    /** Rows recorded by this recorder. */
    get rows() {
      return rows;
    },
  });
};
