// The reactors of a swingset's vats, for a diagram: the vats are started in memory, and nothing of them runs but what
// makes them.

import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { demosDir } from '../demos-dir.js';
import { tell } from '../print.js';

/** @param {string} baseDir  a directory, a config, or the name of a demo */
const findConfig = baseDir =>
  loadConfig(baseDir.endsWith('.json') ? { configFile: baseDir, demosDir } : { baseDir, demosDir });

/**
 * The first file of each vat of the config that is made from sources.
 *
 * @param {string} baseDir
 * @returns {Map<string, string>}  by the vat's name
 */
export const findEntries = baseDir =>
  new Map(
    Object.entries(findConfig(baseDir).vats).flatMap(([name, { sourceFile }]) =>
      sourceFile === undefined ? [] : [[name, sourceFile]],
    ),
  );

/**
 * @param {string} baseDir
 * @param {Partial<Parameters<typeof makeSimulation>[1]>} [options]  of the simulation
 */
export const startVats = async (baseDir, options = {}) => {
  const config = findConfig(baseDir);
  for (const notice of config.notices) tell(notice);
  return makeSimulation(config, {
    store: makeMemoryStore(),
    // Reactors are drawn on this thread, whatever the config says.
    workers: 0,
    // A picture does not depend on the values that vats may pass.
    lenient: true,
    cacheDir: config.bundleCachePath ?? defaultCacheDir(),
    ...options,
  });
};

/**
 * @param {string} baseDir
 * @param {{ maxBank?: number }} options
 * @returns  undefined if no vat has reactors
 * @throws {UserError} for a config that is wrong, and a vat that does not start
 */
export const outlineOfVats = async (baseDir, options) => {
  const simulation = await startVats(baseDir);
  try {
    const outlines = await simulation.outlines(options);
    return outlines.vats.length > 0 ? outlines : undefined;
  } finally {
    await simulation.close();
  }
};
