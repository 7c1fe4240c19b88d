// Compares what the vats printed, line by line, with what they should have printed.

/**
 * Same lines in the same order. Differences come as a diff: `line 12: expected "…"` is missing, `line 12: got "…"`
 * is too much; numbers are those of the respective side.
 *
 * @param {string[]} lines
 * @param {string[]} expected
 * @returns {string[]} no line means that they are equal
 */
export const compareLog = (lines, expected) => {
  let start = 0;
  while (start < lines.length && start < expected.length && lines[start] === expected[start]) {
    start += 1;
  }
  let end = 0;
  while (
    end < lines.length - start &&
    end < expected.length - start &&
    lines[lines.length - 1 - end] === expected[expected.length - 1 - end]
  ) {
    end += 1;
  }
  return diff(
    lines.slice(start, lines.length - end),
    expected.slice(start, expected.length - end),
    start,
  );
};

/**
 * The middle parts, by the longest common subsequence. Logs have a few hundred lines, so a full table will do.
 *
 * @param {string[]} got
 * @param {string[]} want
 * @param {number} offset  lines that were equal before
 */
const diff = (got, want, offset) => {
  // common[i][j] is the length for got from i and want from j.
  const common = Array.from({ length: got.length + 1 }, () => new Uint32Array(want.length + 1));
  for (let i = got.length - 1; i >= 0; i -= 1) {
    for (let j = want.length - 1; j >= 0; j -= 1) {
      common[i][j] =
        got[i] === want[j]
          ? common[i + 1][j + 1] + 1
          : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const differences = [];
  let i = 0;
  let j = 0;
  while (i < got.length || j < want.length) {
    if (i < got.length && j < want.length && got[i] === want[j]) {
      i += 1;
      j += 1;
    } else if (j < want.length && (i === got.length || common[i][j + 1] >= common[i + 1][j])) {
      differences.push(`line ${offset + j + 1}: expected ${JSON.stringify(want[j])}`);
      j += 1;
    } else {
      differences.push(`line ${offset + i + 1}: got ${JSON.stringify(got[i])}`);
      i += 1;
    }
  }
  return differences;
};

/**
 * Same lines, each as often, in whatever order.
 *
 * @param {string[]} lines
 * @param {string[]} expected
 * @returns {string[]} no line means that they are equal
 */
export const compareLogLines = (lines, expected) => {
  /** @type {Map<string, number>} */
  const balance = new Map();
  for (const line of expected) balance.set(line, (balance.get(line) ?? 0) + 1);
  for (const line of lines) balance.set(line, (balance.get(line) ?? 0) - 1);
  return [...balance]
    .filter(([, left]) => left !== 0)
    .map(([line, left]) =>
      left > 0
        ? `missing ${left} times: ${JSON.stringify(line)}`
        : `too often by ${-left}: ${JSON.stringify(line)}`,
    );
};

/**
 * Each vat's own lines in order, whatever the order between vats. A line names its vat before the first colon.
 *
 * @param {string[]} lines
 * @param {string[]} expected
 */
export const compareLogByVat = (lines, expected) => {
  const [got, want] = [lines, expected].map(list => groupByVat(list));
  return [...new Set([...want.keys(), ...got.keys()])].flatMap(vat =>
    compareLog(got.get(vat) ?? [], want.get(vat) ?? []).map(text => `${vat}: ${text}`),
  );
};

/** @param {string[]} lines */
const groupByVat = lines => {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const line of lines) {
    const vat = line.split(':', 1)[0];
    const group = groups.get(vat);
    if (group) group.push(line);
    else groups.set(vat, [line]);
  }
  return groups;
};
