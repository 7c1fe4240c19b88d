// Writes docs/compatibility.md from the stored rows.

/** @import { Kept, Row } from './rows.js' */

/** @typedef {{ title: string, about: string, suite: string, kept: Kept | undefined }} Section */

const escapeCell = (/** @type {string} */ text) =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {readonly Row[]} rows @returns {string} such as `36 equal, 2 exception` */
export const countRows = rows => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { result } of rows) counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
};

/** @param {Section} section */
const formatSection = ({ title, about, kept }) => {
  const head = `## ${title}\n\n${about}`;
  if (kept === undefined) return `${head} Not run yet.\n`;
  const { commit, rows } = kept;
  const of = commit === undefined ? '' : ` of ${commit.slice(0, 12)}`;
  const lines = rows.map(
    ({ name, result, reason = '' }) => `| \`${name}\` | ${result} | ${escapeCell(reason)} |`,
  );
  return `${head}\n\n**${rows.length}${of}: ${countRows(rows)}.**\n\n| what | result | why |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
};

/** @param {readonly Section[]} sections */
export const formatPage = sections => `# Compatibility

Programs of others, unmodified, under this kernel, beside what the real kernels make of them. \`equal\`: every number, or every line and delivery. \`exception\`: it differs as the design says ([profiles](design/profiles.md)). \`runs\`: to its end, and was held against nothing. \`refused\`: it says what it lacks.

Made by \`node scripts/compatibility/main.js\`. With \`--sdk-2020 DIR\` (a checkout of agoric-sdk 8a21a315) \`--sdk DIR\` (one of today) and \`--endo DIR\` (one of Endo), packages installed and contracts prepared, their programs are run again; without, the rows are those that are kept in \`test/reference/compatibility\`.

Random programs, and programs as users write them, are held to SwingSet's deliveries, syscalls and printed lines by \`test/deliveries.test.js\` and \`test/swingset-programs.test.js\`, those with upgrades and collections also to its c-lists and vats' stores, by \`test/upgrades.test.js\`; \`scripts/compatibility/README.md\` has the commands that run others.

Words that differ under \`current\`, in what such programs can see:

- The text of an error that the engine made stays in the vat's memory: what a vat gets back from its virtual data has the fixed text, too.
- \`createVat()\` of a vat whose \`buildRootObject\` returns what is no root object says so in other words. Its refusals of wrong options and of wrong behaviours of kinds are worded by our checks. \`createVat()\` takes \`limits\`, an option of this package, and no options but an object, where SwingSet also takes numbers, flags and symbols; \`changeOptions()\` takes a bigint as \`reapInterval\`, which SwingSet's device cannot store.
- A vat that ends itself with a failure and an object or promise of its own as the reason is \`vat terminated\` to others: the crank that exported it is dropped. SwingSet passes a reference on that leads nowhere.
- Methods may be called \`name\` and \`length\`; there \`E(x).name()\` throws.
- Which objects that only memory held a collection finds is the engine's matter, so they may be dropped in another request for dead references, and be exported under another name afterwards.

${sections.map(formatSection).join('\n')}`;
