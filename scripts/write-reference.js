// node scripts/write-reference.js [--check]
//
// Writes docs/reference: what commands take, what a config may say (also as a JSON Schema), what a stats file has, from the
// tables that the program reads; and the options of functions, from their docstrings. With --check it fails if a file is not up to date.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { format, resolveConfig } from 'prettier';
import * as fields from '#config/config-fields.js';
import { makeConfigSchema } from '#config/config-schema.js';
import { counters2020, countersCurrent } from '#kernel';
import * as columns from '#stats/columns.js';
import { writeOptions } from './option-tables.js';

/** @import { Fields } from '#config/config-fields.js' */

const root = path.join(import.meta.dirname, '..');
const target = path.join(root, 'docs/reference');

/** @param {string[]} heads @param {string[][]} rows */
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows]
    .map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** @param {string[]} args */
const helpOf = args =>
  execFileSync(process.execPath, [path.join(root, 'runner/main.js'), ...args, '--help'], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '100', NO_COLOR: '1' },
  }).trim();

const commands = () => {
  const names = fs
    .readdirSync(path.join(root, 'runner/commands'))
    .filter(name => name.endsWith('.js'))
    .map(name => name.slice(0, -3))
    .sort();
  const parts = names.map(name => `## ${name}\n\n\`\`\`text\n${helpOf([name])}\n\`\`\``);
  return `# Commands\n\nWhat \`swingset-runner COMMAND --help\` prints. A directory alone, as in \`swingset-runner my-vats\`, is \`run\`.\n\n${parts.join('\n\n')}\n`;
};

/** @param {Fields} all */
const fieldRows = all =>
  Object.keys(all).map(name => {
    const { expects, notice } = all[name];
    // A field that is always ignored says so whatever it is; what depends on the value names that.
    const said = notice?.(undefined);
    const note = said?.includes('undefined') ? '' : (said ?? '');
    return [`\`${name}\``, expects, note];
  });

const config = () => {
  /** @type {[heading: string, fields: Fields][]} */
  const sections = [
    ['The config', fields.configFields],
    ['Code: of vats, devices and bundles', fields.codeFields],
    ['A vat, beside its code', fields.vatFields],
    ['A vat’s `creationOptions`', fields.vatOptionFields],
    ['A device, beside its code', fields.deviceFields],
    ['A device’s `creationOptions`', fields.deviceOptionFields],
    ['A bundle, beside its code', fields.bundleFields],
    ['`reactors`', fields.reactorFields],
    ['One of `connections`', fields.connectionFields],
  ];
  const parts = sections.map(
    ([heading, each]) => `## ${heading}\n\n${table(['field', 'must be', 'note'], fieldRows(each))}`,
  );
  return `# The config\n\nFields of \`swingset.json\`. A field that is not here is an error that names it. [\`swingset.schema.json\`](swingset.schema.json) says the same to editors: a config whose \`"$schema"\` is \`"./node_modules/swingset-runner/docs/reference/swingset.schema.json"\` is completed and checked while it is written (\`swingset-runner init --template reactors\` writes it so).\n\n${parts.join('\n\n')}\n`;
};

/** The suffixes of a counter's columns, by its kind. */
const suffixes = { gauge: '`Up`, `Down`, `Max`', inflow: '`Up`, `Max`', tally: '' };

const stats = () => {
  const groups = [
    ['always', columns.blockColumns, 'its number; cranks in it'],
    ['`--logtimes`', columns.timeColumns, 'ns; the whole block, and its commit'],
    ['`--logcycles`', columns.cycleColumns, 'of the kernel’s thread'],
    ['`--logmem`', columns.memoryColumns, 'bytes of the process, after the block'],
    ['`--logdisk`', columns.diskColumns, 'bytes: the files, and what is in use of them'],
  ];
  const rows = groups.map(([flag, names, meaning]) => [
    String(flag),
    /** @type {readonly string[]} */ (names).map(name => `\`${name}\``).join(' '),
    String(meaning),
  ]);
  const old = new Set(counters2020.map(([name]) => name));
  const counters = countersCurrent.map(([name, kind, counts]) => [
    `\`${name}\``,
    counts,
    kind,
    suffixes[kind],
    old.has(name) ? 'both' : '`current`',
  ]);
  return `# The stats file

Tab-separated: a header, then a row for each block. An empty cell was not measured. \`--logall\` asks for all but cycles.

## Columns

${table(['flag', 'columns', 'meaning'], rows)}

## Counters

With \`--logstats\`. A gauge is what the kernel holds; an inflow lacks how much went; a tally only counts.

${table(['counter', 'what it counts', 'kind', 'more columns', 'profiles'], counters)}
`;
};

const options = () =>
  `# Options

What the functions of the package are given. An option without a default is left out, or its meaning says what happens then. The functions of \`swingset-runner\` itself refuse a name that is not here, and a value of another type, by a \`TypeError\` that names it.

${writeOptions(root, table)}
`;

const schema = () => `${JSON.stringify(makeConfigSchema(), null, 2)}\n`;

const files = {
  'commands.md': commands,
  'config.md': config,
  'options.md': options,
  'stats.md': stats,
  'swingset.schema.json': schema,
};

const isCheck = process.argv[2] === '--check';
fs.mkdirSync(target, { recursive: true });
for (const [name, make] of Object.entries(files)) {
  const file = path.join(target, name);
  const text = await format(make(), { ...(await resolveConfig(file)), filepath: file });
  if (!isCheck) {
    fs.writeFileSync(file, text);
  } else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) {
    console.error(`docs/reference/${name} is not up to date; run node scripts/write-reference.js`);
    process.exitCode = 1;
  }
}
