// Runs random programs on reactor-c and on this library: `node scripts/reactor-c-tests/main.js --lfc PATH`, with Lingua
// Franca's compiler. `--seeds N` and `--first N` choose the programs, `--show` prints where they differ, `--keep DIR`
// keeps what was generated.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { linguaFranca } from './lingua-franca.js';
import { reasonsFor } from './reasons.js';
import { runHere } from './reactors.js';
import { makeShape, upTo } from './shape.js';

/** @import { Shape } from './shape.js' */

const usage =
  'usage: node scripts/reactor-c-tests/main.js --lfc PATH [--seeds N] [--first N] [--show] [--keep DIR]';

/** Programs that are compiled together, since the compiler takes seconds. */
const batchSize = 20;

/** @param {string} text @returns {never} */
const fail = text => {
  console.error(text);
  process.exit(2);
};

const readArguments = () => {
  try {
    const { values } = parseArgs({
      options: {
        lfc: { type: 'string' },
        seeds: { type: 'string', default: '200' },
        first: { type: 'string', default: '1' },
        show: { type: 'boolean', default: false },
        keep: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n${usage}`);
  }
};

const values = readArguments();
const lfc = resolve(values.lfc ?? fail(usage));
for (const name of /** @type {const} */ (['seeds', 'first']))
  if (!/^[1-9]\d{0,8}$/.test(values[name]))
    fail(`--${name} takes a number from 1, not ${JSON.stringify(values[name])}`);
const first = Number(values.first);
const made = upTo(Number(values.seeds)).map(i => makeShape(first + i));
/** Lines of each program here; one that never ends is left out, since it would not end there either. */
const notes = new Map(made.map(shape => [shape.seed, runHere(shape)]));
const shapes = made.filter(({ seed }) => notes.get(seed) !== undefined);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'reactor-c-tests-'));
mkdirSync(join(folder, 'src'), { recursive: true });

/** @param {string} command @param {string[]} args */
const ask = (command, args) => {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (result.error !== undefined) fail(`${command}: ${result.error.message}`);
  return result;
};

/** Seeds of programs that crash with reactor-c. @type {Set<number>} */
const crashed = new Set();

/**
 * Compiles programs for reactor-c and runs them beside each other; if one crashes, the others without it.
 *
 * @param {Shape[]} batch
 * @returns {string[]} what their reactions noted
 */
const runThere = batch => {
  const name = `Batch${batch[0].seed}`;
  const file = join(folder, 'src', `${name}.lf`);
  writeFileSync(file, linguaFranca(name, batch));
  const compiled = ask(lfc, [file]);
  if (compiled.status !== 0) fail(`${lfc} ${file}:\n${compiled.stdout}${compiled.stderr}`);
  const { status, stdout } = ask(join(folder, 'bin', name), []);
  if (status === 0)
    return stdout.split('\n').flatMap(line => (line.startsWith('@ ') ? [line.slice(2)] : []));
  if (batch.length === 1) {
    crashed.add(batch[0].seed);
    return [];
  }
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)].flatMap(part => runThere(part));
};

/**
 * Lines by reactor: those that do not depend on each other may react in any order.
 *
 * @param {string[]} lines
 * @returns {Map<string, string[]>}
 */
const byReactor = lines => {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const line of lines) {
    const [name] = line.split(' ', 1);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [line]);
    else group.push(line);
  }
  return groups;
};

/** @param {string} line @param {'there' | 'here'} where */
const tell = (line, where) => `  ${where.padEnd(5)} ${line}`;

/**
 * @param {Map<string, string[]>} there
 * @param {Map<string, string[]>} here
 * @returns {string[]} the first difference of each reactor
 */
const differences = (there, here) =>
  [...new Set([...there.keys(), ...here.keys()])].flatMap(name => {
    const left = there.get(name) ?? [];
    const right = here.get(name) ?? [];
    const at = upTo(Math.max(left.length, right.length)).find(i => left[i] !== right[i]);
    if (at === undefined) return [];
    return [tell(left[at] ?? 'no more', 'there'), tell(right[at] ?? 'no more', 'here')];
  });

/** Nanoseconds of a line, Infinity if it says that there is none. @param {string} line */
const timeOf = line => Number(/ (\d+)\.\d+/.exec(line)?.[1] ?? Infinity);

/** Programs that may ask for the end run alone. */
const alone = shapes.filter(({ stops }) => stops).map(shape => [shape]);
const others = shapes.filter(({ stops }) => !stops);
const batches = upTo(Math.ceil(others.length / batchSize)).map(i =>
  others.slice(i * batchSize, (i + 1) * batchSize),
);

let lines = 0;
let same = 0;
let unexplained = 0;
/** @type {Map<string, number[]>} seeds by reason */
const explained = new Map();
for (const batch of [...batches, ...alone]) {
  const there = byReactor(runThere(batch));
  for (const shape of batch) {
    if (crashed.has(shape.seed)) continue;
    const { lines: noted, happened } = /** @type {NonNullable<ReturnType<typeof runHere>>} */ (
      notes.get(shape.seed)
    );
    lines += noted.length;
    const own = new Map([...there].filter(([name]) => name.startsWith(`P${shape.seed}c`)));
    const found = differences(own, byReactor(noted));
    if (found.length === 0) {
      same += 1;
      continue;
    }
    const reasons = reasonsFor(
      shape,
      happened,
      Math.min(...found.map(timeOf)),
      Math.max(...[...own.values()].flat().map(timeOf)),
    );
    for (const reason of reasons)
      explained.set(reason, [...(explained.get(reason) ?? []), shape.seed]);
    if (reasons.length === 0) unexplained += 1;
    if (reasons.length === 0 || values.show)
      console.log([`seed ${shape.seed} differs`, ...reasons, ...found].join('\n'));
  }
}
if (values.keep === undefined) rmSync(folder, { recursive: true });
console.log(`${same} of ${shapes.length} programs did the same, in ${lines} reactions`);
for (const [reason, seeds] of explained) console.log(`may differ: ${reason}: ${seeds.join(' ')}`);
if (crashed.size > 0) console.log(`crash there: ${[...crashed].join(' ')}`);
if (unexplained > 0) console.log(`${unexplained} differ for no known reason`);
process.exitCode = unexplained > 0 ? 1 : 0;
