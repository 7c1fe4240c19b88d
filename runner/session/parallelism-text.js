// Formats the output of `report --parallelism`.

import { formatDuration } from '#model';
import { formatTextTable } from '#matrix';
import { describeGained } from './report-text.js';
import { groupDigits, left, right } from './text-columns.js';

/** @import { Distribution, Parallelism } from '#observe/parallelism' */
/** @import { Gained, ParallelismReport } from './parallelism.js' */

/** @param {number} value */
const formatCount = value => groupDigits(String(value));

/** @param {number} before @param {number} after */
const formatGain = (before, after) => (after === 0 ? '-' : (before / after).toFixed(2));

/** @param {number} part @param {number} whole */
const formatShare = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

/** @param {Parallelism} found */
const formatGains = ({ work, span, vatSpan, threads, cranks, timedCranks }) =>
  formatTextTable({
    title: 'What threads could gain',
    columns: [left('threads'), right('cranks'), right('gain'), right('time'), right('gain')],
    rows: [
      ...threads.map(({ threads: count, cranks: length, ns }) => [
        Number.isFinite(count) ? String(count) : 'as many as could run',
        formatCount(length),
        formatGain(work.cranks, length),
        formatDuration(ns),
        formatGain(work.ns, ns),
      ]),
      [
        'if only cranks of one vat waited',
        formatCount(vatSpan),
        formatGain(work.cranks, vatSpan),
      ].concat(['', '']),
    ],
    notes: [
      `Work ${formatCount(work.cranks)} cranks and ${formatDuration(work.ns)}; span ${formatCount(span.cranks)} and ${formatDuration(span.ns)}.`,
      'cranks: each takes 1, the kernel nothing. time: vats take the times of the slog, and the kernel works sequentially.',
      'Sending a crank to a thread costs nothing in this estimate; `bench ipc` measures it.',
      ...(timedCranks < cranks
        ? [
            `${formatCount(cranks - timedCranks)} cranks that reactors ran by themselves have no time of their own.`,
          ]
        : []),
    ],
  });

/** @param {string} what @param {Distribution} distribution */
const spread = (what, { mean, median, p90, max }) => [
  what,
  ...[mean.toFixed(2), String(median), String(p90), String(max)],
];

/** @param {Parallelism} found */
const formatTags = ({ tags, cranksPerTag, vatsPerTag }) => {
  const ranges = [...cranksPerTag.counts, ...vatsPerTag.counts].map(({ from, to }) => ({
    from,
    to,
  }));
  const last = Math.max(...ranges.map(({ to }) => to));
  const rows = [];
  for (let from = 1, to = 1; to <= last; from = to + 1, to *= 2) {
    const cells = [cranksPerTag, vatsPerTag].map(({ counts }) => {
      const found = counts.find(each => each.from === from);
      return found === undefined ? '' : formatShare(found.tags, tags);
    });
    if (cells.some(cell => cell !== ''))
      rows.push([from === to ? String(from) : `${from} to ${to}`, ...cells]);
  }
  return [
    formatTextTable({
      title: 'A tag',
      columns: [left(''), right('mean'), right('median'), right('p90'), right('most')],
      rows: [spread('cranks', cranksPerTag), spread('vats', vatsPerTag)],
      notes: [`${formatCount(tags)} tags with cranks in vats.`],
    }),
    formatTextTable({
      title: 'Tags by width',
      columns: [left('so many'), right('cranks'), right('vats')],
      rows,
      notes: [],
    }),
  ].join('\n');
};

/** @type {Record<keyof Parallelism['waits'], string>} */
const rules = {
  nothing: 'nothing: it may begin with its tag',
  vat: 'a crank of its vat',
  promise: 'a message to a promise that is not settled',
  device: 'all before it: its vat calls devices, or gets one',
  notify: 'a promise in the data of its notify',
  start: 'all before it: its vat is dynamic',
  reaction: 'a reaction of a later stage: all before that stage',
  collection: 'a step of object collection',
};

/** @param {Parallelism} found */
const formatWaits = ({ waits, cranks }) =>
  formatTextTable({
    title: 'What a crank waits for',
    columns: [left('rule'), right('cranks'), right('share')],
    rows: Object.entries(rules)
      .map(([rule, text]) => ({ text, count: waits[/** @type {keyof typeof rules} */ (rule)] }))
      .filter(({ count }) => count > 0)
      .map(({ text, count }) => [text, formatCount(count), formatShare(count, cranks)]),
    notes: ['If several rules apply, the one that delays the crank longest is counted.'],
  });

/** @param {Gained} gained */
const formatGained = ({ report, workers, workersWaitNs }) =>
  formatTextTable({
    title: `What threads gained (${report})`,
    columns: ['worker', 'vats', 'cranks', 'batches', 'busy', 'waiting'].map(right),
    rows: workers.map(({ number, vats, cranks, batches, busyNs, waitingNs }) => [
      ...[number, vats, cranks, batches].map(formatCount),
      ...[busyNs, waitingNs].map(formatDuration),
    ]),
    notes: describeGained(workers, workersWaitNs),
  });

/** @param {ParallelismReport} report */
export const formatParallelism = report =>
  [
    `${report.file}: ${formatCount(report.cranks)} cranks in ${formatCount(report.vats)} vats at ${formatCount(report.tags)} tags\n`,
    formatGains(report),
    formatTags(report),
    formatWaits(report),
    ...(report.gained === undefined ? [] : [formatGained(report.gained)]),
  ].join('\n');
