// The text that `report --growth` prints.

import { formatDuration, showInLine } from '#model';
import { formatTextTable } from '#matrix';
import { groupDigits, left, right } from './text-columns.js';

/** @import { HeldGroup, Retention } from '#host' */
/** @import { Growth, TrendKind } from '#stats' */
/** @import { GrowthReport } from './growth.js' */

/** The largest number of lines in text; `--json` has them all. */
const mostLines = 25;

/** @param {number} value  shown with three significant digits, without trailing zeros */
const formatNumber = value => {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4) return value.toExponential(1);
  const text = size >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  return text.includes('.') ? text : groupDigits(text);
};

/** @param {number} bytes */
const formatBytes = bytes => {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let at = 0;
  while (Math.abs(value) >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${formatNumber(value)} ${units[at]}`;
};

/** @param {number} ns */
const formatTime = ns =>
  Math.abs(ns) < 1000
    ? `${formatNumber(ns)} ns`
    : `${ns < 0 ? '-' : ''}${formatDuration(Math.round(Math.abs(ns)))}`;

/** @type {Record<TrendKind, (value: number) => string>} */
const formats = { held: formatNumber, work: formatNumber, size: formatBytes, time: formatTime };

/** @param {number} change */
const formatChange = change => {
  if (!Number.isFinite(change)) return 'from nothing';
  const text = (change * 100).toFixed(1).replace(/^-0\.0$/, '0.0');
  return `${change > 0 && text !== '0.0' ? '+' : ''}${text} %`;
};

/** With fewer collections, objects that wait for the next one may look like growth. */
const enoughReaps = 100;

/** @param {number | undefined} reaps @returns {string[]} */
const describeReaps = reaps => {
  if (reaps === undefined || reaps >= enoughReaps) return [];
  const times = reaps === 0 ? 'not asked' : `asked ${formatNumber(reaps)} times`;
  const what =
    reaps === 0
      ? 'nothing was collected'
      : 'in so short a run, objects that wait for the next collection may look like growth';
  return [`Vats were ${times} for their dead references (bringOutYourDead) meanwhile: ${what}.`];
};

/** @param {Growth} growth @param {string} file */
const formatGrowth = ({ per, from, to, stretches, reaps, trends }, file) => {
  const growing = trends.filter(({ verdict }) => verdict === 'grows');
  const hasDisk = growing.some(({ name }) => name === 'disk');
  const place = (/** @type {number} */ value) => formatNumber(Math.round(value));
  return [
    `${file}: ${growing.length === 0 ? 'nothing grows' : `${growing.length} of ${trends.length} figures grow`}\n`,
    `fitted from ${per} ${place(from)} to ${place(to)}, without the first tenth, in ${stretches} stretches\n\n`,
    formatTextTable({
      title: `What a ${per} adds`,
      columns: [
        ...[left('figure'), left(''), right('at the end'), right(`a ${per}`)],
        ...[right('95 %: from'), right('to'), right('over the run')],
      ],
      rows: trends
        .filter(({ level, slope }) => level !== 0 || slope !== 0)
        .map(({ name, kind, level, slope, interval95, change, verdict }) => {
          const format = formats[kind];
          return [
            ...[name, verdict === 'steady' ? '' : verdict, format(level), format(slope)],
            ...interval95.map(format),
            formatChange(change),
          ];
        }),
      notes: [
        `btime, ctime: the time of a ${per}'s cranks. Counters that only rise (syscalls, dispatches): the increase by a ${per}, at the end.`,
        'heapUsed: the minimum of each stretch, that is, what collections leave.',
        ...(hasDisk
          ? [
              "disk: the files; rss includes the parts of them that are in memory. diskTables: the kernel's tables; diskStreams: transcripts, which keep every crank; diskLog: the latest blocks.",
            ]
          : []),
        ...describeReaps(reaps),
      ],
    }),
  ].join('');
};

/** Limits names of vats and interfaces, which may be long. */
const longestName = 100;

/** @param {Retention['vats'][number]} vat */
const nameVat = ({ name, state }) =>
  `${showInLine(name, longestName)}${state === 'ended' ? ' (ended)' : ''}`;

/** @param {HeldGroup} group */
const groupCells = ({
  holder,
  owner,
  iface,
  count,
  onlyRecognised,
  oldest,
  newest,
  ageDeliveries,
}) => [
  ...[
    ...[holder, owner, iface].map(name => showInLine(name, longestName)),
    formatNumber(count),
    onlyRecognised === 0 ? '' : formatNumber(onlyRecognised),
  ],
  ...[oldest, newest, ageDeliveries === undefined ? '' : formatNumber(ageDeliveries)],
];

const groupColumns = [
  ...[left('held by'), left('of'), left('interface'), right('objects'), right('weakly')],
  ...[left('oldest'), left('newest'), right('deliveries ago')],
];

/** @param {string} title @param {HeldGroup[]} groups @param {string[]} notes */
const formatGroups = (title, groups, notes) =>
  groups.length === 0
    ? ''
    : formatTextTable({
        title,
        columns: groupColumns,
        rows: groups.slice(0, mostLines).map(groupCells),
        notes: [
          ...(groups.length > mostLines
            ? [`${groups.length - mostLines} more lines; --json has all of them.`]
            : []),
          ...notes,
        ],
      });

/** @param {Retention} retention @param {string} database */
const formatRetention = ({ vats, groups, unheld, rings, stored }, database) =>
  [
    `${database}: which vat holds what\n\n`,
    formatTextTable({
      title: 'C-lists',
      columns: [
        ...[left('vat'), left('name'), right('entries'), right('imports'), right('exports')],
        ...[right('unheld'), right('promises'), right('deliveries'), right('transcript')],
      ],
      rows: vats.map(vat => [
        ...[vat.vatId, nameVat(vat)],
        ...[vat.entries, vat.imports, vat.exports, vat.unheld, vat.promises].map(formatNumber),
        ...[formatNumber(vat.deliveries), formatBytes(vat.transcriptBytes)],
      ]),
      notes: ['unheld: exports that no vat holds; the next collection notifies their owner.'],
    }),
    formatGroups('Objects by holder', groups, [
      'weakly: the holder has them in weak collections only. oldest, newest: the lowest identifier is the oldest.',
      "deliveries ago: the holder's deliveries since it got the oldest object.",
      'interface: the name in the data of messages; ? if there is none.',
    ]),
    formatGroups('Exports that nobody holds', unheld, []),
    ...rings.map(({ vats: names, links }, i) =>
      formatGroups(
        `Ring ${i + 1}, ${names.map(name => showInLine(name, longestName)).join(', ')}: objects that these vats hold of each other`,
        links,
        [
          'Candidates: each of these vats reaches objects of the next one, in a ring, and nothing else holds the objects.',
          'If they refer to each other in a ring, object collection never finds them. The report cannot see which objects a vat still uses: all of them may be in use.',
        ],
      ),
    ),
    formatTextTable({
      title: 'What the database holds',
      columns: [left('kind'), right('keys'), right('bytes')],
      rows: Object.entries(stored)
        .sort(([, a], [, b]) => b.bytes - a.bytes)
        .map(([kind, { keys, bytes }]) => [kind, formatNumber(keys), formatBytes(bytes)]),
      notes: [],
    }),
  ].join('');

/** @param {GrowthReport} report */
export const formatGrowthReport = ({ statsFile = '', growth, database = '', retention }) =>
  [
    ...(growth ? [formatGrowth(growth, statsFile)] : []),
    ...(retention ? [formatRetention(retention, database)] : []),
  ].join('\n');
