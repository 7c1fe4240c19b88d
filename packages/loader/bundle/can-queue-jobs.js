// Finds out whether a vat's code can queue a promise job. Code that cannot is quiescent when it returns, so its cranks
// need no wait (docs/decisions/vats-without-jobs.md; see `isSynchronous` in the supervisor's options).
//
// In a compartment a job comes from a promise, and a promise from one of these: `async` code, `import()`, the global `Promise`
// (or the endowment `HandledPromise`), code made from a string, or a value that the vat is given. The source shows all but the
// last, since each needs a keyword or a global's name; the vat's imports and deliveries show the last. A test
// walks all objects that are reachable without those names, and finds no other way.

import { shimPrefix } from '#config';
import { walk } from '../evaluation/syntax-tree.js';
import { isImportCall } from './without-import.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */
/** @import { Node } from '../evaluation/syntax-tree.js' */

/** Globals of a vat that lead to promises, or to code that the compiler has not seen. @type {ReadonlySet<string>} */
export const globalsOfJobs = new Set([
  'Promise',
  'HandledPromise',
  'Compartment',
  'Function',
  'eval',
  'globalThis',
]);

/** Provided modules whose exports give no access to a promise. @type {ReadonlySet<string>} */
const synchronousModules = new Set(['swingset-runner/reactor']);

/**
 * Whether a module's text may make a promise. It also says so if one of the names is only a property's.
 *
 * @param {Node} program
 */
export const canQueueJobs = program => {
  let can = false;
  walk(program, node => {
    can ||=
      node.async === true ||
      node.await === true ||
      node.type === 'AwaitExpression' ||
      isImportCall(node) ||
      (node.type === 'Identifier' && globalsOfJobs.has(node.name));
    return !can;
  });
  return can;
};

/** Exports by which a vat receives messages. A method may return a promise, for which the kernel waits. */
const rootExports = ['buildRootObject', 'default'];

/**
 * Whether a vat of reactors cannot queue a job, unless it is given a promise.
 *
 * @param {Bundle} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 */
export const isSynchronous = ({ entry, modules }, compiled) => {
  // `Array.fromAsync` makes a promise without one of the names. Our lockdown removes it (newer-builtins.js).
  if ('fromAsync' in Array) return false;
  const { exports, reexports } = compiled[entry] ?? { exports: rootExports, reexports: [] };
  if (reexports.length > 0 || exports.some(name => rootExports.includes(name))) return false;
  return Object.entries(modules).every(
    ([key, { type, imports }]) =>
      type === 'json' ||
      (!compiled[key].canQueueJobs &&
        Object.values(imports).every(
          target =>
            !target.startsWith(shimPrefix) ||
            synchronousModules.has(target.slice(shimPrefix.length)),
        )),
  );
};
