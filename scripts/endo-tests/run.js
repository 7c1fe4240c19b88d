// Runs Endo's own test files, each in a vat, with a vat's globals and the modules that the system provides.

import { rmSync } from 'node:fs';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { countReasons } from '../compatibility/by-file.js';
import { exceptionOf } from './exceptions.js';
import { makeWorkspace } from './workspace.js';

/** @import { Row } from '../compatibility/rows.js' */

/** @typedef {{ title: string, reason?: string }} Result  of a test; the reason is there if it did not pass */

/**
 * @param {string} configFile
 * @returns {Promise<{ results?: Result[], reason?: string }>} the reason if the vat did not start or its tests did not end
 */
const runFile = async configFile => {
  /** @type {string[]} */
  const errors = [];
  const simulation = await makeSimulation(loadConfig({ configFile }), {
    store: makeMemoryStore(),
    observer: {
      onConsole: () => {},
      onVatError: (_name, error) => void errors.push(String(/** @type {any} */ (error)?.message)),
    },
  });
  try {
    await simulation.run();
    const { state, data } = simulation.status(simulation.bootstrapResult);
    if (state === 'rejected' || state === 'unresolved')
      return { reason: errors[0] ?? (data ? data.body : 'its tests did not end') };
    const results = JSON.parse(String(data?.body).replace(/^#/, ''));
    // Smallcaps: a text that begins with a sign has one more before it.
    const plain = (/** @type {unknown} */ text) =>
      typeof text === 'string' ? text.replace(/^!(?=[!-])/, '') : undefined;
    return {
      results: results.map((/** @type {any} */ { title, reason }) => ({
        title: plain(title) ?? '',
        ...(reason !== '#undefined' && { reason: plain(reason) }),
      })),
    };
  } finally {
    await simulation.close();
  }
};

/**
 * @param {string} name  of a test file
 * @param {string} configFile
 * @param {string} folder  left out of messages
 * @returns {Promise<Row>}
 */
const judgeFile = async (name, configFile, folder) => {
  const clean = (/** @type {string} */ text) => text.replaceAll(`${folder}/`, '').split('\n')[0];
  /** @type {{ results?: Result[], reason?: string }} */
  let ran;
  try {
    ran = await runFile(configFile);
  } catch (error) {
    ran = { reason: /** @type {Error} */ (error).message };
  }
  const { results, reason = '' } = ran;
  if (results === undefined) {
    const exception = exceptionOf(name, reason);
    return exception === undefined
      ? { name, result: 'refused', reason: clean(reason) }
      : { name, result: 'exception', reason: exception };
  }
  const counted = results.filter(({ reason: why }) => why !== 'skipped');
  const label = `${name} (${counted.length} ${counted.length === 1 ? 'test' : 'tests'})`;
  const failed = counted.flatMap(({ title, reason: why }) =>
    why === undefined ? [] : [{ title, why, exception: exceptionOf(`${name}: ${title}`, why) }],
  );
  if (failed.length === 0) return { name: label, result: 'equal' };
  const unexplained = failed.filter(({ exception }) => exception === undefined);
  if (unexplained.length > 0) {
    const [{ title, why }] = unexplained;
    return {
      name: label,
      result: 'differs',
      reason: `${unexplained.length} of them, as ${clean(title)}: ${clean(why)}`,
    };
  }
  const reasons = failed.map(({ exception }) => String(exception));
  return { name: label, result: 'exception', reason: countReasons(reasons) };
};

/**
 * @param {string} endo  a checkout of Endo
 * @param {(row: Row) => void} tell
 * @param {string} [only]  a part of the names of files that are run
 * @returns {Promise<Row[]>} one a test file
 */
export const runEndoTests = async (endo, tell, only = '') => {
  const { folder, files } = makeWorkspace(endo);
  /** @type {Row[]} */
  const rows = [];
  try {
    for (const { name, configFile } of files.filter(file => file.name.includes(only))) {
      const row = await judgeFile(name, configFile, folder);
      tell(row);
      rows.push(row);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
};
