// Arguments of a wrong type are errors that say what would have been right.

import test from 'ava';
import * as stats from '../index.js';

const anyOf = /** @type {Record<string, any>} */ (stats);

const wrong = [undefined, null, 5, 'text', [], [{}], () => {}, 5n];

const right = {
  analyseGrowth: /takes the result of readStatsFile\(\), got /,
  fitSlope: /takes two lists of numbers, got /,
  formatRunReport: /takes the report of a run, as \{ cranks/,
  formatBenchmarkReport: /takes the report of a run, as \{ cranks/,
  formatCollectionsReport: /takes the report of a run, as \{ cranks/,
  formatReportJson: /takes the report of a run, as \{ cranks/,
  makeIpcChart: /takes a list of \{ platform|takes options, as \{ notes: \[\] \}/,
  makeParallelChart: /takes a list of \{ name|takes options, as \{ notes: \[\] \}/,
  makeSavinaChart: /takes a list of \{ program|takes options, as \{ notes: \[\] \}/,
  makeStatsRecorder: /options of makeStatsRecorder\(\) are not an object/,
  parseLogFlags: /takes an object of flags, as \{ logtimes: true \}, got /,
};

for (const [name, message] of Object.entries(right))
  test(`${name}() says what it takes`, t => {
    for (const value of wrong) {
      if (name === 'fitSlope' && Array.isArray(value)) continue;
      t.throws(() => anyOf[name](value), { instanceOf: TypeError, message }, String(typeof value));
    }
  });
