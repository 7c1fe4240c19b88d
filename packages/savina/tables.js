// Formats the table: a line for each program and number of threads, with the published figures and
// their ratios to ours.

import { programs } from './programs.js';
import { peers, publishedMachine, publishedRows } from './published.js';
import { formatTable } from '#measure/text-table.js';

/** @import { SavinaResult, SavinaRow } from './measure.js' */
/** @import { Peer } from './published.js' */

/** @import { Form } from '#measure/text-table.js' */

const names = /** @type {Peer[]} */ (Object.keys(peers));

/** @param {number | undefined} value  three digits at least; NaN if it is unknown */
const formatMs = value => {
  if (value === undefined || Number.isNaN(value)) return '–';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, ',');
};

/** @param {string} id @param {Peer} peer @param {number} threads */
const publishedOf = (id, peer, threads) =>
  publishedRows[id]?.[peer]?.[/** @type {1 | 2} */ (threads)];

/**
 * A peer's figure, scaled to this machine, divided by ours: above 1 we are faster.
 *
 * @param {SavinaRow} row
 * @param {Peer} peer
 * @param {number} scale
 */
const leadOf = ({ id, threads, median }, peer, scale) => {
  const published = publishedOf(id, peer, threads);
  return published === undefined ? undefined : (published * scale) / median;
};

/**
 * Compare with each peer: the geometric mean of ratios, and the programs in which the peer is
 * faster.
 *
 * @param {SavinaResult} result
 */
export const summarize = ({ rows, scale }) =>
  names.map(peer => {
    const leads = rows.flatMap(row => {
      const lead = leadOf(row, peer, scale);
      return lead === undefined ? [] : [{ id: row.id, threads: row.threads, lead }];
    });
    const logs = leads.reduce((sum, { lead }) => sum + Math.log(lead), 0);
    return {
      peer,
      count: leads.length,
      mean: leads.length === 0 ? undefined : Math.exp(logs / leads.length),
      behind: leads.filter(({ lead }) => lead < 1),
    };
  });

/**
 * @param {SavinaResult} result
 * @param {Form} form
 */
export const formatSavina = (result, form = 'text') => {
  const { rows, failed, machine, node, commit, noise, plain, scale } = result;
  const header = ['Program', 'Mode', 'Threads', 'Mean', '± 99 %', 'Median', 'Peak MB'];
  const lines = rows.map(row => [
    row.title,
    row.mode,
    String(row.threads),
    formatMs(row.mean),
    formatMs(row.half),
    formatMs(row.median),
    row.peakMb.toFixed(0),
    ...names.map(peer => formatMs(publishedOf(row.id, peer, row.threads))),
    ...names.map(peer => leadOf(row, peer, scale)?.toFixed(2) ?? '–'),
  ]);
  const peerHeads = names.map(peer => peers[peer]);
  const table = formatTable(
    [...header, ...peerHeads, ...peerHeads.map(name => `x ${name}`)],
    lines,
    2,
    form,
  );
  const title = programs.length === rows.length ? 'Savina' : `Savina, ${rows.length} of its runs`;
  const plainTexts = Object.entries(plain).map(
    ([name, { median }]) => `${name} ${formatMs(median)}`,
  );
  const sums = summarize(result).flatMap(({ peer, mean, count, behind }) => {
    if (mean === undefined) return [];
    const where = behind.map(
      ({ id, threads, lead }) => `${id}${threads > 1 ? ` (${threads})` : ''} ${lead.toFixed(2)}`,
    );
    const rest = where.length === 0 ? 'never behind' : `behind in ${where.join(', ')}`;
    return [`${peers[peer]}: geometric mean of ${count} ${mean.toFixed(2)}, ${rest}`];
  });
  const notes = [
    `Times in ms, of ${machine}; node ${node}, commit ${commit}; ${noise}.`,
    `Columns of other systems: ${publishedMachine}, medians in ms. "x" is the ratio of their time to ours, when their`,
    `figures are multiplied by ${scale.toFixed(2)}, the ratio of the times of hand-written programs in plain JavaScript here and`,
    `there (here ${plainTexts.join('; ')} ms).`,
    ...sums,
    ...failed.map(({ id, threads, message }) => `${id} (${threads}) failed: ${message}`),
  ];
  const head = form === 'markdown' ? `# ${title}\n\n` : `${title}\n\n`;
  return `${head}${table}\n${notes.join('\n')}\n`;
};
