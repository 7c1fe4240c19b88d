// Loads the program of a module: it finds a reactor class, or a function that makes a reactor, by its name.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError, explainFileError, insistArgument, quote } from '#model';

/** @import { Outline } from '#reactor' */

/** Names of exports that may be the program, in order of preference. */
const names = ['main', 'Main', 'buildReactor', 'default'];

/**
 * The outline of the program that a module exports as `main`, `Main`, `buildReactor` or `default`: a class that extends
 * Reactor, or a function that returns a reactor. Otherwise it is the only reactor class among the exports. The program
 * is made but not run.
 *
 * @param {string} file
 * @param {{ maxBank?: number }} [options]  see `outlineOf`
 * @returns {Promise<Outline>}
 * @throws {UserError} if the module does not exist, cannot be loaded or has no reactor, or if its program cannot be
 *   made
 * @throws {TypeError} if `file` is no string
 */
export const outlineOfModule = async (file, options) => {
  insistArgument('outlineOfModule()', file, 'string', 'the path of a module');
  const full = path.resolve(file);
  if (!isFile(full, file)) {
    throw new UserError(`no file ${quote(file)}; give a module that exports a reactor`);
  }
  if (!/\.[cm]?[jt]s$/.test(full))
    throw new UserError(
      `${quote(file)} is no module by its name; give a .js or .mjs file that exports a reactor`,
    );
  const { Program, Reactor, outlineOf } = await libraryOf(full);
  /** @type {Record<string, unknown>} */
  let module;
  try {
    module = await import(pathToFileURL(full).href);
  } catch (error) {
    throw explain(`module ${quote(file)} cannot be loaded`, error);
  }
  const { name, value } = findProgram(file, module, Reactor);
  let made;
  try {
    made = await makeReactor(value, Reactor);
  } catch (error) {
    throw explain(`${name} of ${quote(file)} cannot be made`, error);
  }
  // The function may return a whole program.
  if (made instanceof Program) return outlineOf(made, options);
  if (!(made instanceof Reactor)) {
    throw new UserError(
      `${name} of ${quote(file)} returned no reactor; export a class that extends Reactor, or a function that returns one`,
    );
  }
  return outlineOf(new Program(made, { fast: true }), options);
};

/** @param {string} full @param {string} file  as given */
const isFile = (full, file) => {
  try {
    return fs.statSync(full, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    throw explainFileError(error, file);
  }
};

/**
 * The library that the module imports: its own copy of this package, if it has one.
 *
 * @param {string} file
 * @returns {Promise<typeof import('#reactor')>}
 */
const libraryOf = async file => {
  let found;
  try {
    found = createRequire(file).resolve('swingset-runner/reactor');
  } catch {
    return import('#reactor');
  }
  return import(pathToFileURL(found).href);
};

/**
 * @param {string} file
 * @param {Record<string, unknown>} module
 * @param {typeof import('#reactor').Reactor} Reactor
 */
const findProgram = (file, module, Reactor) => {
  const name = names.find(each => module[each] !== undefined);
  if (name !== undefined) return { name, value: module[name] };
  const classes = Object.entries(module).filter(([, value]) => isReactorClass(value, Reactor));
  if (classes.length === 1) return { name: classes[0][0], value: classes[0][1] };
  const got =
    classes.length === 0
      ? `no reactor among its exports (${Object.keys(module).join(', ') || 'it has none'})`
      : `${classes.length} reactors (${classes.map(([each]) => each).join(', ')})`;
  throw new UserError(`module ${quote(file)} has ${got}; export the main one as "main"`);
};

/**
 * @param {any} value
 * @param {typeof import('#reactor').Reactor} Reactor
 */
const isReactorClass = (value, Reactor) =>
  typeof value === 'function' && (value === Reactor || value.prototype instanceof Reactor);

/**
 * @param {any} value
 * @param {typeof import('#reactor').Reactor} Reactor
 */
const makeReactor = async (value, Reactor) => {
  if (isReactorClass(value, Reactor)) return new value();
  // The arguments are those for a vat's module: powers and parameters.
  return typeof value === 'function' ? value({}, {}) : value;
};

/**
 * @param {string} what
 * @param {unknown} error
 */
const explain = (what, error) =>
  error instanceof UserError
    ? error
    : new UserError(`${what}: ${error instanceof Error ? error.message : String(error)}`, {
        exitCode: 1,
        cause: error,
      });
