// Checks that every imported name is exported, before anything is evaluated: a vat with a misspelt import does not
// start, and the error has the import's file and line.

import { didYouMean, quote, UserError } from '#model';

import { shimPrefix } from '#config';
import { isTypeScript } from './strip-types.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */
/** @import { Shims } from './export-graph.js' */
/** @import { ExportLinker } from './link-exports.js' */

/**
 * @param {Bundle} bundle
 * @param {Record<string, CompiledModule>} compiled
 * @param {Shims} shims
 * @param {ExportLinker} linker
 * @param {(key: string) => string} showModule  names a module in messages
 * @throws {UserError} if a provided module is missing, or a module does not export an imported name
 */
export const checkLinks = (bundle, compiled, shims, { exportsOf, resolve }, showModule) => {
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
        if (name === '*') continue;
        const { found, isMissing } = resolve(target, name);
        if (found > 1)
          throw new UserError(
            `${place()}: ${quote(specifier)} exports more than one ${quote(name)} by "export *"; it must export one by its name`,
          );
        // A re-export of what is missing has its own line.
        if (found === 0 && !isMissing)
          throw new UserError(
            `${place()}: ${quote(specifier)} does not export ${quote(name)}; its re-exports lead in a circle`,
          );
      }
    }
  }
};
