// The second barrier between vats and the engine's module loader: the loader refuses imports of code that SES
// evaluated. If a spelling passes `refuseImport`, its import still comes from the module of SES that has the evaluator.
//
// Node 20 has no synchronous hooks, and its only dynamic import is `import(`, which SES refuses. Imports of the host
// program are not affected.

import * as nodeModule from 'node:module';

/** The module that makes the evaluators, and so is the referrer of the code they evaluate, in any copy of SES. */
const evaluatorPath = /\/ses\/(?:src\/make-evaluate\.js|dist\/[^/]*)(?:[?#]|$)/;

/** The imports of that module itself. */
const ownImports = new Set(['./commons.js', './scope-constants.js']);

let stands = false;

/** Install the hooks, once. To be called when SES is loaded. */
export const raiseLoaderWall = () => {
  const { registerHooks } = /** @type {any} */ (nodeModule);
  if (stands || typeof registerHooks !== 'function') return;
  stands = true;
  /** Copies of SES that the host program loads from now on → their pending imports. @type {Map<string, Set<string>>} */
  const loading = new Map();
  registerHooks({
    resolve(/** @type {string} */ specifier, /** @type {any} */ context, /** @type {any} */ next) {
      const { parentURL } = context;
      if (typeof parentURL === 'string' && evaluatorPath.test(parentURL)) {
        if (!loading.get(parentURL)?.delete(specifier))
          throw Error('code that was evaluated in a compartment can import nothing');
      }
      return next(specifier, context);
    },
    load(/** @type {string} */ url, /** @type {any} */ context, /** @type {any} */ next) {
      if (evaluatorPath.test(url)) loading.set(url, new Set(ownImports));
      return next(url, context);
    },
  });
};
