// Names in a trace. A kref or error id is marked where its line is written, and numbered in the order of a round's lines, so
// the kernels may begin to count at different numbers.
//
// SwingSet counts references with each message: an object that was sent to nobody but its own vat, or to vats that have
// ended, is retired at once, and gets another kref when it is sent again. Here it keeps its kref until vats are asked for
// dead references, which they never are in these programs. So a kref that is new there may be, here, one that is known and
// was retired there; `alignNames` finds these pairs.

const [opening, closing, retiring] = ['\ue000', '\ue001', '\ue002'];
const marked = /\ue000([^\ue001]+)\ue001/gu;
const numbered = /\b(?:ko|kp|kd|error)#\d+/g;

/** @param {string} name  a kref or an error id */
export const markName = name => `${opening}${name}${closing}`;

/**
 * Makes a line that lists retired objects; it is not compared.
 *
 * @param {readonly string[]} krefs
 */
export const retireLine = krefs => `${retiring}${krefs}`;

/**
 * @param {string} line
 * @param {(name: string) => string} rename
 * @returns {string | undefined} the line with other names; undefined if it is not compared
 */
export const renameMarked = (line, rename) =>
  line.startsWith(retiring) ? undefined : line.replaceAll(marked, (_all, name) => rename(name));

/** @param {string} line @returns {string[]} */
const retiredBy = line => (line.startsWith(retiring) ? line.slice(1).split(',') : []);

/**
 * @param {readonly string[]} lines  of a round, with marks
 * @param {ReadonlyMap<string, string>} [aliases]  the names by which objects went before
 */
const number = (lines, aliases = new Map()) => {
  /** @type {Map<string, string>} */
  const names = new Map();
  const rename = (/** @type {string} */ kref) => {
    const name = aliases.get(kref) ?? kref;
    const kind = name.startsWith('error') ? 'error' : name.slice(0, 2);
    if (!names.has(name)) names.set(name, `${kind}#${names.size + 1}`);
    return /** @type {string} */ (names.get(name));
  };
  const told = lines.flatMap(line => renameMarked(line, rename) ?? []);
  return { told, names };
};

/**
 * @param {readonly string[]} lines  of a round, with marks
 * @param {ReadonlyMap<string, string>} [aliases]
 * @returns {string[]} what is compared, and kept as digests
 */
export const numberNames = (lines, aliases) => number(lines, aliases).told;

/** @param {readonly string[]} left @param {readonly string[]} right */
const firstDifference = (left, right) => {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
};

/**
 * The first name in which two lines differ, as a kref that is new in SwingSet's and one that was known here.
 *
 * @param {readonly string[]} theirs  with marks
 * @param {readonly string[]} ours  numbered
 * @param {ReadonlyMap<string, string>} aliases
 * @returns {{ kref: string, known: string } | undefined}
 */
const findNewKref = (theirs, ours, aliases) => {
  const { told, names } = number(theirs, aliases);
  const at = firstDifference(told, ours);
  const [left, right] = [told[at], ours[at]].map(line => (line ?? '').match(numbered) ?? []);
  const place = firstDifference(left, right);
  const krefs = new Map([...names].map(([kref, name]) => [name, kref]));
  const [kref, known] = [krefs.get(left[place]), krefs.get(right[place])];
  if (kref === undefined || known === undefined) return undefined;
  const line = theirs.findIndex(it => it.includes(markName(kref)));
  const retired = theirs.slice(0, line).flatMap(retiredBy);
  const sameObject = [
    known,
    ...[...aliases].filter(([, to]) => to === known).map(([from]) => from),
  ];
  return kref.startsWith('ko') && retired.includes(sameObject[sameObject.length - 1])
    ? { kref, known }
    : undefined;
};

/**
 * Krefs under which SwingSet exported an object anew that it had retired, where it is the known one here.
 *
 * @param {readonly string[]} theirs  a round's lines of SwingSet, with marks
 * @param {readonly string[]} ours  numbered
 * @returns {Map<string, string>} the kref before, by the new one
 */
export const alignNames = (theirs, ours) => {
  /** @type {Map<string, string>} */
  const aliases = new Map();
  for (;;) {
    const found = findNewKref(theirs, ours, aliases);
    if (found === undefined) return aliases;
    aliases.set(found.kref, found.known);
  }
};
