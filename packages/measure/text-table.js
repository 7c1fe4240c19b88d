// Formats tables of results as plain text or Markdown.

/** @typedef {'text' | 'markdown'} Form */

/**
 * @param {string[]} header
 * @param {string[][]} rows
 * @param {number} left  the number of first columns with text, which are aligned to the left
 * @param {Form} form
 * @returns {string} lines, each with a newline
 */
export const formatTable = (header, rows, left, form) => {
  const isMarkdown = form === 'markdown';
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map(row => row[column].length)));
  const lines = all.map(row => {
    const cells = row.map((cell, i) =>
      i < left ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
    );
    return isMarkdown ? `| ${cells.join(' | ')} |` : cells.join('  ').trimEnd();
  });
  const rule = widths.map((width, i) =>
    isMarkdown && i >= left ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  lines.splice(1, 0, isMarkdown ? `| ${rule.join(' | ')} |` : rule.join('  '));
  return `${lines.join('\n')}\n`;
};
