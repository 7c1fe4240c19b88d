// Finds out whether a vat's code can queue a promise job. Code that cannot is at rest as soon as it has returned, so its cranks need
// not be waited for (docs/decisions/vats-without-jobs.md; see `isSynchronous` in the supervisor's options).
//
// In a compartment a job comes from a promise, and a promise from one of these: `async` code, the global `Promise` (or
// `HandledPromise`, which is endowed), code that is made from a text, or something that is given to the vat. The first three
// are told by the source, since each needs a keyword or a global's name; the last by what the vat imports and by the
// deliveries that it takes. A test walks through all that can be reached without those names, and finds no other way.

import { shimPrefix } from '#config';
import { walk } from '../evaluation/syntax-tree.js';

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

/** Provided modules of which nothing leads to a promise. @type {ReadonlySet<string>} */
const synchronousModules = new Set(['swingset-runner/reactor']);

/**
 * Whether a module's text has what can make a promise. It may say yes where a name is only a property's.
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
      (node.type === 'Identifier' && globalsOfJobs.has(node.name));
    return !can;
  });
  return can;
};

/** Exports by which a vat receives messages. A method may return a promise, and the kernel waits for it. */
const rootExports = ['buildRootObject', 'default'];

/**
 * Whether a vat of reactors can queue no job, unless it is given a promise.
 *
 * @param {Bundle} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 */
export const isSynchronous = ({ entry, modules }, compiled) => {
  // `Array.fromAsync` is a promise that needs no name. A realm of ours has none (lockdown.js).
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
