// Names the version of the program that was measured.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** @param {string[]} args */
const git = args =>
  execFileSync('git', ['-C', fileURLToPath(root), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/**
 * The commit of the sources, with a `+` if they have changes that are not committed. Benchmark
 * results do not count as sources. For an installed package, which has no commit of its own, it is
 * the version.
 *
 * @returns {string}
 */
export const describeCommit = () => {
  try {
    // A package that is installed inside another repository must not report that repository's
    // commit.
    if (git(['rev-parse', '--show-prefix']) === '') {
      const commit = git(['rev-parse', '--short', 'HEAD']);
      const changes = git(['status', '--porcelain', '--', '.', ':!bench/results', ':!*.md']);
      return changes === '' ? commit : `${commit}+`;
    }
  } catch {
    // There is no git, or no repository: use the version.
  }
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  return `version ${version}`;
};
