// One row for each test file of the rows of its tests, since some packages have hundreds of tests.

/** @import { Row } from './rows.js' */

/** @param {readonly string[]} reasons @returns {string} such as `3 tests: REASON` */
export const countReasons = reasons =>
  [...new Set(reasons)]
    .map(reason => {
      const count = reasons.filter(it => it === reason).length;
      return `${count} ${count === 1 ? 'test' : 'tests'}: ${reason}`;
    })
    .join('; ');

/** The first of these that a test of a file has is the file's. @type {Row['result'][]} */
const byWeight = ['differs', 'refused', 'exception', 'equal'];

/**
 * @param {readonly Row[]} rows  named `FILE: TITLE`
 * @returns {Row[]} named `FILE (COUNT tests)`
 */
export const groupByFile = rows => {
  /** @type {Map<string, Row[]>} */
  const files = new Map();
  for (const row of rows) {
    const file = row.name.slice(0, row.name.indexOf(': '));
    files.set(file, [...(files.get(file) ?? []), row]);
  }
  return [...files].map(([file, tests]) => {
    const name = `${file} (${tests.length} ${tests.length === 1 ? 'test' : 'tests'})`;
    const result = byWeight.find(it => tests.some(test => test.result === it)) ?? 'equal';
    const reasons = tests.flatMap(({ result: its, reason = '' }) =>
      its === 'equal' ? [] : [reason],
    );
    return reasons.length === 0
      ? { name, result }
      : { name, result, reason: countReasons(reasons) };
  });
};
