// Refuses a Node that is too old before anything else is loaded, which it could not even parse. So nothing newer than
// Node 14 is used here, and nothing is imported.

/**
 * @param {string} version  of this Node, as `20.19.4`
 * @param {string} wanted  `engines.node` of the package: `>=MAJOR.MINOR`
 * @returns {string | undefined} what is wrong; undefined if it is new enough
 */
export const explainNode = (version, wanted) => {
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = wanted.replace('>=', '').split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `swingset-runner needs Node ${leastMajor}.${leastMinor} or later, and this is Node ${version}; install a newer one, as from https://nodejs.org`;
};
