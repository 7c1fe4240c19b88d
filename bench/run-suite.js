// Runs one suite in this process, which main.js starts, and checks the load of the machine before
// and after.

import { watchNoise } from '#measure';
import { answer } from './process.js';
import { loadSuite } from './suite.js';

await answer(async ({ name, small }) => {
  const suite = await loadSuite(name);
  const endWatch = await watchNoise();
  const { figures, digest } = await suite.run({ small });
  return { figures, digest, noise: await endWatch() };
});
