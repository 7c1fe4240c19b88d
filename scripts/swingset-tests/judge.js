// Whether a test passes, is refused by name, or differs, and why: from what it says when it fails.

/** @typedef {{ result: 'passes' | 'differs' | 'refused', reason?: string }} Judgement */

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

/** @param {string} detail */
const firstDifference = detail =>
  /message: (?:>-\n)?(.*)/.exec(detail)?.[1]?.slice(0, 160) ?? detail.split('\n')[0]?.slice(0, 160);

/**
 * @param {string} file
 * @param {string} title
 * @param {boolean} isOk
 * @param {string} detail  what the test runner says of the failure
 * @returns {Judgement}
 */
export const judge = (file, title, isOk, detail) => {
  if (isOk) return { result: 'passes' };
  for (const refusal of refusals) {
    const found = refusal.exec(detail);
    if (found !== null) return { result: 'refused', reason: found[0] };
  }
  return { result: 'differs', reason: firstDifference(detail) };
};
