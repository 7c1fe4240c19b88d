// Formats the output of `compare`.

import { countOf, formatDuration, quote, showInLine } from '#model';
import { formatTextTable } from '#matrix';
import { groupDigits, left, right } from './text-columns.js';

/** @import { BlockDifference } from '#host' */
/** @import { SlogCrank, SlogDifference } from '#observe/slog' */
/** @import { ComparedFigure, Comparison } from '#stats/compare.js' */
/** @import { Paint } from '../color.js' */
/** @import { ComparedState } from './compare.js' */

/** @param {number} value */
const formatNumber = value => {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return groupDigits(String(Math.round(value)));
  return value.toPrecision(3);
};

/** @param {number} value @param {string} unit */
const formatFigure = (value, unit) =>
  unit === 'ns' ? formatDuration(Math.round(value)) : `${formatNumber(value)} ${unit}`.trim();

/** @param {number} change */
const formatChange = change =>
  Number.isNaN(change) ? 'from 0' : `${change >= 0 ? '+' : ''}${(100 * change).toFixed(1)} %`;

/** @param {number | undefined} p */
const formatP = p => {
  if (p === undefined) return '';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
};

/** @type {Record<ComparedFigure['verdict'], string>} */
const verdictWords = { worse: 'worse', better: 'better', same: 'same', untested: 'too few' };

/** The largest number of counters to list. */
const mostCounters = 40;

/** @param {Comparison} comparison */
const formatFigures = ({ figures, test }) =>
  formatTextTable({
    title: 'Figures (medians)',
    columns: [
      ...[left('figure'), right('one'), right('other'), right('change')],
      ...[right('p'), left('verdict')],
    ],
    rows: figures.map(({ name, unit, left: one, right: other, change, p, verdict }) => [
      ...[showInLine(name, 60), formatFigure(one.median, unit), formatFigure(other.median, unit)],
      ...[formatChange(change), formatP(p), verdictWords[verdict]],
    ]),
    notes: [`${test}.`],
  });

/** @param {Comparison} comparison */
const formatCounters = ({ counters }) =>
  formatTextTable({
    title: 'Counters that differ at the end',
    columns: [left('counter'), right('one'), right('other'), right('change')],
    rows: counters
      .slice(0, mostCounters)
      .map(({ name, left: one, right: other }) => [
        ...[showInLine(name, 60), formatNumber(one), formatNumber(other)],
        formatNumber(other - one),
      ]),
    notes: counters.length > mostCounters ? [`and ${counters.length - mostCounters} more.`] : [],
  });

/** @param {string} which @param {string[]} names */
const formatOnly = (which, names) =>
  names.length === 0
    ? []
    : [
        `only ${which}: ${names
          .slice(0, 10)
          .map(name => showInLine(name, 60))
          .join(', ')}${names.length > 10 ? `, and ${names.length - 10} more` : ''}`,
      ];

/**
 * @param {Comparison} comparison
 * @param {readonly [string, string]} files
 * @param {Paint} paint
 * @returns {string} safe for a terminal
 */
export const formatComparison = (comparison, [one, other], paint) => {
  const { figures, counters, onlyLeft, onlyRight } = comparison;
  const parts = [
    ...(figures.length > 0 ? [formatFigures(comparison)] : ['no figure is in both']),
    ...(counters.length > 0 ? [formatCounters(comparison)] : []),
    [
      ...formatOnly(`in ${showInLine(one, 200)}`, onlyLeft),
      ...formatOnly(`in ${showInLine(other, 200)}`, onlyRight),
    ].join('\n'),
  ];
  const text = parts
    .filter(part => part !== '')
    .join('\n')
    .trimEnd();
  return `${text
    .split('\n')
    .map(line => {
      if (/ worse\s*$/.test(line)) return paint('red', line);
      return / better\s*$/.test(line) ? paint('green', line) : line;
    })
    .join('\n')}\n`;
};

/** @param {unknown} value */
const shorten = value => {
  const text = value === undefined ? 'nothing' : quote(value);
  return showInLine(text, 300);
};

/** @param {SlogCrank | undefined} crank */
const nameCrank = crank => {
  if (crank === undefined) return 'no crank';
  const { crankNum, kind, vatId, vatName, method } = crank;
  const what = method === '' ? kind : `${kind} ${method}()`;
  const name = vatName === '' ? '' : ` (${showInLine(vatName, 100)})`;
  return `crank ${crankNum}, ${showInLine(what, 200)}${vatId === '' ? '' : ` of ${showInLine(vatId, 20)}${name}`}`;
};

/**
 * @param {SlogDifference} difference
 * @param {readonly [string, string]} files
 */
export const formatSlogDifference = (difference, [one, other]) => {
  const { equalCranks, field, left: ours, right: theirs, leftValue, rightValue } = difference;
  if (ours === undefined && theirs === undefined)
    return `the slogs are of different runs: ${field} is ${shorten(leftValue)} in ${one}, ${shorten(rightValue)} in ${other}`;
  if (field === 'end') {
    const [ended, longer, next] = ours === undefined ? [one, other, theirs] : [other, one, ours];
    return `the slogs are the same for ${countOf(equalCranks, 'crank')}, where ${ended} ends; ${longer} goes on with ${nameCrank(next)}`;
  }
  return [
    `the slogs are the same for ${countOf(equalCranks, 'crank')} and differ then in "${showInLine(field, 100)}":`,
    `  ${one}: ${nameCrank(ours)}: ${shorten(leftValue)}`,
    `  ${other}: ${nameCrank(theirs)}: ${shorten(rightValue)}`,
  ].join('\n');
};

/**
 * @param {BlockDifference} difference with `isKnown`
 * @param {readonly [ComparedState, ComparedState]} runs
 */
const nameBlocks = ({ equalCranks, left: ours, right: theirs }, [{ dir }, { dir: otherDir }]) => {
  const start = `the runs are the same up to crank ${equalCranks} and differ in`;
  if (ours?.block === theirs?.block && ours?.crank === theirs?.crank)
    return `${start} block ${ours?.block}, cranks ${equalCranks + 1} to ${ours?.crank}`;
  return `${start} block ${ours?.block} of ${dir} (to crank ${ours?.crank}), block ${theirs?.block} of ${otherDir} (to crank ${theirs?.crank})`;
};

/**
 * @param {BlockDifference} difference without `isKnown`
 * @param {readonly [ComparedState, ComparedState]} runs
 */
const nameEnd = ({ equalCranks, left: ours, right: theirs }, [one, other]) => {
  const start = `${one.dir} and ${other.dir} are the same up to crank ${equalCranks}`;
  if (ours !== undefined && theirs !== undefined)
    return `${start}; after it no two of their blocks end at the same crank, so that nothing more can be compared`;
  const [ended, longer] = ours === undefined ? [one, other] : [other, one];
  return `${start}, where ${ended.dir} ends; ${longer.dir} goes on to crank ${longer.cranks}`;
};

/**
 * @param {BlockDifference | undefined} difference
 * @param {readonly [ComparedState, ComparedState]} runs
 * @returns {string}
 */
export const formatStates = (difference, runs) => {
  if (difference === undefined)
    return `the same: ${countOf(runs[0].cranks, 'crank')} (hash ${runs[0].activityHash})`;
  return difference.isKnown ? nameBlocks(difference, runs) : nameEnd(difference, runs);
};
