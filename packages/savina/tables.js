// The table: a line a program and number of threads, beside the published figures, as they are and as times of ours.

import { programs } from './programs.js';
import { peers, publishedMachine, publishedRows } from './published.js';

/** @import { SavinaResult, SavinaRow } from './measure.js' */
/** @import { Peer } from './published.js' */

/** @typedef {'text' | 'markdown'} Form */

const names = /** @type {Peer[]} */ (Object.keys(peers));

/** @param {number | undefined} value  three digits at least */
const formatMs = value => {
  if (value === undefined) return '–';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, ',');
};

/** @param {string} id @param {Peer} peer @param {number} threads */
const publishedOf = (id, peer, threads) =>
  publishedRows[id]?.[peer]?.[/** @type {1 | 2} */ (threads)];

/**
 * A peer's figure as it would be on this machine, over ours: above 1 we are ahead.
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
 * How far ahead of each peer we are: the geometric mean, and where it is ahead of us.
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
 * @param {string[]} header
 * @param {string[][]} lines
 * @param {number} left  columns of text
 * @param {Form} form
 */
const formatTable = (header, lines, left, form) => {
  const all = [header, ...lines];
  const widths = header.map((_, i) => Math.max(...all.map(line => line[i].length)));
  const texts = all.map(line => {
    const cells = line.map((cell, i) =>
      i < left ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
    );
    return form === 'markdown' ? `| ${cells.join(' | ')} |` : cells.join('  ').trimEnd();
  });
  const rule = widths.map((width, i) =>
    form === 'markdown' && i >= left ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  texts.splice(1, 0, form === 'markdown' ? `| ${rule.join(' | ')} |` : rule.join('  '));
  return `${texts.join('\n')}\n`;
};

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
    `The columns of others: ${publishedMachine}, medians in ms. "x" is how many times as long they take, when their`,
    `figures are multiplied by ${scale.toFixed(2)}: so much longer do hand-written programs in plain JavaScript take here than`,
    `there (here ${plainTexts.join('; ')} ms).`,
    ...sums,
    ...failed.map(({ id, threads, message }) => `${id} (${threads}) failed: ${message}`),
  ];
  const head = form === 'markdown' ? `# ${title}\n\n` : `${title}\n\n`;
  return `${head}${table}\n${notes.join('\n')}\n`;
};
