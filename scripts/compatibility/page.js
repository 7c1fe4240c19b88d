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

Random programs are held to SwingSet's deliveries, syscalls and printed lines by \`test/deliveries.test.js\`; \`scripts/compatibility/README.md\` has the command that runs others.

${sections.map(formatSection).join('\n')}`;
