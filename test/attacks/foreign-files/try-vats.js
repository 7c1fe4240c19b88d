// Runs each of the sources of a file as the bootstrap vat of a directory, and prints how each was refused, as one array;
// null of one that was not.

import fs from 'node:fs';
import path from 'node:path';

import { loadConfig, makeMemoryStore, makeSimulation } from '#host';

const [file, baseDir] = process.argv.slice(2);
/** @type {(string | null)[]} */
const refusals = [];

for (const source of JSON.parse(fs.readFileSync(file, 'utf8'))) {
  fs.writeFileSync(path.join(baseDir, 'bootstrap.js'), source);
  try {
    const simulation = await makeSimulation(loadConfig({ baseDir }), {
      store: makeMemoryStore(),
      observer: { onConsole: (vatName, level, text) => console.error(vatName, level, text) },
    });
    await simulation.run();
    await simulation.close();
    refusals.push(null);
  } catch (error) {
    const { constructor, message } = /** @type {Error} */ (error);
    refusals.push(`${constructor.name}: ${message}`);
  }
}
console.log(JSON.stringify(refusals));
