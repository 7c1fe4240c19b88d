// The status of a run, from its leader, or from its log if there is none. As data, as text, and as a page.

import { countOf, quote, showInLine, UserError } from '#model';
import { readFacts } from './follower.js';
import { DamagedRun } from './log-reader.js';
import { readJson, writeJson } from './host-messages.js';
import { readRecord } from './record.js';
import { namesOf } from './names.js';

/** @import { Cluster } from './interface.js' */

const askMs = 3_000;

/**
 * @typedef {object} Status
 * @property {string} run
 * @property {string} program
 * @property {'running' | 'ended' | 'without a leader' | 'not begun'} state
 * @property {string} [leader]
 * @property {number} epoch
 * @property {number} block
 * @property {number} record
 * @property {string} activityHash
 * @property {number} leaseMs
 * @property {number} [upMs]
 * @property {{ name: string, threads: number, vats: number, lagMs: number, cranks: number, batches: number, busyMs: number }[]} hosts
 * @property {{ vatId: string, name: string, hosts: string[], cranks: number }[]} vats  vats on hosts
 * @property {{ vatId: string, name: string, reason: string }[]} staying  vats on the leader, and the reason why they do
 *   not run on a host
 * @property {{ hosts: number, vats: number, staying: number }} unlisted  how many more there are of each, for which the
 *   message had no room
 * @property {Record<string, number>} refused  number of refused messages by reason
 */

/**
 * @param {Cluster} cluster
 * @param {string} run
 * @returns {Promise<Status>}
 * @throws {UserError} if there is no such run
 */
export const askStatus = async (cluster, run) => {
  const answer = await cluster.request(namesOf(run).ask, writeJson({ kind: 'status' }), askMs);
  if (answer !== undefined) {
    const told = readJson(answer);
    if (isStatus(told) && told.run === run) return told;
    throw new UserError(
      `whoever answers for run ${run} at ${cluster.name} gives no status; is it led by another version of the package?`,
      { exitCode: 1 },
    );
  }
  return readStatus(cluster, run);
};

/**
 * The status of a run without a leader.
 *
 * @param {Cluster} cluster
 * @param {string} run
 * @returns {Promise<Status>}
 * @throws {UserError} if there is no such run, or its log is damaged
 */
const readStatus = async (cluster, run) => {
  const log = await cluster.findLog();
  const last = (await log?.last()) ?? 0;
  if (log === undefined || last === 0)
    throw new UserError(
      `there is no run ${run} at ${cluster.name}; begin it with swingset-runner lead`,
    );
  const facts = await readFacts(run, log);
  const entry = openRecord(run, last, await log.get(last));
  return {
    ...{ run, program: facts.program, state: entry.kind === 'end' ? 'ended' : 'without a leader' },
    ...{ epoch: entry.epoch, block: entry.block, record: last, activityHash: entry.activity },
    ...{ leaseMs: facts.leaseMs, hosts: [], vats: [], staying: [], refused: {} },
    unlisted: { hosts: 0, vats: 0, staying: 0 },
  };
};

/** @param {string} run @param {number} seq @param {Uint8Array | undefined} bytes @throws {DamagedRun} */
const openRecord = (run, seq, bytes) => {
  try {
    return readRecord(bytes ?? new Uint8Array());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DamagedRun(run, `its last record, ${seq}: ${error.message}`);
  }
};

/**
 * Whether the log has the end of the run.
 *
 * @param {Cluster} cluster
 * @param {string} run
 * @returns {Promise<boolean>}
 * @throws {UserError} if its log is damaged, or may not be read
 */
export const hasEnded = async (cluster, run) => {
  const log = await cluster.findLog();
  const last = (await log?.last()) ?? 0;
  if (log === undefined || last === 0) return false;
  return openRecord(run, last, await log.get(last)).kind === 'end';
};

/** @param {unknown} value @returns {value is string} */
const isText = value => typeof value === 'string';
const isNumber = (/** @type {unknown} */ value) => Number.isFinite(value);

/** @param {any} list  anything that was JSON @param {(each: any) => boolean} isEach */
const isListOf = (list, isEach) =>
  Array.isArray(list) &&
  list.every(each => typeof each === 'object' && each !== null && isEach(each));

/** @param {any} told  anything that was JSON @returns {told is Status} */
export const isStatus = told =>
  typeof told === 'object' &&
  told !== null &&
  [told.run, told.program, told.state, told.activityHash].every(isText) &&
  (told.leader === undefined || isText(told.leader)) &&
  (told.upMs === undefined || isNumber(told.upMs)) &&
  [told.epoch, told.block, told.record, told.leaseMs].every(isNumber) &&
  isListOf(
    told.hosts,
    each =>
      isText(each.name) &&
      [each.threads, each.vats, each.lagMs, each.cranks, each.batches, each.busyMs].every(isNumber),
  ) &&
  isListOf(
    told.vats,
    each =>
      [each.vatId, each.name].every(isText) &&
      isNumber(each.cranks) &&
      Array.isArray(each.hosts) &&
      each.hosts.every(isText),
  ) &&
  typeof told.unlisted === 'object' &&
  told.unlisted !== null &&
  [told.unlisted.hosts, told.unlisted.vats, told.unlisted.staying].every(isNumber) &&
  isListOf(told.staying, each => [each.vatId, each.name, each.reason].every(isText)) &&
  typeof told.refused === 'object' &&
  told.refused !== null &&
  Object.values(told.refused).every(isNumber);

/**
 * Ask the leader to move a vat.
 *
 * @param {Cluster} cluster
 * @param {string} run
 * @param {string} vat
 * @param {string} host
 * @returns {Promise<string>} the outcome
 * @throws {UserError} if it was not moved
 */
export const askMove = async (cluster, run, vat, host) => {
  const bytes = writeJson({ kind: 'move', vat, host });
  const answer = await cluster.request(namesOf(run).ask, bytes, 10 * askMs);
  if (answer === undefined)
    throw new UserError(
      `run ${run} has no leader that answers; swingset-runner status says how it stands`,
      { exitCode: 1 },
    );
  const told = readJson(answer) ?? {};
  if (isText(told.problem)) throw new UserError(showInLine(told.problem), { exitCode: 1 });
  if (isText(told.done)) return showInLine(told.done);
  throw new UserError(
    `whoever answers for run ${run} at ${cluster.name} does not say what was done with vat ${quote(vat)}; swingset-runner status says where it is`,
    { exitCode: 1 },
  );
};

/** @param {Status['hosts'][number]} host */
export const describeHost = ({ name, threads, vats, cranks, batches, busyMs, lagMs }) =>
  `host ${name}: ${countOf(threads, 'thread')}, ${countOf(vats, 'vat')}, ${countOf(cranks, 'crank')} in ${batches} batches, busy ${busyMs} ms, heard of ${lagMs} ms ago`;

/** @param {number} count @param {string} what */
const andMore = (count, what) => (count > 0 ? [`and ${count} more ${what}`] : []);

/** @param {Status} status */
export const formatStatus = status => {
  const { run, program, state, leader, epoch, block, record, activityHash, hosts, vats } = status;
  const refused = Object.entries(status.refused);
  const { unlisted } = status;
  return [
    `run ${run} of ${program}: ${state}${leader === undefined ? '' : `, led by ${leader}`}`,
    `epoch ${epoch}, block ${block}, record ${record}, lease ${status.leaseMs} ms`,
    `activity hash: ${activityHash}`,
    ...hosts.map(describeHost),
    ...andMore(unlisted.hosts, 'hosts'),
    ...vats.map(
      vat =>
        `vat ${vat.name} (${vat.vatId}) on ${vat.hosts.join(', ') || 'no host'}, ${countOf(vat.cranks, 'crank')}`,
    ),
    ...andMore(unlisted.vats, 'vats on hosts'),
    ...status.staying.map(
      ({ name, vatId, reason }) => `vat ${name} (${vatId}) on the leader: ${reason}`,
    ),
    ...andMore(unlisted.staying, 'vats on the leader'),
    ...refused.map(([reason, count]) => `refused ${count}: ${reason}`),
    '',
  ].join('\n');
};

/** @param {string | number} text */
const escape = text =>
  String(text).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** The attribute of a cell: numbers are aligned by their last digits. @param {string | number} value */
const align = value => (typeof value === 'number' ? ' class="n"' : '');

/**
 * A section with a table; nothing where the table would be empty.
 *
 * @param {string} title
 * @param {(string | number)[][]} rows  the first has the titles
 */
const section = (title, [titles, ...rows]) =>
  rows.length === 0
    ? []
    : [
        `<h2>${escape(title)}</h2><div class="wide" tabindex="0" role="region" aria-label="${escape(title)}"><table>`,
        `<tr>${titles.map((each, i) => `<th scope="col"${align(rows[0][i])}>${escape(each)}</th>`).join('')}</tr>`,
        ...rows.map(
          row => `<tr>${row.map(each => `<td${align(each)}>${escape(each)}</td>`).join('')}</tr>`,
        ),
        '</table></div>',
      ];

/** @param {number} count @param {string} what */
const andMoreOnPage = (count, what) => andMore(count, what).map(line => `<p>${line}</p>`);

/** A self-contained page. @param {Status} status */
export const formatStatusPage = status => {
  const { run, state, leader = 'nobody', epoch, block, record, activityHash, hosts, vats } = status;
  const { unlisted } = status;
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>run ${escape(run)}</title>`,
    '<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:1.5em}h1{font-size:1.5em}h2{font-size:1.15em;margin:1.5em 0 .3em}',
    '.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}',
    'th,td{text-align:left;padding:.2em 1.2em .2em 0;border-bottom:1px solid #8886}.n{text-align:right}code{word-break:break-all}</style></head><body><main>',
    `<h1>Run ${escape(run)}</h1>`,
    `<p>${escape(status.program)}: ${escape(state)}, led by ${escape(leader)}, epoch ${epoch}, block ${block}, record ${record}</p>`,
    `<p>Activity hash <code>${escape(activityHash)}</code></p>`,
    ...section('Hosts', [
      ['host', 'threads', 'vats', 'cranks', 'batches', 'busy, ms', 'heard of, ms ago'],
      ...hosts.map(host => [
        ...[host.name, host.threads, host.vats, host.cranks, host.batches, host.busyMs, host.lagMs],
      ]),
    ]),
    ...andMoreOnPage(unlisted.hosts, 'hosts'),
    ...section('Vats', [
      ['vat', 'name', 'on', 'cranks'],
      ...vats.map(vat => [vat.vatId, vat.name, vat.hosts.join(', '), vat.cranks]),
    ]),
    ...andMoreOnPage(unlisted.vats, 'vats on hosts'),
    ...section('Vats on the leader', [
      ['vat', 'name', 'why'],
      ...status.staying.map(({ vatId, name, reason }) => [vatId, name, reason]),
    ]),
    ...andMoreOnPage(unlisted.staying, 'vats on the leader'),
    ...section('Refused', [
      ['messages', 'reason'],
      ...Object.entries(status.refused).map(([reason, count]) => [count, reason]),
    ]),
    '</main></body></html>',
    '',
  ].join('\n');
};
