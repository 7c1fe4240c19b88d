// Whether a test passes (`equal`), is refused by name, or differs, and why: from what it says when it fails.

/** @typedef {{ result: 'equal' | 'differs' | 'refused', reason?: string }} Judgement */

/** Our own errors that name what is not here. */
const refusals = [
  /\S+\(\) is not here: [^'"\n]*/,
  /the module "[^"]+" is not provided here/,
  /"[^"]+" does not export "[^"]+"/,
  /VatData\.\w+\(\)[^'"\n]*/,
  /a vat has no option [^'\n;]*/,
  /the option \S+ is (?:not here|unknown)/,
  /calls \w+(?:\.\w+)?\(\)[^'"\n]*come later/,
];

/** What a file's tests need that is not here; a vat is told so, and the test says something else. */
const neededByFile = /** @type {Readonly<Record<string, string>>} */ ({
  'metering/dynamic-vat-metered': 'createMeter() is refused: vats are not metered here',
  'vat-admin/slow-termination/slow-termination':
    'it reads tables of SQLite (transcriptSpans), where SwingSet has its state',
});

/** Characters of a reason. */
const longestReason = 200;

/** What a failure says first: the lines that differ, ours with a minus, or its message. @param {string} detail */
const firstDifference = detail => {
  const changed = detail.split('\n').filter(line => /^[-+] /.test(line));
  const text =
    changed.length > 0
      ? changed.slice(0, 3).join('; ')
      : (/^message: (?:>-\n)?(.*)/m.exec(detail)?.[1] ?? '');
  return text.slice(0, longestReason);
};

/**
 * @param {string} file
 * @param {string} title
 * @param {boolean} isOk
 * @param {string} detail  what the test runner says of the failure
 * @returns {Judgement}
 */
export const judge = (file, title, isOk, detail) => {
  if (isOk) return { result: 'equal' };
  for (const refusal of refusals) {
    const found = refusal.exec(detail);
    if (found !== null) return { result: 'refused', reason: found[0] };
  }
  if (Object.hasOwn(neededByFile, file)) return { result: 'refused', reason: neededByFile[file] };
  return { result: 'differs', reason: firstDifference(detail) };
};
