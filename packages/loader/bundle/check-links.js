// Checks that every imported name is exported, before anything is evaluated: a vat with a misspelt import does not
// start, and the error has the import's file and line.

import { didYouMean, quote, UserError } from '#model';

import { shimPrefix } from '#config';
import { isTypeScript } from './strip-types.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */

/** @typedef {Record<string, Record<string, unknown>>} Shims  namespaces by specifier */

/**
 * @param {Bundle} bundle
 * @param {Record<string, CompiledModule>} compiled  by key, without JSON modules
 * @param {Shims} shims
 */
export const makeExportFinder = ({ modules }, compiled, shims) => {
  /** @type {Map<string, Set<string>>} */
  const known = new Map();
  /**
   * @param {string} target
   * @returns {Set<string>}  the names of its exports, `default` included
   */
  const exportsOf = target => {
    const found = known.get(target);
    if (found) return found;
    if (target.startsWith(shimPrefix)) {
      const names = new Set(Object.keys(shims[target.slice(shimPrefix.length)]));
      known.set(target, names);
      return names;
    }
    if (modules[target].type === 'json') return new Set(['default']);
    const { exports, reexports } = compiled[target];
    const names = new Set(exports);
    // Set it before the recursion, since modules may re-export each other.
    known.set(target, names);
    for (const specifier of reexports) {
      const other = modules[target].imports[specifier];
      // A CommonJS module may lack what it passes on.
      if (other === undefined) continue;
      for (const name of exportsOf(other)) {
        if (name !== 'default') names.add(name);
      }
    }
    return names;
  };
  return exportsOf;
};

/**
 * @param {Bundle} bundle
 * @param {Record<string, CompiledModule>} compiled
 * @param {Shims} shims
 * @param {(key: string) => string} showModule  names a module in messages
 * @throws {UserError} if a provided module is missing, or a module does not export an imported name
 */
export const checkLinks = (bundle, compiled, shims, showModule) => {
  const exportsOf = makeExportFinder(bundle, compiled, shims);
  for (const [key, { imports }] of Object.entries(compiled)) {
    for (const { specifier, names, line } of imports) {
      const { type, imports: targets } = bundle.modules[key];
      const target = targets[specifier];
      const place = () => `${showModule(key)}:${line}`;
      if (target === undefined) {
        // A CommonJS module may require what is missing.
        if (type === 'cjs') continue;
        throw new UserError(`${place()}: the bundle lacks the module ${quote(specifier)}`);
      }
      if (target.startsWith(shimPrefix) && !shims[target.slice(shimPrefix.length)]) {
        throw new UserError(`${place()}: the module ${quote(specifier)} is not provided here`);
      }
      const exported = exportsOf(target);
      for (const name of names) {
        if (name !== '*' && !exported.has(name)) {
          const hint = didYouMean(name, [...exported]);
          const listed = [...exported].sort().join(', ') || 'nothing';
          const isType = isTypeScript(showModule(key)) && isTypeScript(target);
          const provided = target.startsWith(shimPrefix)
            ? '; vats get it from the system, not from an installed package'
            : '';
          const remedy = isType ? '; if it is a type, write "import type"' : provided;
          throw new UserError(
            `${place()}: ${quote(specifier)} does not export ${quote(name)}${hint || `; it exports ${listed}`}${remedy}`,
          );
        }
      }
    }
  }
};
