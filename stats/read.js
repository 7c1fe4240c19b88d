// Reads a stats file into columns. The file may come from anywhere, so errors name line and column.

import fs from 'node:fs';
import path from 'node:path';
import { insistArgument, insistEnds, UserError, quote } from '#model';

/**
 * @typedef {object} StatsData
 * @property {string} file  as it was named
 * @property {string} label  the run's name in a legend: the file's name without its ending
 * @property {string[]} columns  in the file's order
 * @property {{ [column: string]: Float64Array }} rows  a column's values, one a block; NaN where a cell is empty
 * @property {number} length  blocks
 */

const tab = 9;
const newline = 10;
const carriageReturn = 13;
const decoder = new TextDecoder();

/** @param {string} file */
const labelOf = file =>
  path
    .basename(file)
    .replace(/\.(tsv|txt|stats)$/i, '')
    .replace(/^stats-(?=.)/, '');

/**
 * @param {string} file
 * @returns {Buffer}
 */
const readBytes = file => {
  try {
    insistEnds(fs.statSync(file), file);
    return fs.readFileSync(file);
  } catch (error) {
    if (UserError.is(error)) throw error;
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') {
      throw new UserError(
        `no stats file ${quote(file)}; a run writes one to swingset-out/NAME/stats-NAME.tsv`,
      );
    }
    if (code === 'EISDIR') {
      const inside = fs.readdirSync(file).find(name => name.endsWith('.tsv')) ?? 'stats-NAME.tsv';
      throw new UserError(
        `${quote(file)} is a directory; name the stats file in it, for example ${quote(path.join(file, inside))}`,
      );
    }
    throw new UserError(
      `stats file ${quote(file)} cannot be read (${code}); check its permissions`,
    );
  }
};

/** Quotes a column's name, which may have any length. @param {string} name */
const quoteShort = name =>
  name.length <= 100 ? quote(name) : `${quote(name.slice(0, 100)).slice(0, -1)}…"`;

/**
 * @param {string} file
 * @param {string} line
 */
const parseHeader = (file, line) => {
  const columns = line.split('\t');
  if (columns[0] !== 'block') {
    throw new UserError(
      `${file}: line 1 begins with ${quote(columns[0].slice(0, 40))}; a stats file begins with a row of column names, the first one "block"`,
    );
  }
  const twice = columns.find((name, i) => columns.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new UserError(
      `${file}: line 1 names the column ${quoteShort(twice)} twice; names must differ`,
    );
  }
  return columns;
};

/**
 * @param {string} file
 * @param {number} line
 * @param {string} column
 * @param {string} cell  not plain digits
 */
const parseCell = (file, line, column, cell) => {
  const value = cell.trim() === '' ? NaN : Number(cell);
  if (cell !== '' && !Number.isFinite(value)) {
    throw new UserError(
      `${file}: line ${line}, column ${quoteShort(column)}: ${quote(cell.slice(0, 40))} is not a number`,
    );
  }
  return value;
};

/**
 * Read a stats file.
 *
 * @param {string} file
 * @param {{ label?: string }} [options]
 * @returns {StatsData}
 * @throws {UserError} if the file is missing, empty or unreadable, a row is too short or too long,
 *   or a cell is not a number
 * @throws {TypeError} if the file is no text
 */
export const readStatsFile = (file, options = {}) => {
  insistArgument('readStatsFile()', file, 'string', 'the path of a stats file');
  const { label = labelOf(file) } = options;
  const bytes = readBytes(file);
  if (bytes.length === 0) throw new UserError(`${file}: is empty; a stats file has a header row`);
  let headerEnd = bytes.indexOf(newline);
  if (headerEnd < 0) headerEnd = bytes.length;
  const columns = parseHeader(
    file,
    decoder.decode(bytes.subarray(0, headerEnd)).replace(/\r$/, ''),
  );

  const width = columns.length;
  let capacity = 0;
  for (let at = headerEnd + 1; at < bytes.length; at += 1) if (bytes[at] === newline) capacity += 1;
  if (bytes.at(-1) !== newline) capacity += 1;
  const values = columns.map(() => new Float64Array(capacity));

  let at = headerEnd + 1;
  let length = 0;
  let line = 2;
  while (at < bytes.length) {
    let column = 0;
    for (;;) {
      const start = at;
      let value = 0;
      // Fast path for digits; `parseCell` handles other cells.
      let byte = bytes[at];
      while (byte >= 48 && byte <= 57 && at < bytes.length) {
        value = value * 10 + (byte - 48);
        at += 1;
        byte = bytes[at];
      }
      const digitsEnd = at;
      while (at < bytes.length && bytes[at] !== tab && bytes[at] !== newline) at += 1;
      let end = at;
      if (bytes[end - 1] === carriageReturn && end > start) end -= 1;
      if (column < width) {
        const isExact = digitsEnd === end && end > start && end - start < 16;
        values[column][length] = isExact
          ? value
          : parseCell(file, line, columns[column], bytes.toString('utf8', start, end));
      }
      column += 1;
      const atEnd = at >= bytes.length || bytes[at] === newline;
      at += 1;
      if (atEnd) break;
    }
    if (column !== width) {
      throw new UserError(
        `${file}: line ${line} has ${column} of the ${width} cells that the header names; if the run was cut off there, delete that line`,
      );
    }
    length += 1;
    line += 1;
  }
  if (length === 0) {
    throw new UserError(`${file}: has a header but no rows; a run writes one row a block`);
  }
  /** @type {StatsData['rows']} */
  const rows = Object.create(null);
  columns.forEach((name, i) => {
    rows[name] = values[i].subarray(0, length);
  });
  return { file, label, columns, rows, length };
};

/**
 * Check that a run recorded what a graph shows.
 *
 * @param {string} place  the name of the data in messages: a file, or a run's label
 * @param {readonly string[]} columns the existing ones
 * @param {readonly string[]} needed
 * @param {string} remedy  the flags that record them
 * @throws {UserError} if a column is missing; names it and the flags that record it
 */
export const requireColumns = (place, columns, needed, remedy) => {
  const missing = needed.filter(name => !columns.includes(name));
  if (missing.length > 0) {
    throw new UserError(
      `${place}: has no column ${missing.map(quote).join(', ')}; run again with ${remedy}`,
    );
  }
};
