// Finds the addon: the file in `prebuilt/` for this system and processor; if there is none, or it does not load, one
// that is compiled locally and kept in the user's cache; if that fails too, none. Every step that fails leaves a
// sentence, and none throws: the program goes on without the addon.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, makePrivateFolder } from './cache-dir.js';
import { compileAddon, hashSources } from './compile-addon.js';

const require = createRequire(import.meta.url);

/** The level of Node-API that the addon needs: `NODE_API_LEVEL` in source/node-api.h. */
const neededLevel = 8;

/**
 * The functions of the addon; source/addon.c describes them.
 *
 * @typedef {object} Addon
 * @property {(array: Float64Array, selected: number) => () => void} makeMark
 * @property {() => void} nothing
 * @property {(which: number) => { error: number, countsKernel: boolean, isInstruction: boolean }} open
 * @property {() => { timer: string, timerHz: number, isTimerSteady: boolean, isVirtual: boolean, processor: string }} describe
 * @property {() => number} ticks
 * @property {() => number[]} cores
 * @property {(core: number) => number} pin
 * @property {() => number} keepAwake
 * @property {() => void} noteStack
 * @property {() => true | undefined} isStackLow
 * @property {(onStuck: (signal: number, unanswered: number) => void, work: Uint8Array) => number} watchSignals
 * @property {() => void} answerSignal
 * @property {() => void} unwatchSignals
 */

/** @typedef {{ addon: Addon, origin: 'prebuilt' | 'compiled', problems: string[] }} Found */
/** @typedef {{ addon: undefined, origin: 'none', problems: string[] }} NotFound */

/** @type {readonly (keyof Addon)[]} */
const functionNames = [
  'makeMark',
  'nothing',
  'open',
  'describe',
  'ticks',
  'cores',
  'pin',
  'keepAwake',
  'noteStack',
  'isStackLow',
  'watchSignals',
  'answerSignal',
  'unwatchSignals',
];

/** The folder of the package's prebuilt files. */
export const prebuiltDir = fileURLToPath(new URL('./prebuilt/', import.meta.url));

/** @param {unknown} error */
const firstLine = error => {
  const { message, stderr } = /** @type {Error & { stderr?: string }} */ (error);
  const said = (stderr ?? '').split('\n').find(line => /error/i.test(line)) ?? message;
  return said.split('\n')[0];
};

/** @param {string} file @returns {Addon} */
const load = file => {
  const addon = require(file);
  const missing = functionNames.find(name => typeof addon[name] !== 'function');
  if (missing !== undefined) throw Error(`it has no function ${missing}`);
  return addon;
};

/**
 * Loads the prebuilt file of this system. A truncated file can end the process when it is loaded, so each is first
 * compared with its fingerprint.
 *
 * @param {string} dir
 * @param {string} name
 */
const loadPrebuilt = (dir, name) => {
  const file = join(dir, `${name}.node`);
  if (!fs.existsSync(file)) throw Error(`the package has none for ${name}`);
  const { files } = JSON.parse(fs.readFileSync(join(dir, 'manifest.json'), 'utf8'));
  const found = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  if (files[`${name}.node`] !== found) {
    throw Error(`${name}.node is not the file that was packed; install the package again`);
  }
  return load(file);
};

/**
 * Loads a file compiled from these sources, compiling it if necessary.
 *
 * @param {string} dir
 * @param {string} name
 * @param {string[] | undefined} compiler  without one, only a file that is there already is loaded
 */
const loadCompiled = (dir, name, compiler) => {
  makePrivateFolder(dir);
  const file = join(dir, `addon-${name}-${hashSources().slice(0, 16)}.node`);
  if (!fs.existsSync(file)) {
    if (compiler === undefined) throw Error('it was not compiled before');
    // Renamed when complete, since another process may look for it.
    const unfinished = `${file}.${process.pid}`;
    try {
      compileAddon({ out: unfinished, platform: process.platform, compiler });
      fs.renameSync(unfinished, file);
    } finally {
      fs.rmSync(unfinished, { force: true });
    }
  }
  return load(file);
};

/**
 * @param {object} [options]
 * @param {string} [options.dir]  folder of the prebuilt files
 * @param {string} [options.cacheDir]  folder of compiled files
 * @param {string[]} [options.compiler]  by default `CC` of the environment, or `cc`
 * @param {boolean} [options.mayCompile]  false: a file that was compiled before may be loaded, but none is compiled
 * @param {number} [options.level]  the level of Node-API, by default this Node's
 * @returns {Found | NotFound} `problems` has a sentence for each step that failed
 */
export const loadAddon = ({
  dir = prebuiltDir,
  cacheDir = join(defaultCacheDir(), 'native'),
  compiler = (process.env.CC || 'cc').split(' '),
  mayCompile = true,
  level = Number(process.versions.napi),
} = {}) => {
  const name = `${process.platform}-${process.arch}`;
  if (!(level >= neededLevel)) {
    const problem = `this Node has level ${level} of Node-API, and the addon needs ${neededLevel}`;
    return { addon: undefined, origin: 'none', problems: [problem] };
  }
  /** @type {string[]} */
  const problems = [];
  try {
    return { addon: loadPrebuilt(dir, name), origin: 'prebuilt', problems };
  } catch (error) {
    problems.push(`prebuilt: ${firstLine(error)}`);
  }
  try {
    const addon = loadCompiled(cacheDir, name, mayCompile ? compiler : undefined);
    return { addon, origin: 'compiled', problems };
  } catch (error) {
    problems.push(`compiling it with ${compiler.join(' ')}: ${firstLine(error)}`);
  }
  return { addon: undefined, origin: 'none', problems };
};
