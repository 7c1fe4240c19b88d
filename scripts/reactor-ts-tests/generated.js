// Programs that Lingua Franca's compiler generated for TypeScript, over reactor-ts and over this package:
// `node scripts/reactor-ts-tests/generated.js --reactor-ts DIR --generated SRC-GEN [--only TEXT] [-- ARGUMENTS]`.
// Compares their output and exit codes without the lines that name clock times and graphs.

import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'reactor-ts': { type: 'string' },
    generated: { type: 'string' },
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '60' },
  },
});
if (values['reactor-ts'] === undefined || values.generated === undefined) {
  console.error(
    'usage: node scripts/reactor-ts-tests/generated.js --reactor-ts DIR --generated SRC-GEN [--only TEXT] [--limit SECONDS] [-- ARGUMENTS]',
  );
  process.exit(2);
}
const reactorTs = resolve(values['reactor-ts']);
const generated = resolve(values.generated);
const typescript = createRequire(join(reactorTs, 'package.json'))('typescript');
const alias = fileURLToPath(new URL('../../packages/reactor-ts/alias', import.meta.url));

/** The compiler puts the sources of a program into `src` of a folder by its name. */
const sources = readdirSync(generated, { recursive: true, encoding: 'utf8' }).filter(
  file =>
    file.endsWith('.ts') &&
    basename(dirname(file)) === 'src' &&
    file.includes(values.only) &&
    !file.includes('node_modules'),
);
if (sources.length === 0) {
  console.error(
    `no generated programs in ${generated}: NAME/src/NAME.ts, with --only in their paths`,
  );
  process.exit(2);
}

/**
 * The programs as JavaScript, in a folder where `@lf-lang/reactor-ts` is `target`.
 *
 * @param {string} target
 */
const lower = target => {
  const folder = mkdtempSync(join(tmpdir(), 'reactor-ts-generated-'));
  mkdirSync(join(folder, 'node_modules', '@lf-lang'), { recursive: true });
  symlinkSync(target, join(folder, 'node_modules', '@lf-lang', 'reactor-ts'));
  for (const name of ['command-line-args', 'command-line-usage'])
    symlinkSync(join(reactorTs, 'node_modules', name), join(folder, 'node_modules', name));
  for (const file of sources) {
    const { outputText } = typescript.transpileModule(readFileSync(join(generated, file), 'utf8'), {
      compilerOptions: { module: 'commonjs', target: 'esnext', esModuleInterop: true },
    });
    const to = join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, outputText);
  }
  return folder;
};

/** Lines that only reactor-ts prints, and those that name a time of the clock or a place in a file. */
const passing =
  /^\d+\[".*"\]$|^\d+ --> \d+$|^graph|Scheduling (of )?timer|^Setting initializing|\(reactor-ts\)|physical|Physical|lag is|^\s*at |^\s*\^|^(file:|\/)|^Node\.js v|^node:|^\s*throw |^$/;

/** @param {string} text */
const comparable = text =>
  stripVTControlCharacters(text)
    .replaceAll(/\(\d{10} secs; \d+ nsecs\)/g, '(now)')
    .replaceAll(/[\d.]+ (ms|msec)\b/g, '$1')
    .split('\n')
    .filter(line => !passing.test(line));

/**
 * @param {string} script
 * @returns {Promise<{ lines: string[], code: number | string | null }>}
 */
const run = script =>
  new Promise(settle => {
    const child = spawn(process.execPath, [script, ...positionals], {
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
      timeout: Number(values.limit) * 1000,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout.on('data', data => {
      text += data;
    });
    let errors = '';
    child.stderr.on('data', data => {
      errors += data;
    });
    child.on('close', (code, signal) =>
      settle({ lines: [...comparable(text), ...comparable(errors)], code: code ?? signal }),
    );
  });

const theirs = lower(reactorTs);
const ours = lower(alias);
let different = 0;
for (const file of sources) {
  const script = file.replace(/\.ts$/, '.js');
  const [expected, got] = [await run(join(theirs, script)), await run(join(ours, script))];
  const same = expected.code === got.code && expected.lines.join('\n') === got.lines.join('\n');
  if (same) continue;
  different += 1;
  console.log(`${relative('.', file)}: exit codes ${expected.code} and ${got.code}`);
  for (const line of expected.lines.filter(line => !got.lines.includes(line)).slice(0, 5))
    console.log(`  reactor-ts: ${line}`);
  for (const line of got.lines.filter(line => !expected.lines.includes(line)).slice(0, 5))
    console.log(`  here:       ${line}`);
}
for (const folder of [theirs, ours]) rmSync(folder, { recursive: true, force: true });
console.log(`${sources.length - different} of ${sources.length} programs did the same`);
process.exitCode = different === 0 ? 0 : 1;
