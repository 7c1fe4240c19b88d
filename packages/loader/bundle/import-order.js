// The order in which a bundle's modules are evaluated, and how deep their imports go. SES links and evaluates modules by
// recursion, so the end of the stack would decide whether a deeper bundle runs, which depends on the thread, the engine and
// what it has compiled.

import { UserError } from '#model';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */

/** Modules in a row that are begun one within the other. The stack of Node ends behind 1,000 of them. */
const mostDeep = 500;

/**
 * Each module comes after its imports, in the order in which they are written.
 *
 * @param {Pick<Bundle, 'entry' | 'modules'>} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 * @returns {{ order: Map<string, number>, deepest: number }}  `deepest`: the modules that are begun at once, at most
 */
export const findOrder = ({ entry, modules }, compiled) => {
  /** @type {Map<string, number>} */
  const order = new Map();
  /** Modules that were begun, each with the next of its imports. @type {{ key: string, next: number }[]} */
  const path = [{ key: entry, next: 0 }];
  const begun = new Set([entry]);
  let deepest = 0;
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    deepest = Math.max(deepest, path.length);
    const { imports = [] } = compiled[top.key] ?? {};
    if (top.next >= imports.length) {
      order.set(top.key, order.size);
      path.pop();
      continue;
    }
    const target = modules[top.key].imports[imports[top.next].specifier];
    top.next += 1;
    if (modules[target] === undefined || begun.has(target)) continue;
    begun.add(target);
    path.push({ key: target, next: 0 });
  }
  return { order, deepest };
};

/**
 * @param {Pick<Bundle, 'id' | 'entry' | 'modules'>} bundle
 * @param {Record<string, CompiledModule>} compiled
 * @throws {UserError} if its imports go too deep
 */
export const insistShallow = (bundle, compiled) => {
  const { deepest } = findOrder(bundle, compiled);
  if (deepest > mostDeep)
    throw new UserError(
      `bundle ${bundle.id}: ${deepest} of its modules import each other in a row; ${mostDeep} are the most`,
    );
};
