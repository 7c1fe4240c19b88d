// Tables as data, and their form as text and as Markdown; page.js has them as HTML.

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {string[]} notes  sentences under it
 * @property {{ head: string, isText?: boolean }[]} columns  numbers are aligned to the right, texts to the left
 * @property {string[][]} rows
 */

/** @param {Table} table */
const widthsOf = ({ columns, rows }) =>
  columns.map(({ head }, i) => Math.max(head.length, 3, ...rows.map(row => row[i].length)));

/** @param {Table} table @returns {string} lines, each with a line break */
export const formatTextTable = table => {
  const widths = widthsOf(table);
  const line = (/** @type {string[]} */ cells) =>
    cells
      .map((cell, i) =>
        table.columns[i].isText ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
      )
      .join('  ')
      .trimEnd();
  return [
    `${table.title}:`,
    '',
    line(table.columns.map(({ head }) => head)),
    line(widths.map(width => '-'.repeat(width))),
    ...table.rows.map(line),
    '',
    ...table.notes.map(note => `  ${note}`),
    ...(table.notes.length > 0 ? [''] : []),
  ]
    .map(each => `${each}\n`)
    .join('');
};

/** @param {string} cell */
const escapeCell = cell => cell.replaceAll('|', '\\|');

/** @param {Table} table @returns {string} lines, each with a line break */
export const formatMarkdownTable = table => {
  const widths = widthsOf(table);
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells
      .map((cell, i) => {
        const text = escapeCell(cell);
        return table.columns[i].isText ? text.padEnd(widths[i]) : text.padStart(widths[i]);
      })
      .join(' | ')} |`;
  return [
    `## ${table.title}`,
    '',
    line(table.columns.map(({ head }) => head)),
    line(
      widths.map((width, i) =>
        table.columns[i].isText ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
      ),
    ),
    ...table.rows.map(line),
    '',
    ...table.notes.flatMap(note => [note, '']),
  ]
    .map(each => `${each}\n`)
    .join('');
};
