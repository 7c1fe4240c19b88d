// Gives vats names that are equal under both kernels: vats of the config keep theirs; vats made during the run are
// numbered in the order in which they appear.

/**
 * @param {(vatId: string) => string | undefined} findName  of a vat of the config
 * @returns {(vatId: string) => string}
 */
export const nameVats = findName => {
  /** @type {Map<string, string>} */
  const made = new Map();
  return vatId => {
    const known = findName(vatId) ?? made.get(vatId);
    if (known !== undefined) return known;
    const name = `made ${made.size + 1}`;
    made.set(vatId, name);
    return name;
  };
};

/**
 * A line of vatAdmin about the end of a vat, with the vat's name; each kernel has its own ids.
 *
 * @param {string} line
 * @param {(vatId: string) => string | undefined} findName
 */
export const nameEnded = (line, findName) =>
  line.replace(/^(DANGER: .* vat )(v\d+)/, (_all, start, id) => start + (findName(id) ?? id));
