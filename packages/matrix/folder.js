// The folder of a matrix: which matrix it is, and its complete runs. It is written after each run, atomically, so that
// an interrupted matrix continues where it was. Results that cannot be compared are not mixed: another profile, commit
// or machine is another matrix.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { quote, UserError } from '#model';
import { listFiles, removeFiles, runFiles, summaryFiles } from './files.js';
import { isResult } from './result.js';

/** @import { Result } from './result.js' */

/**
 * Results are comparable if these are equal; people see the keys.
 *
 * @typedef {Record<string, string>} Identity
 */

/** @typedef {{ format: string, identity: Identity, results: Record<string, Result> }} Contents */

const fileName = 'matrix.json';
const format = 'swingset-runner matrix 1';

/** @param {string} dir @param {unknown} error @returns {UserError} */
const cannotWrite = (dir, error) =>
  new UserError(
    `${dir}: cannot write there (${/** @type {NodeJS.ErrnoException} */ (error).code}); choose a folder that you may write to with --outdir`,
    { exitCode: 1, cause: error },
  );

/** @param {string} dir  made if missing */
const provideDirectory = dir => {
  // Node's own recursive form never ends where nothing can be added (`/proc`, on Node 20).
  const missing = [];
  for (let each = resolve(dir); !existsSync(each); each = resolve(each, '..')) missing.push(each);
  try {
    for (const each of missing.reverse()) mkdirSync(each);
    return readdirSync(dir);
  } catch (error) {
    throw cannotWrite(dir, error);
  }
};

/** @param {string} file @returns {Contents} */
const readContents = file => {
  const wrong = (/** @type {string} */ what) =>
    new UserError(
      `${file}: ${what}; choose another folder with --outdir, or delete it if nothing of it is wanted`,
    );
  let contents;
  try {
    contents = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong(`cannot be read as JSON (${/** @type {Error} */ (error).message})`);
  }
  const isRecord = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null;
  if (contents?.format !== format)
    throw wrong(`is no list of results of this version, which begins with "format": "${format}"`);
  if (!isRecord(contents.identity) || !isRecord(contents.results))
    throw wrong('has no "identity" and "results"');
  return contents;
};

/**
 * @param {Identity} theirs
 * @param {Identity} ours
 * @returns {string[]} the differences, for a person
 */
const compareIdentities = (theirs, ours) =>
  [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
    .filter(key => theirs[key] !== ours[key])
    .map(key => `${key} ${theirs[key] ?? 'none'}, not ${ours[key] ?? 'none'}`);

/**
 * @param {string} dir
 * @param {object} options
 * @param {Identity} options.identity
 * @param {boolean} options.discards  whether existing results are discarded
 * @throws {UserError} it cannot be written, or holds something else
 */
export const openFolder = (dir, { identity, discards }) => {
  const names = provideDirectory(dir).filter(name => !name.startsWith('.'));
  const file = join(dir, fileName);
  /** @type {Contents} */
  let contents = { format, identity, results: {} };
  if (names.includes(fileName)) {
    const found = readContents(file);
    const differences = compareIdentities(found.identity, identity);
    if (discards) {
      for (const name of Object.keys(found.results)) removeFiles(dir, listFiles(runFiles(name)));
      removeFiles(dir, Object.values(summaryFiles));
    } else if (differences.length > 0) {
      throw new UserError(
        `${dir} holds the results of another matrix (${differences.join('; ')}); choose another folder with --outdir, or discard them with --init`,
      );
    } else {
      contents = found;
    }
  } else if (names.length > 0) {
    throw new UserError(
      `${dir} holds other things (${quote(names[0])}${names.length > 1 ? ', …' : ''}) and no ${fileName}; choose an empty folder with --outdir`,
    );
  }

  const save = () => {
    try {
      const text = `${JSON.stringify(contents, null, 1)}\n`;
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    } catch (error) {
      throw cannotWrite(dir, error);
    }
  };
  // Write once before the runs, so that a folder without write permission fails now, not after hours.
  save();

  return Object.freeze({
    dir,
    identity,

    /** @param {string} name */
    at: name => join(dir, name),

    /** The result of a run, if all its files exist. @param {string} name @returns {Result | undefined} */
    find(name) {
      const result = Object.hasOwn(contents.results, name) ? contents.results[name] : undefined;
      const isWhole = listFiles(runFiles(name)).every(each => existsSync(join(dir, each)));
      return isWhole && isResult(result) ? result : undefined;
    },

    /** The results of all complete runs. @returns {Result[]} in the order in which they were added */
    list() {
      return Object.keys(contents.results).flatMap(name => this.find(name) ?? []);
    },

    /** @param {Result} result */
    add(result) {
      contents.results[result.name] = result;
      save();
    },

    /** The tables, as text. */
    readSummary: () => readFileSync(join(dir, summaryFiles.text), 'utf8'),

    /** @param {string} name @param {string} text */
    write(name, text) {
      try {
        writeFileSync(join(dir, name), text);
      } catch (error) {
        throw cannotWrite(dir, error);
      }
    },
  });
};

/** @typedef {ReturnType<typeof openFolder>} Folder */
