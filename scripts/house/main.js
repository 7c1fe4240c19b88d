// `npm run house`: what neither the linter nor the compiler checks. Names of checks as arguments run these alone.

import { checkComments } from './comments.js';
import { checkCommits } from './commits.js';
import { checkDocstrings } from './docstrings.js';
import { openHouse } from './house.js';
import { checkKeptRows } from './kept-rows.js';
import { checkLinks } from './links.js';
import { checkSizes } from './sizes.js';
import { checkSpelling } from './spelling.js';

/** @import { House } from './house.js' */

/** @type {Record<string, (house: House) => string[]>} */
const checks = {
  spelling: checkSpelling,
  comments: checkComments,
  links: checkLinks,
  docstrings: checkDocstrings,
  sizes: checkSizes,
  commits: checkCommits,
  rows: checkKeptRows,
};

const asked = process.argv.slice(2);
const unknown = asked.find(name => !Object.hasOwn(checks, name));
if (unknown !== undefined) {
  console.error(`there is no check "${unknown}"; there are ${Object.keys(checks).join(', ')}`);
  process.exit(2);
}
const house = openHouse();
for (const name of asked.length > 0 ? asked : Object.keys(checks)) {
  const problems = checks[name](house);
  console.log(
    `${name}: ${problems.length === 0 ? 'nothing is wrong' : `${problems.length} problems`}`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
