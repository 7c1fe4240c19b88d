// Subjects of commits: `type(scope): imperative`, at most 72 characters, one idea (CONTRIBUTING.md, "Commits").

/** @import { House } from './house.js' */

/** Earlier commits have other subjects. */
const firstChecked = '3557627';

const form = /^(feat|fix|perf|test|docs|build|chore|refactor)(\([a-z0-9,-]+\))?: \S.{7,}$/;

/**
 * @param {string} subject
 * @returns {string | undefined} what is wrong with it
 */
export const findSubjectProblem = subject => {
  if (subject.length > 72) return `has ${subject.length} characters; 72 are the most`;
  if (subject.includes(';')) return 'has a semicolon; a commit is one idea';
  if (!form.test(subject)) return 'is not of the form type(scope): imperative';
  return undefined;
};

/**
 * @param {House} house
 * @returns {string[]} problems
 */
export const checkCommits = ({ git }) => {
  let range = `${firstChecked}..HEAD`;
  try {
    git('cat-file', '-e', `${firstChecked}^{commit}`);
  } catch {
    // A clone that does not go back so far has later ones only.
    range = 'HEAD';
  }
  const lines = git('log', '--no-merges', '--format=%h %s', range).split('\n');
  return lines
    .filter(line => line !== '')
    .flatMap(line => {
      const at = line.indexOf(' ');
      const problem = findSubjectProblem(line.slice(at + 1));
      return problem === undefined ? [] : [`commit ${line.slice(0, at)}: its subject ${problem}`];
    });
};
