// The reactors of a swingset's vats, for a diagram: the vats are started in memory, and nothing of them runs but what
// makes them.

import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { quote, UserError } from '#model';
import { demosDir } from '../demos-dir.js';
import { tell } from '../print.js';

/**
 * @param {string} baseDir  a directory, a config, or the name of a demo
 * @param {{ maxBank?: number }} options
 * @throws {UserError} for a config that is wrong, a vat that does not start, and a swingset without reactors
 */
export const outlineOfVats = async (baseDir, options) => {
  const config = loadConfig(
    baseDir.endsWith('.json') ? { configFile: baseDir, demosDir } : { baseDir, demosDir },
  );
  for (const notice of config.notices) tell(notice);
  const simulation = await makeSimulation(config, {
    store: makeMemoryStore(),
    // Only vats start: what they may pass is no matter of a picture.
    lenient: true,
    cacheDir: config.bundleCachePath ?? defaultCacheDir(),
  });
  try {
    const outlines = await simulation.outlines(options);
    if (outlines.vats.length > 0) return outlines;
    const names = Object.keys(config.vats).map(quote).join(', ');
    throw new UserError(
      `no vat of ${quote(baseDir)} has reactors (its vats are ${names}); a diagram shows those of vats that export buildReactor`,
    );
  } finally {
    await simulation.close();
  }
};
