// How a run stands: asked of its leader, or, where there is none, read from its log. As data, as text, and as a page.

import { UserError } from '#model';
import { readFacts } from './follower.js';
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
 * @property {{ vatId: string, name: string, hosts: string[], cranks: number }[]} vats  those on hosts
 * @property {Record<string, number>} refused  messages, by reason
 */

/**
 * @param {Cluster} cluster
 * @param {string} run
 * @returns {Promise<Status>}
 * @throws {UserError} there is no such run
 */
export const askStatus = async (cluster, run) => {
  const answer = await cluster.request(namesOf(run).ask, writeJson({ kind: 'status' }), askMs);
  const told = answer && readJson(answer);
  if (told !== undefined) return /** @type {Status} */ (/** @type {unknown} */ (told));
  const log = await cluster.findLog();
  const last = (await log?.last()) ?? 0;
  if (log === undefined || last === 0)
    throw new UserError(
      `there is no run ${run} at ${cluster.name}; begin it with swingset-runner lead`,
    );
  const facts = await readFacts(run, log);
  const entry = readRecord((await log.get(last)) ?? new Uint8Array());
  return {
    ...{ run, program: facts.program, state: entry.kind === 'end' ? 'ended' : 'without a leader' },
    ...{ epoch: entry.epoch, block: entry.block, record: last, activityHash: entry.activity },
    ...{ leaseMs: facts.leaseMs, hosts: [], vats: [], refused: {} },
  };
};

/**
 * Move a vat.
 *
 * @param {Cluster} cluster
 * @param {string} run
 * @param {string} vat
 * @param {string} host
 * @returns {Promise<string>} what was done
 * @throws {UserError} it was not
 */
export const askMove = async (cluster, run, vat, host) => {
  const bytes = writeJson({ kind: 'move', vat, host });
  const answer = await cluster.request(namesOf(run).ask, bytes, 10 * askMs);
  const told = answer && readJson(answer);
  if (told === undefined)
    throw new UserError(
      `run ${run} has no leader that answers; swingset-runner status says how it stands`,
      { exitCode: 1 },
    );
  if (typeof told.problem === 'string') throw new UserError(told.problem, { exitCode: 1 });
  return String(told.done);
};

/** @param {Status['hosts'][number]} host */
export const describeHost = ({ name, threads, vats, cranks, batches, busyMs, lagMs }) =>
  `host ${name}: ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${vats} vats, ${cranks} cranks in ${batches} batches, busy ${busyMs} ms, heard of ${lagMs} ms ago`;

/** @param {Status} status */
export const formatStatus = status => {
  const { run, program, state, leader, epoch, block, record, activityHash, hosts, vats } = status;
  const refused = Object.entries(status.refused);
  return [
    `run ${run} of ${program}: ${state}${leader === undefined ? '' : `, led by ${leader}`}`,
    `epoch ${epoch}, block ${block}, record ${record}, lease ${status.leaseMs} ms`,
    `activity hash: ${activityHash}`,
    ...hosts.map(describeHost),
    ...vats.map(
      vat =>
        `vat ${vat.name} (${vat.vatId}) on ${vat.hosts.join(', ') || 'no host'}, ${vat.cranks} cranks`,
    ),
    ...refused.map(([reason, count]) => `refused ${count}: ${reason}`),
    '',
  ].join('\n');
};

/** @param {string | number} text */
const escape = text =>
  String(text).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** @param {(string | number)[][]} rows  the first has the titles */
const table = ([titles, ...rows]) =>
  [
    '<table>',
    `<tr>${titles.map(each => `<th>${escape(each)}</th>`).join('')}</tr>`,
    ...rows.map(row => `<tr>${row.map(each => `<td>${escape(each)}</td>`).join('')}</tr>`),
    '</table>',
  ].join('\n');

/** A page that needs nothing else. @param {Status} status */
export const formatStatusPage = status => {
  const { run, state, leader = 'nobody', epoch, block, record, activityHash, hosts, vats } = status;
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>run ${escape(run)}</title>`,
    '<style>body{font:14px system-ui,sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}',
    'th,td{text-align:left;padding:.2em .8em;border-bottom:1px solid #8886}code{word-break:break-all}</style></head><body>',
    `<h1>Run ${escape(run)}</h1>`,
    `<p>${escape(status.program)}: ${escape(state)}, led by ${escape(leader)}, epoch ${epoch}, block ${block}, record ${record}</p>`,
    `<p>Activity hash <code>${escape(activityHash)}</code></p>`,
    '<h2>Hosts</h2>',
    table([
      ['host', 'threads', 'vats', 'cranks', 'batches', 'busy, ms', 'heard of, ms ago'],
      ...hosts.map(host => [
        ...[host.name, host.threads, host.vats, host.cranks, host.batches, host.busyMs, host.lagMs],
      ]),
    ]),
    '<h2>Vats</h2>',
    table([
      ['vat', 'name', 'on', 'cranks'],
      ...vats.map(vat => [vat.vatId, vat.name, vat.hosts.join(', '), vat.cranks]),
    ]),
    '<h2>Refused</h2>',
    table([
      ['messages', 'reason'],
      ...Object.entries(status.refused).map(([reason, count]) => [count, reason]),
    ]),
    '</body></html>',
    '',
  ].join('\n');
};
