// Refuses a Node that is too old before it loads modules that it could not even parse. So this file
// uses nothing newer than Node 14, and imports nothing.

/**
 * @param {string} version  of this Node, as `20.19.4`
 * @param {string} wanted  `engines.node` of the package: `>=MAJOR.MINOR`
 * @returns {string | undefined} the error message; undefined if this Node is new enough
 */
export const explainNode = (version, wanted) => {
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = wanted.replace('>=', '').split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `swingset-runner needs Node ${leastMajor}.${leastMinor} or later, and this is Node ${version}; install a newer one, as from https://nodejs.org`;
};
