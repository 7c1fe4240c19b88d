// The libraries that this package contains as files, and their places in their own packages.

/**
 * @typedef {object} Library
 * @property {string} package  its name in npm
 * @property {string} source  the built script in that package; a script for browsers or CommonJS, of one file
 * @property {string} [home]  address of its sources, where the licence requires it
 * @property {readonly [string, string][]} [changes]  names in `require(…)`, and the files beside it that replace them
 */

/** @satisfies {Record<string, Library>} */
export const libraries = {
  vega: { package: 'vega', source: 'build/vega.min.js' },
  'vega-lite': {
    package: 'vega-lite',
    source: 'build/vega-lite.min.js',
    changes: [['"vega"', '"./vega.cjs"']],
  },
  uplot: { package: 'uplot', source: 'dist/uPlot.iife.min.js' },
  elk: {
    package: 'elkjs',
    source: 'lib/elk.bundled.js',
    home: 'https://github.com/kieler/elkjs',
  },
  pdfkit: { package: 'pdfkit', source: 'js/pdfkit.standalone.js' },
  'svg-to-pdfkit': { package: 'svg-to-pdfkit', source: 'source.js' },
};

/** @typedef {keyof typeof libraries} LibraryName */

/**
 * The database's library, whose modules become one file. What it needs `msgpackr-extract` for, it does itself without.
 */
export const database = Object.freeze({ package: 'lmdb', absent: ['msgpackr-extract'] });
