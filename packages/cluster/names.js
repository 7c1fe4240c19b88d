// The names of a run and its hosts, and their subjects. Permissions are by subject (permissions.js), so every subject
// is made here.

import { quote, UserError } from '#model';

const longestName = 48;

const allowed = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*)$/;

/** Whether a name can be part of a subject. @param {string} name */
export const isName = name =>
  typeof name === 'string' && name.length <= longestName && allowed.test(name);

/**
 * @param {string} name
 * @param {string} what  `run`, `host`
 * @returns {string} the same
 * @throws {UserError} if it cannot be part of a subject
 */
export const insistName = (name, what) => {
  if (isName(name)) return name;
  const rule = `letters, digits, - and _, at most ${longestName}, a letter or a digit first`;
  throw new UserError(`${quote(name)} is no name of a ${what}; give one of ${rule}`);
};

/**
 * The subjects of a run. Only leaders may publish to `log`, the subject of its records, and to `toHost`; only that host
 * may publish to `fromHost`; `leader` announces the leader; `ask` takes requests for status and moves.
 *
 * @param {string} run
 */
export const namesOf = run => {
  insistName(run, 'run');
  const base = `swingset.${run}`;
  return Object.freeze({
    run,
    stream: `SWINGSET_${run}`,
    bucket: `SWINGSET_${run}_blobs`,
    log: `${base}.log`,
    leader: `${base}.leader`,
    ask: `${base}.ask`,
    fromHosts: `${base}.from.*`,
    /** @param {string} host */
    toHost: host => `${base}.to.${insistName(host, 'host')}`,
    /** @param {string} host */
    fromHost: host => `${base}.from.${insistName(host, 'host')}`,
    /** @param {string} subject  of `fromHosts` @returns {string} */
    hostOf: subject => subject.slice(subject.lastIndexOf('.') + 1),
  });
};

/** @typedef {ReturnType<typeof namesOf>} RunNames */
