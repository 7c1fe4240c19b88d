// The names of a run and its hosts, and the subjects that follow from them. Permissions are given by subject
// (permissions.js), so every subject is made here.

import { quote, UserError } from '#model';

const longestName = 48;

const allowed = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*)$/;

/** @param {string} name  whether it can be part of a subject */
export const isName = name =>
  typeof name === 'string' && name.length <= longestName && allowed.test(name);

/**
 * @param {string} name
 * @param {string} what  `run`, `host`
 * @returns {string} the same
 * @throws {UserError} it cannot be part of a subject
 */
export const insistName = (name, what) => {
  if (isName(name)) return name;
  const rule = `letters, digits, - and _, at most ${longestName}, a letter or a digit first`;
  throw new UserError(`${quote(name)} is no name of a ${what}; give one of ${rule}`);
};

/**
 * The names of a run's parts. `log` is the subject of its records, which only leaders may publish to; `toHost` is published to by
 * the leader alone, `fromHost` by that host alone; `leader` says who leads; `ask` is where status and moves are asked for.
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
