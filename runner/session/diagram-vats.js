// Collects the reactors of a swingset's vats, for a diagram. The vats are started in memory; no
// reaction and no message runs.

import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { demosDir } from '../demos-dir.js';
import { tell } from '../print.js';

/** The notices that this process has printed. @type {Set<string>} */
const told = new Set();

/** @param {string} baseDir  a directory, a config, or the name of a demo */
const findConfig = baseDir =>
  loadConfig(baseDir.endsWith('.json') ? { configFile: baseDir, demosDir } : { baseDir, demosDir });

/**
 * The first source file of each vat of the config.
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
  // A swingset without reactors is started twice.
  for (const notice of config.notices.filter(each => !told.has(each))) {
    told.add(notice);
    tell(notice);
  }
  return makeSimulation(config, {
    store: makeMemoryStore(),
    // The outline needs the reactors on this thread.
    workers: 0,
    // The picture does not depend on this option, so the most permissive value serves.
    lenient: true,
    cacheDir: config.bundleCachePath ?? defaultCacheDir(),
    ...options,
  });
};

/**
 * @param {string} baseDir
 * @param {{ maxBank?: number }} options
 * @returns  undefined if no vat has reactors
 * @throws {UserError} if the config is wrong or a vat does not start
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
