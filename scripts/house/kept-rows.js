// Kept benchmark rows (bench/results): all of one code, which is not old, on a machine that did nothing else.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @import { House } from './house.js' */
/** @import { Row } from '#measure' */

/** Some machines share their processors and are not idle for days. */
const mostCommits = 200;

/** All that is measured; the benchmarks themselves are not. */
const measured = ['packages', 'runner', 'stats', 'demos', 'package.json', 'package-lock.json'];

const remedy = 'on an idle machine, with everything committed: npm run bench:keep';

/**
 * @param {{ file: string, rows: Pick<Row, 'commit' | 'params'>[] }[]} results
 * @param {(commit: string) => number | undefined} ageOf  commits since then; undefined of one that is not in the history
 * @param {(one: string, other: string) => boolean} [isSameCode]  whether what is measured is the same in both commits
 * @returns {string[]} problems
 */
export const findRowProblems = (results, ageOf, isSameCode = () => false) => {
  const commits = new Set(results.flatMap(({ rows }) => rows.map(({ commit }) => commit)));
  const problems = results.flatMap(({ file, rows }) => [
    ...(rows.length === 0 ? [`${file}: it has no rows`] : []),
    ...[...new Set(rows.map(({ params }) => String(params.noise)))]
      .filter(noise => noise !== 'idle')
      .map(noise => `${file}: the machine was ${noise}; rows are kept of an idle one`),
  ]);
  const [first, ...others] = commits;
  if (others.some(other => !isSameCode(first, other)))
    problems.push(
      `rows of ${commits.size} commits are kept (${[...commits].join(', ')}); they are comparable only if all are of the same code`,
    );
  for (const commit of commits) {
    const age = ageOf(commit);
    if (age === undefined) problems.push(`commit ${commit} of kept rows is not in the history`);
    else if (age > mostCommits)
      problems.push(
        `kept rows of commit ${commit} are ${age} commits old; ${mostCommits} are the most`,
      );
  }
  return problems.length === 0 ? [] : [...problems, `take the rows again, ${remedy}`];
};

/**
 * @param {House} house
 * @returns {string[]} problems
 */
export const checkKeptRows = ({ root, git }) => {
  const folder = join(root, 'bench/results');
  const results = readdirSync(folder)
    .sort()
    .map(name => ({
      file: `bench/results/${name}`,
      rows: JSON.parse(readFileSync(join(folder, name), 'utf8')),
    }));
  return findRowProblems(
    results,
    commit => {
      try {
        return Number(git('rev-list', '--count', `${commit}..HEAD`));
      } catch {
        return undefined;
      }
    },
    (one, other) => {
      try {
        return git('diff', '--name-only', one, other, '--', ...measured).trim() === '';
      } catch {
        return false;
      }
    },
  );
};
