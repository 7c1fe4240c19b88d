// Reads the output of a test runner, in TAP, as rows: one for each test.

/** @typedef {{ title: string, isOk: boolean, isSkipped: boolean, detail: string }} Outcome */

/**
 * @param {string} text  of the runner
 * @returns {Outcome[]}
 */
export const readTap = text => {
  /** @type {Outcome[]} */
  const outcomes = [];
  /** @type {string[] | undefined} of the last test */
  let detail;
  for (const line of text.split('\n')) {
    const found = /^(not )?ok \d+ - (.*)$/.exec(line);
    if (found !== null) {
      const [, not, rest] = found;
      const [title, directive = ''] = rest.split(/ # (?=SKIP|TODO)/);
      detail = [];
      outcomes.push({
        title,
        isOk: not === undefined,
        isSkipped: directive !== '',
        get detail() {
          return '';
        },
      });
      const own = detail;
      Object.defineProperty(outcomes.at(-1), 'detail', { get: () => own.join('\n') });
    } else if (/^\s*\.\.\.\s*$/.test(line)) {
      detail = undefined;
    } else detail?.push(line.trim());
  }
  return outcomes;
};
