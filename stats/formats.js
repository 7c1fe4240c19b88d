// The formats of a graph by the ending of its file's name.

import { UserError, quote } from '#model';

/** @typedef {'png' | 'pdf' | 'svg' | 'html' | 'json'} Format */

/** @type {{ ending: string, format: Format }[]} */
const endings = [
  { ending: '.png', format: 'png' },
  { ending: '.pdf', format: 'pdf' },
  { ending: '.svg', format: 'svg' },
  { ending: '.html', format: 'html' },
  { ending: '.vl.json', format: 'json' },
  { ending: '.json', format: 'json' },
];

/**
 * @param {string} file
 * @throws {UserError} for an unknown ending
 */
export const findFormat = file => {
  const found = endings.find(({ ending }) => file.toLowerCase().endsWith(ending));
  if (!found) {
    throw new UserError(
      `graph ${quote(file)}: its name says no format; end it in .png, .pdf, .svg, .html (interactive) or .vl.json (the Vega-Lite specification)`,
    );
  }
  return found.format;
};
