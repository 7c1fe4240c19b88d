// Random programs of 2020-09 under this kernel.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir, loadConfig, makeMemoryStore, makeReport, makeSimulation } from '#host';

/** @import { LoadedConfig } from '#config' */
/** @import { Program } from './program.js' */

export const actorFile = join(import.meta.dirname, '../../../test/fixtures/random-2020/actor.js');

/** A program with more is taken for endless. */
export const mostCranks = 3_000;

/**
 * The deeds of a program. `cranks`: in all, after bootstrap and after each round; `counters`: as the kernel of 2020 names
 * them; `lines`: what actors printed.
 *
 * @typedef {{ cranks: number[], counters: Record<string, number>, lines: string[] }} Done
 */

/** The endings of a counter's names, for its parts. */
const endings = Object.freeze({ value: '', up: 'Up', down: 'Down', max: 'Max' });

/** The lines of actors; the kernel of 2020 prints more. @param {readonly string[]} lines */
export const linesOfActors = lines =>
  lines.filter(line => /^(bootstrap|alice|bob|carol|made\d+|vat): /.test(line));

/** @param {readonly string[]} lines */
export const digest = lines =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);

/** @param {ReturnType<typeof makeReport>['counters']} counters @returns {Record<string, number>} */
const flatten = counters =>
  Object.fromEntries(
    Object.entries(counters).flatMap(([name, parts]) =>
      Object.entries(endings).flatMap(([part, ending]) => {
        const number = /** @type {Record<string, number | undefined>} */ (parts)[part];
        return number === undefined ? [] : [[name + ending, number]];
      }),
    ),
  );

/** @param {Program} program @returns {LoadedConfig} */
export const makeConfig = ({ actors }) => {
  const baseDir = mkdtempSync(join(tmpdir(), 'swingset-runner-random-2020-'));
  const actor = { sourceSpec: actorFile };
  const vats = Object.fromEntries(
    actors.map(each => [each.name, { ...actor, parameters: { actor: JSON.stringify(each) } }]),
  );
  const config = { bootstrap: 'bootstrap', bundles: { actor }, vats };
  writeFileSync(join(baseDir, 'swingset.json'), JSON.stringify(config));
  try {
    return loadConfig({ baseDir });
  } finally {
    rmSync(baseDir, { recursive: true, force: true });
  }
};

/**
 * @param {Program} program
 * @returns {Promise<Done>}
 */
export const runHere = async program => {
  /** @type {string[]} */
  const printed = [];
  const simulation = await makeSimulation(makeConfig(program), {
    ...{ store: makeMemoryStore(), profile: '2020-09', cacheDir: defaultCacheDir() },
    observer: { onConsole: (_vat, _level, text) => void printed.push(text) },
  });
  /** @type {number[]} */
  const cranks = [];
  const run = async () => {
    await simulation.run({ maxCranks: mostCranks });
    cranks.push(simulation.cranks.all);
  };
  await run();
  for (let round = 0; round < program.rounds; round += 1) {
    simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
    await run();
  }
  const { counters } = makeReport(simulation.kernel);
  await simulation.close();
  return { cranks, counters: flatten(counters), lines: linesOfActors(printed) };
};
