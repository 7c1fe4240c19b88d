// The options of the package's functions as tables, read from the docstrings that declare them. Checked with it: a number has
// a unit, and the default that is told is the one that the code has.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} OptionSource
 * @property {string} heading
 * @property {string} file  from the root
 * @property {string} type  a `@typedef`, or the function whose parameter `options` is described
 * @property {string[]} [codeFiles]  where the options are read; the same file by default
 * @property {boolean} [isPartial]  each may be left out, though its type has it
 */

/** @type {readonly OptionSource[]} */
const sources = Object.freeze([
  {
    heading: '`makeSimulation(config, options)`',
    file: 'packages/host/simulation/options.js',
    type: 'SimulationOptions',
    codeFiles: [
      'packages/host/simulation/assemble.js',
      'packages/host/simulation/begin.js',
      'packages/host/simulation/choose-run.js',
      'packages/host/simulation/attach-devices.js',
      'packages/host/simulation/vat-histories.js',
    ],
  },
  {
    heading: 'Its `observer`',
    file: 'packages/host/vats/vats.js',
    type: 'VatObserver',
    isPartial: true,
  },
  {
    heading: 'Its `calls`',
    file: 'packages/host/calls/index.js',
    type: 'CallOptions',
  },
  {
    heading: '`simulation.call(target, method, args, options)`',
    file: 'packages/host/calls/index.js',
    type: 'OneCallOptions',
  },
  {
    heading: '`simulation.start(options)`',
    file: 'packages/host/calls/driver.js',
    type: 'StartOptions',
    codeFiles: ['packages/host/calls/driver.js', 'packages/host/calls/slices.js'],
  },
  {
    heading: '`simulation.stop(options)`',
    file: 'packages/host/calls/index.js',
    type: 'StopOptions',
  },
  {
    heading: '`simulation.run(policy)`',
    file: 'packages/host/run-until-quiet.js',
    type: 'RunPolicy',
  },
  {
    heading: '`loadConfig(options)`',
    file: 'packages/config/load-config.js',
    type: 'loadConfig',
  },
  {
    heading: '`openLmdbStore(options)`',
    file: 'packages/store/lmdb-store.js',
    type: 'openLmdbStore',
  },
  {
    heading: '`testVat(file, options)` of `swingset-runner/testing`',
    file: 'packages/testing/index.js',
    type: 'TestVatOptions',
  },
  {
    heading: '`run(main, options)`, `runFast(main, options)` of `swingset-runner/reactor`',
    file: 'packages/reactor/program.js',
    type: 'ProgramOptions',
  },
  {
    heading: '`runBlocks(simulation, options, events)` of `swingset-runner/internals`',
    file: 'packages/host/blocks.js',
    type: 'BlockRunOptions',
  },
  {
    heading: 'Its limits',
    file: 'packages/host/limits.js',
    type: 'LimitOptions',
  },
  {
    heading:
      '`runRounds(simulation, options)` of `swingset-runner/internals`, beside those of `runBlocks`',
    file: 'packages/host/rounds.js',
    type: 'RunOptions',
  },
]);

/** Units by the ends of names, and of names that have none. */
const unitEnds = Object.freeze({ Ms: 'ms', Ns: 'ns', Bytes: 'bytes' });
/** @type {Readonly<Record<string, string>>} */
const unitNames = Object.freeze({
  blockSize: 'cranks',
  lookahead: 'items of the queue',
  maxCalls: 'calls',
  maxCranks: 'cranks',
  maxCranksInAll: 'cranks',
  maxMicrosteps: 'microsteps',
  maxWakes: 'wake-ups',
  rounds: 'rounds',
  startTime: 'ns',
  timeout: 'ns, or text with a unit',
  workerDelays: 'seed',
  workers: 'threads',
});

/** @param {string} name @param {string} type @throws {Error} a number without a unit */
const unitOf = (name, type) => {
  if (!/^(number|bigint|Duration)\b/.test(type)) return '';
  const end = Object.entries(unitEnds).find(([each]) => name.endsWith(each));
  const unit = end?.[1] ?? unitNames[name];
  if (unit === undefined) throw Error(`option ${name} is a number and has no unit; name one here`);
  return unit;
};

/** @param {string} text @returns {number} behind the brace that ends what the text begins with */
const endOfBraces = text => {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '{') depth += 1;
    if (text[i] === '}' && (depth -= 1) === 0) return i + 1;
  }
  return text.length;
};

/**
 * @typedef {object} OptionRow
 * @property {string} name
 * @property {string} type
 * @property {boolean} isRequired
 * @property {string | undefined} usual  the default
 * @property {string} meaning
 */

/**
 * @param {string} text  of a source file
 * @param {string} type  as of `OptionSource`
 * @returns {OptionRow[]} in the order of the docstring
 * @throws {Error} no docstring declares it
 */
export const readOptions = (text, type) => {
  const comments = [...text.matchAll(/\/\*\*([^]*?)\*\/(?=\s*(?:\/\/[^\n]*\n)*([^\n]*))/g)];
  const found = comments.find(
    ([, comment, next]) =>
      new RegExp(`@typedef \\{object\\} ${type}\\s`).test(comment) ||
      next.startsWith(`export const ${type} =`),
  );
  if (found === undefined) throw Error(`there is no docstring of the options ${type}`);
  const plain = found[1].replace(/\n \* ?/g, '\n');
  return plain.split(/^@(?=\w)/m).flatMap(tag => {
    const [word] = tag.split(' ', 1);
    if (word !== 'property' && word !== 'param') return [];
    const rest = tag.slice(word.length + 1);
    const end = endOfBraces(rest);
    const [, name, meaning] =
      /^\s*(\[(?:[^\]=]+(?:=.*?)?)\](?=\s|$)|[\w.]+)\s*([^]*)$/.exec(rest.slice(end)) ?? [];
    const isRequired = !name.startsWith('[');
    const [full, usual] = name.replace(/^\[|\]$/g, '').split(/=(.*)/);
    // The options of a function are the parts of its parameter "options".
    if (word === 'param' && !full.startsWith('options.')) return [];
    return [
      {
        name: full.replace('options.', ''),
        type: rest.slice(1, end - 1).replace(/\s+/g, ' '),
        isRequired,
        usual,
        meaning: meaning.trim().replace(/\s+/g, ' '),
      },
    ];
  });
};

/** @param {string} code  of a number, a string … @param {string} text  of the file */
const plainValue = (code, text) => {
  const isName = /^[a-zA-Z]\w*$/.test(code);
  const declared = isName && new RegExp(`^const ${code} = (.+);$`, 'm').exec(text)?.[1];
  const constant = declared || code;
  return /^[\d_ *]+$/.test(constant)
    ? String(
        constant
          .replaceAll('_', '')
          .split('*')
          .reduce((product, each) => product * Number(each), 1),
      )
    : constant;
};

/**
 * @param {OptionRow} row
 * @param {string[]} texts  of the files that read the option
 * @throws {Error} none of them has the default that is told
 */
export const insistDefault = ({ name, usual }, texts) => {
  if (usual === undefined) return;
  const pattern = new RegExp(`\\b${name}(?:: \\w+)? (?:=|\\?\\?) (?=(\\{\\}|[^,;})]+))`, 'g');
  const inCode = texts.flatMap(text =>
    [...text.matchAll(pattern)].map(([, code]) => plainValue(code.trim(), text)),
  );
  if (!inCode.includes(usual))
    throw Error(
      `option ${name} has the default ${usual} by its docstring, and in the code ${inCode.join(' or ') || 'none'}`,
    );
};

/**
 * @param {string} root
 * @param {(heads: string[], rows: string[][]) => string} table
 * @returns {string} Markdown
 * @throws {Error} an option has no unit, no meaning, or another default in the code
 */
export const writeOptions = (root, table) => {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
  return sources
    .map(({ heading, file, type, codeFiles = [file], isPartial = false }) => {
      const rows = readOptions(read(file), type).map(row => {
        if (row.meaning === '') throw Error(`option ${row.name} of ${type} has no meaning`);
        insistDefault(row, codeFiles.map(read));
        const usual =
          row.isRequired && !isPartial
            ? 'required'
            : row.usual === undefined
              ? ''
              : `\`${row.usual}\``;
        return [
          `\`${row.name}\``,
          `\`${row.type}\``,
          unitOf(row.name, row.type),
          usual,
          row.meaning,
        ];
      });
      return `## ${heading}\n\n${table(['option', 'type', 'unit', 'default', 'meaning'], rows)}`;
    })
    .join('\n\n');
};
